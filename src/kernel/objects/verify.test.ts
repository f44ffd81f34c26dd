/** Of names without objects, the first hundred are listed. */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Backups, newRoot } from "../../../tests/support/backup.ts";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { startInstance } from "../../../tests/support/medley.ts";
import { S3Double } from "../../../tests/support/s3-double.ts";

const root = newRoot();
const data = join(root, "data");
const store = await S3Double.start();
afterAll(async () => {
  await store.stop();
  rmSync(root, { recursive: true, force: true });
});

it("lists a hundred missing names, and counts all of them", async () => {
  const folder = join(root, "folder");
  for (const one of [data, folder]) mkdirSync(one);
  writeFileSync(join(folder, "large"), randomBytes(300_000));
  const options = { services: ["backup"], ...store.options, data, backupRoots: [root] };
  const running = await startInstance(options as never);
  try {
    const backups = new Backups(() => running);
    await backups.vault("main");
    const job = await backups.backedUp(await backups.register("one", { path: folder }));
    expect(job.State, job.StatusMessage).toBe("COMPLETED");
    const missingOf = async (count: number) => {
      changeRows(data, (database) => database.exec("delete from backup_chunk where object like '%copy%'"));
      const changed = { id: "copied.id || n", object: "copied.object || '-copy-' || n" };
      copyRow(data, { table: "backup_chunk", count, changed, where: "object is not null" });
      const { body } = await running.bearer("GET", "/_medley/objects");
      return [body.missing, body.missingNames.length];
    };
    expect([await missingOf(100), await missingOf(101)]).toEqual([
      [100, 100],
      [101, 100],
    ]);
  } finally {
    await running.stop();
  }
});
