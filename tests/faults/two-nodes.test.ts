/** Two nodes on one PostgreSQL: one is killed while it holds jobs, the other takes them over. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
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

/** How many nodes hold slow work at this moment. */
async function countHolders(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "select count(distinct lease_owner) as holders from medley_job where state = 'running' and name = 'sample.slow'",
  );
  return Number(rows[0].holders);
}

it("takes over a dead node's work; what commits with its job happens exactly once", async () => {
  const options = await settings();
  const [first, second] = await Promise.all([startSampleNode(options), startSampleNode(options)]);
  const client = new pg.Client({ connectionString: options.database });
  await client.connect();
  const quick = Array.from({ length: 24 }, (_, i) => `quick-${i}`);
  // More than one node may take at once, so that both of them hold some.
  const slow = Array.from({ length: 16 }, (_, i) => `slow-${i}`);
  for (const id of [...quick, ...slow]) await call(second, "PUT", `/sample/notes/${id}`, { text: "x" });
  const count = (ids: string[], body: object) =>
    Promise.all(
      ids.map((id, i) => call(i % 2 === 0 ? first : second, "POST", `/sample/notes/${id}:count`, body)),
    );
  await count(quick, { failures: 1 });
  await count(slow, { waitMs: 4000 });
  await eventually(async () => (await countHolders(client)) === 2, "work on both nodes");
  await first.kill("SIGKILL");
  await client.end();
  const unfinished = async (state: string) => {
    const path = `/_medley/jobs?state=${state}&service=sample&limit=1000`;
    const { jobs } = (await call(second, "GET", path)) as { jobs: { job: string }[] };
    return jobs.filter(({ job }) => job !== "sample.tick").length;
  };
  await eventually(
    async () => (await unfinished("waiting")) + (await unfinished("running")) === 0,
    "the end of all work",
  );
  const countOf = async (id: string) =>
    ((await call(second, "GET", `/sample/notes/${id}`)) as { count: number }).count;
  for (const id of quick) expect([id, await countOf(id)]).toEqual([id, 1]);
  for (const id of slow) expect(await countOf(id)).toBeGreaterThanOrEqual(1);
  await second.kill("SIGTERM");
});

it("counts the strikes of a limited fault on both nodes together", async () => {
  const options = await settings();
  const [first, second] = await Promise.all([startSampleNode(options), startSampleNode(options)]);
  const rule = { match: { service: "sample" }, status: 418, count: 7 };
  const put = async () => {
    const { rules } = (await call(first, "PUT", "/_medley/faults", { rules: [rule] })) as {
      rules: { id: string }[];
    };
    return rules[0]?.id;
  };
  const listed = async (node: NodeProcess) =>
    ((await call(node, "GET", "/_medley/faults")) as { rules: { id: string; struck: number }[] }).rules[0];
  for (let round = 0; round < 2; round += 1) {
    const id = await put();
    await eventually(async () => (await listed(second))?.id === id, "the rule on the other node");
    const asked = Array.from({ length: 40 }, (_, i) => fetch(`${(i % 2 ? first : second).url}/sample/open`));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 418)).toHaveLength(7);
    expect(statuses.filter((status) => status === 200)).toHaveLength(33);
    for (const node of [first, second]) expect(await listed(node)).toMatchObject({ struck: 7, count: 7 });
  }
  await Promise.all([first.kill("SIGTERM"), second.kill("SIGTERM")]);
});

it("shares clock and faults, and stops gracefully without losing work", async () => {
  const options = await settings();
  const [first, second] = await Promise.all([startSampleNode(options), startSampleNode(options)]);
  await call(first, "POST", "/_medley/clock/freeze");
  await call(first, "PUT", "/_medley/faults", { rules: [{ match: { service: "sample" }, status: 503 }] });
  const { now } = (await call(first, "POST", "/_medley/clock/advance", { by: "48h" })) as { now: string };
  await eventually(
    async () => ((await call(second, "GET", "/_medley/clock")) as { now: string }).now === now,
    "the same time on the other node",
  );
  await eventually(async () => (await fetch(`${second.url}/sample/open`)).status === 503, "the same fault");
  await call(second, "DELETE", "/_medley/faults");
  await call(second, "POST", "/_medley/clock/resume");
  await call(second, "PUT", "/sample/notes/last", { text: "x" });
  await call(second, "POST", "/sample/notes/last:count", { waitMs: 400 });
  expect(await second.kill("SIGTERM")).toBe(0);
  await eventually(
    async () => ((await call(first, "GET", "/sample/notes/last")) as { count: number }).count > 0,
    "the work of the node that has stopped",
  );
  await first.kill("SIGTERM");
});
