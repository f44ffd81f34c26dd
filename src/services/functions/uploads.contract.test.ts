/** How much an account may keep, and for how long: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { Functions, PLACE, zipOf } from "../../../tests/support/functions.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const OBJECTS_MAX = 2000;
const OBJECTS_BYTES_MAX = 5 * 1024 ** 3;
const SECRETS_MAX = 1000;
const FUNCTIONS_MAX = 1000;
const DAY_MS = 86_400_000;
const data = mkdtempSync(join(tmpdir(), "medley-uploads-"));
let instance: Instance;
const functions = new Functions(() => instance);
beforeAll(async () => {
  instance = await startInstance({ services: ["functions"], data });
  await instance.clock.freeze();
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

const upload = async (archive: Buffer): Promise<number> => {
  const { body } = await functions.send("POST", `${PLACE}/functions:generateUploadUrl`, { body: {} });
  const headers = { "content-type": "application/zip" };
  return (await instance.send("PUT", body.uploadUrl, { body: archive, headers })).status;
};
const SMALL = { "index.js": "exports.a = () => {};" };

it("five gibibytes of archives, to the byte", async () => {
  const archive = await zipOf(SMALL);
  const leave = (bytes: number): void =>
    changeRows(data, (database) => {
      database.prepare("update functions_object set size = 0").run();
      database
        .prepare(
          "update functions_object set size = ? where rowid = (select min(rowid) from functions_object)",
        )
        .run(OBJECTS_BYTES_MAX - bytes);
    });
  expect(await upload(archive)).toBe(200);
  leave(archive.length);
  expect(await upload(archive)).toBe(200);
  leave(archive.length - 1);
  expect(await upload(archive)).toBe(429);
});

it("two thousand archives", async () => {
  const archive = await zipOf(SMALL);
  changeRows(data, (database) => database.exec("delete from functions_object"));
  expect(await upload(archive)).toBe(200);
  const changed = { object: "copied.object || n" };
  copyRow(data, { table: "functions_object", count: OBJECTS_MAX - 2, changed });
  expect(await upload(archive)).toBe(200);
  expect(await upload(archive)).toBe(429);
});

it("a thousand versions of secrets", async () => {
  const add = async () => {
    const body = { payload: { data: Buffer.from("value").toString("base64") } };
    return (await instance.bearer("POST", "/functions/v1/projects/demo/secrets/one:addVersion", { body }))
      .status;
  };
  expect(await add()).toBe(200);
  const changed = { secret: "copied.secret || n" };
  copyRow(data, { table: "functions_secret", count: SECRETS_MAX - 2, changed });
  expect(await add()).toBe(200);
  expect(await add()).toBe(429);
});

it("a thousand functions of a location", async () => {
  changeRows(data, (database) => database.exec("delete from functions_object"));
  const create = async (id: string) => {
    const body = await functions.bodyOf(id, { source: SMALL, entryPoint: "a" });
    return functions.send("POST", `${PLACE}/functions?functionId=${id}`, { body });
  };
  await functions.ended(await create("first"));
  const changed = { function_id: "copied.function_id || n", slug: "copied.slug || n" };
  copyRow(data, { table: "functions_function", count: FUNCTIONS_MAX - 2, changed });
  await functions.ended(await create("last"));
  expect((await create("beyond")).status).toBe(429);
  const row = new URLSearchParams({ view: "Functions", row: `${PLACE}/functions/last` });
  const { body } = await instance.bearer("GET", `/_medley/views/functions/detail?${row}`);
  expect(body.value.name).toBe(`${PLACE}/functions/last`);
});

it("operations for thirty days, and archives that nobody used for seven", async () => {
  const lookMs = instance.clock.nowMs() + DAY_MS;
  const left = changeRows(data, (database) => {
    database.exec("delete from functions_object where rowid > (select min(rowid) + 1 from functions_object)");
    const ages = (table: string, keptMs: number) => {
      const update = database.prepare(
        `update ${table} set created_at = ? where rowid = (select rowid from ${table} limit 1 offset ?)`,
      );
      update.run(lookMs - keptMs, 0);
      update.run(lookMs - keptMs - 1, 1);
      return () => database.prepare(`select count(*) as count from ${table}`).get();
    };
    return [ages("functions_operation", 30 * DAY_MS)(), ages("functions_object", 7 * DAY_MS)()];
  });
  expect(left).toEqual([{ count: 2 }, { count: 2 }]);
  await instance.clock.advance("1d");
  const kept = changeRows(data, (database) =>
    ["functions_operation", "functions_object"].map((table) =>
      database.prepare(`select created_at from ${table}`).all(),
    ),
  );
  expect(kept).toEqual([[{ created_at: lookMs - 30 * DAY_MS }], [{ created_at: lookMs - 7 * DAY_MS }]]);
});
