/** How many jobs and runs the console shows. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyRow } from "../../../tests/support/copied-rows.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import {
  collectionBody,
  jobBody,
  schedulerClient,
  schedulerServices as services,
} from "../../../tests/support/scheduler.ts";

const data = mkdtempSync(join(tmpdir(), "medley-jobs-"));
let instance: Instance;
const api = schedulerClient(() => instance, "jobs");
beforeAll(async () => {
  instance = await startInstance({ services, data });
  await instance.clock.freeze();
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

it("tells of the first five hundred jobs, and shows fifty runs that were and fifty that are due", async () => {
  const put = async (name: string) => expect((await api.put(`/c/jobs/${name}`, jobBody())).status).toBe(201);
  const eventCount = async () => {
    const { body } = await instance.bearer("GET", "/_medley/views/scheduler?view=Jobs&limit=1");
    return body.views[0].widgets[0].events.length;
  };
  const detailOf = async (name: string) => {
    const row = new URLSearchParams({ view: "Jobs", row: `c/${name}` });
    return (await instance.bearer("GET", `/_medley/views/scheduler/detail?${row}`)).status;
  };
  await api.put("/c", collectionBody({ sku: { name: "P20Premium" } }));
  await put("a");
  const copy = (table: string, count: number, changed: Record<string, string>, where = "true") =>
    copyRow(data, { table, count, changed, where });
  const copyJobs = (letter: string, count: number) => {
    const key = `copied.key || '${letter}' || n`;
    const where = "key like '%/jobs/a'";
    copy("medley_managed_resource", count, { key, id: `copied.id || '${letter}' || n` }, where);
    copy("scheduler_job", count, { key }, where);
  };
  copyJobs("a", 48);
  expect(await eventCount()).toBe(49);
  copyJobs("b", 2);
  expect(await eventCount()).toBe(50);
  expect((await api.post("/c/jobs/a/run")).status).toBe(200);
  await instance.clock.advance(0);
  expect(await eventCount()).toBe(51);
  copy("scheduler_history", 48, { position: "copied.position + n" });
  expect(await eventCount()).toBe(99);
  copy("scheduler_history", 2, { position: "copied.position + 48 + n" });
  expect(await eventCount()).toBe(100);
  copyJobs("c", 448);
  await put("y");
  await put("z");
  expect([await detailOf("y"), await detailOf("z")]).toEqual([200, 404]);
});
