/** The client of a store: its limits. */
import { afterAll, expect, it } from "vitest";
import { S3Double } from "../../../tests/support/s3-double.ts";
import { type Config, defaultConfig } from "../config/index.ts";
import { createLog } from "../observe/index.ts";
import { openS3, REQUESTS_MAX, type S3Store } from "./s3-store.ts";

const OBJECT_BYTES_MAX = 4_194_304;

const double = await S3Double.start();
afterAll(() => double.stop());
const config = { ...defaultConfig, ...double.options } as Config;
const open = (settings: Partial<Config> = {}) =>
  openS3({ ...config, ...settings }, createLog("silent")) as S3Store;

it("sends some requests at a time, and the others after them", async () => {
  const store = open({ objectsTimeoutSeconds: 60 });
  const keys = Array.from({ length: 3 * REQUESTS_MAX }, (_, at) => `many/${at}`);
  await Promise.all(keys.map((key) => store.put(key, Buffer.from(key))));
  expect(double.kept.size).toBe(keys.length);
  expect(double.atOnceMax).toBeLessThanOrEqual(REQUESTS_MAX);
  double.pageSize = 40;
  const first = await store.list("many/", "");
  expect([first.objects.length, first.isLast]).toEqual([40, false]);
  expect(first.objects[0]).toEqual({ key: "many/0", size: 6 });
});
it("reads no object that is larger than any that it stores", async () => {
  const store = open();
  await store.put("largest", Buffer.alloc(OBJECT_BYTES_MAX));
  expect((await store.find("largest"))?.length).toBe(OBJECT_BYTES_MAX);
  double.kept.set("pre/fix/larger", Buffer.alloc(OBJECT_BYTES_MAX + 1));
  await expect(store.find("larger")).rejects.toThrow(/does not answer now/);
});
it("gives up on requests that waited for their turn as well", async () => {
  double.mood = "silent";
  const store = open();
  const asked = Array.from({ length: 2 * REQUESTS_MAX }, (_, at) => store.find(`${at}`));
  const ended = await Promise.allSettled(asked);
  expect(ended.every(({ status }) => status === "rejected")).toBe(true);
  double.mood = "well";
  expect(await store.find("none")).toBeUndefined();
});
it("puts the bucket into the host name where the store has no endpoint of its own", async () => {
  const store = open({
    objectsPathStyle: false,
    objectsEndpoint: double.endpoint.replace("127.0.0.1", "localhost"),
  });
  await store.put("hosted", Buffer.from("x"));
  expect(double.kept.get("pre/fix/hosted")?.toString()).toBe("x");
  expect((await store.list("host", "")).objects).toEqual([{ key: "hosted", size: 1 }]);
});
it("refuses keys that are wrong", async () => {
  const wrong = double.wrong;
  await expect(open({ objectsSecret: "wrong" }).find("x")).rejects.toThrow(/403 SignatureDoesNotMatch/);
  expect(double.wrong).toBe(wrong + 1);
});
