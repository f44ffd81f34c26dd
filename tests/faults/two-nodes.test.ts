/** Two nodes on one PostgreSQL: one is killed while it holds jobs, the other takes them over. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createDatabase } from "../support/medley.ts";
import { type NodeProcess, startSampleNode } from "../support/processes.ts";

const headers = { authorization: "Bearer first-token-0001", "content-type": "application/json" };
const call = async (node: NodeProcess, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${node.url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.status === 204 ? undefined : response.json();
};
const settings = async () => ({
  database: await createDatabase(),
  data: mkdtempSync(join(tmpdir(), "medley-nodes-")),
  jobLeaseSeconds: 2,
});

it("takes over a dead node's work; what commits with its job happens exactly once", async () => {
  const options = await settings();
  const [first, second] = await Promise.all([startSampleNode(options), startSampleNode(options)]);
  const ids = Array.from({ length: 24 }, (_, i) => `note-${i}`);
  for (const id of ids) await call(second, "PUT", `/sample/notes/${id}`, { text: "x" });
  for (const [i, id] of ids.entries())
    await call(
      i % 2 === 0 ? first : second,
      "POST",
      `/sample/notes/${id}:count`,
      i % 3 === 0 ? { waitMs: 700 } : { failures: 1 },
    );
  await new Promise((resolve) => setTimeout(resolve, 250));
  const held = ((await call(second, "GET", "/_medley/jobs?state=running")) as { jobs: unknown[] }).jobs
    .length;
  await first.kill("SIGKILL");
  expect(held).toBeGreaterThan(0);
  const until = Date.now() + 25_000;
  for (;;) {
    const waiting = (await call(second, "GET", "/_medley/jobs?state=waiting&service=sample")) as {
      jobs: { job: string }[];
    };
    const running = (await call(second, "GET", "/_medley/jobs?state=running&service=sample")) as {
      jobs: unknown[];
    };
    if (waiting.jobs.filter(({ job }) => job !== "sample.tick").length + running.jobs.length === 0) break;
    if (Date.now() > until) throw new Error("the second node did not take over");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (const [i, id] of ids.entries()) {
    const { count } = (await call(second, "GET", `/sample/notes/${id}`)) as { count: number };
    if (i % 3 === 0) expect(count).toBeGreaterThanOrEqual(1);
    else expect([id, count]).toEqual([id, 1]);
  }
  await second.kill("SIGTERM");
}, 60_000);

it("shares clock and faults, and stops gracefully without losing work", async () => {
  const options = await settings();
  const [first, second] = await Promise.all([startSampleNode(options), startSampleNode(options)]);
  await call(first, "POST", "/_medley/clock/freeze");
  await call(first, "PUT", "/_medley/faults", { rules: [{ match: { service: "sample" }, status: 503 }] });
  const { now } = (await call(first, "POST", "/_medley/clock/advance", { by: "48h" })) as { now: string };
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(((await call(second, "GET", "/_medley/clock")) as { now: string }).now).toBe(now);
  expect((await fetch(`${second.url}/sample/open`)).status).toBe(503);
  await call(second, "DELETE", "/_medley/faults");
  await call(second, "POST", "/_medley/clock/resume");
  await call(second, "PUT", "/sample/notes/last", { text: "x" });
  const slow = call(second, "POST", "/sample/notes/last:count", { waitMs: 400 });
  await slow;
  expect(await second.kill("SIGTERM")).toBe(0);
  const until = Date.now() + 10_000;
  while (((await call(first, "GET", "/sample/notes/last")) as { count: number }).count === 0) {
    if (Date.now() > until) throw new Error("the work was lost");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await first.kill("SIGTERM");
}, 60_000);
