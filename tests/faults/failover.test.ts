/** The primary of two PostgreSQL servers is killed under load, again and again: two nodes go on with the other. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { NotesUnderLoad } from "../support/notes-under-load.ts";
import { type NodeProcess, startSampleNode } from "../support/processes.ts";
import { ReplicatedPostgres } from "../support/replicated-postgres.ts";
import { roundsHere } from "../support/test-part.ts";

const FAILOVERS = roundsHere(1, 3);
let servers: ReplicatedPostgres;
let nodes: NodeProcess[];

beforeAll(async () => {
  servers = await ReplicatedPostgres.start();
  const options = {
    database: servers.url,
    data: mkdtempSync(join(tmpdir(), "medley-failover-")),
    jobLeaseSeconds: 3,
    logLevel: "silent" as const,
  };
  nodes = [await startSampleNode(options), await startSampleNode(options)];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill("SIGKILL")));
  await servers.stop();
});

it("loses no acknowledged write and no scheduled work through failovers, and needs no restart", async () => {
  const load = new NotesUnderLoad(nodes.map(({ url }) => url));
  load.begin();
  for (let round = 0; round < FAILOVERS; round += 1) {
    await load.moreOfEach(40);
    await servers.failOver();
    await load.moreOfEach(40);
    await servers.addStandby();
  }
  await load.end();
  const lost = await eventually(async () => {
    const { missing, notRun, runTwice } = await load.compare();
    return notRun.length === 0 && { missing, runTwice };
  }, "all scheduled work");
  expect(lost).toEqual({ missing: [], runTwice: [] });
  for (const status of load.statuses.keys()) expect([201, 202, 503]).toContain(status);
}, 600_000);
