/** How much an account may have uploaded without using it: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { Functions, PLACE, zipOf } from "../../../tests/support/functions.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const OBJECTS_MAX = 2000;
const OBJECTS_BYTES_MAX = 5 * 1024 ** 3;
const data = mkdtempSync(join(tmpdir(), "medley-uploads-"));
let instance: Instance;
const functions = new Functions(() => instance);
beforeAll(async () => {
  instance = await startInstance({ services: ["functions"], data });
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
