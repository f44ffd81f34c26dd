/** The order of things: two nodes on two replicated servers, load and hostile clients all the time, one failure after another. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StartOptions } from "../../src/app/start.ts";
import { eventually, pause } from "../support/eventually.ts";
import { NotesUnderLoad } from "../support/notes-under-load.ts";
import { freePort } from "../support/postgres-package.ts";
import { ReplicatedPostgres } from "../support/replicated-postgres.ts";
import { S3Double } from "../support/s3-double.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";
import { Figures } from "./figures.ts";
import { HostileClients } from "./hostile-clients.ts";
import { MixedLoad, Outcomes } from "./mixed-load.ts";
import { SoakNode } from "./nodes.ts";
import { OthersPrograms } from "./others-programs.ts";
import { Strangers } from "./strangers.ts";

const TOKEN = "first-token-0001";
const FAILOVERS_A_MINUTE = 2;
/** Besides the failover, each round has one of these. */
const SILENCE_MS = 8000;
const STANDSTILL_MS = 4000;
const REPORT_MS = 5000;
const WARM_UP_WRITES = 200;

class Stage {
  readonly servers: ReplicatedPostgres;
  readonly proxies: readonly TcpProxy[];
  readonly nodes: readonly [SoakNode, SoakNode];
  readonly #folder: string;
  private constructor(
    servers: ReplicatedPostgres,
    proxies: readonly TcpProxy[],
    nodes: readonly [SoakNode, SoakNode],
    folder: string,
  ) {
    this.servers = servers;
    this.proxies = proxies;
    this.nodes = nodes;
    this.#folder = folder;
  }
  static async set(store: StartOptions): Promise<Stage> {
    const servers = await ReplicatedPostgres.start();
    const ports = servers.url.match(/(?<=127\.0\.0\.1:)\d+/g) ?? [];
    const proxies = await Promise.all(ports.map((port) => TcpProxy.start(Number(port))));
    const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join(",");
    const folder = mkdtempSync(join(tmpdir(), "medley-soak-"));
    const database = servers.url.replace(/(?<=@)[^/]+/, hosts);
    const nodeAt = async () =>
      new SoakNode({
        port: await freePort(),
        database,
        data: folder,
        jobLeaseSeconds: 3,
        // Strangers come from many addresses, as a proxy tells them.
        trustedProxies: ["127.0.0.1"],
        ...store,
      });
    const nodes = [await nodeAt(), await nodeAt()] as const;
    for (const node of nodes) await node.start();
    return new Stage(servers, proxies, nodes, folder);
  }
  async strike(): Promise<void> {
    for (const node of this.nodes) await node.kill();
    for (const proxy of this.proxies) await proxy.stop();
    await this.servers.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Seconds since the beginning, and what happens. */
const said = (startMs: number, what: string) =>
  console.log(`${((performance.now() - startMs) / 1000).toFixed(0).padStart(5)} s  ${what}`);

async function failOver({ servers }: Stage, notes: NotesUnderLoad, figures: Figures): Promise<number> {
  await servers.failOver();
  const promotedMs = performance.now();
  await notes.moreOfEach(1);
  const recoveryMs = performance.now() - promotedMs;
  figures.recoveriesMs.push(recoveryMs);
  await servers.addStandby();
  return recoveryMs;
}
async function silence({ proxies }: Stage): Promise<void> {
  for (const proxy of proxies) proxy.swallow();
  await pause(SILENCE_MS);
  for (const proxy of proxies) proxy.heal();
}
async function killNode({ nodes: [, second] }: Stage): Promise<void> {
  await second.kill();
  await second.start();
}
const mishaps: readonly (readonly [string, (stage: Stage) => Promise<void>])[] = [
  ["a node is killed with -9 and started again", killNode],
  [`the network to PostgreSQL swallows everything for ${SILENCE_MS / 1000} s`, silence],
  [
    `PostgreSQL is stopped for ${STANDSTILL_MS / 1000} s`,
    ({ servers }) => servers.restartPrimary(() => pause(STANDSTILL_MS)),
  ],
];

/** Memory and turns, again and again; a node that is just being killed has nothing to tell. */
function watch({ nodes }: Stage, figures: Figures): { stop(): Promise<void> } {
  let over = false;
  const watching = (async () => {
    while (!over) {
      await pause(REPORT_MS);
      const [first, second] = await Promise.all(nodes.map((node) => node.report().catch(() => undefined)));
      if (first) figures.noteMemory(first);
      for (const report of [first, second]) if (report) figures.turnsMs.push(report.longestTurnMs);
    }
  })();
  return {
    async stop() {
      over = true;
      await watching;
    },
  };
}

async function goThrough(
  stage: Stage,
  minutes: number,
  notes: NotesUnderLoad,
  figures: Figures,
): Promise<void> {
  const startMs = performance.now();
  const rounds = Math.max(mishaps.length, Math.round(minutes * FAILOVERS_A_MINUTE));
  for (let round = 0; round < rounds; round += 1) {
    const dueMs = startMs + (round * minutes * 60_000) / rounds;
    await pause(Math.max(0, dueMs - performance.now()));
    const [what, happen] = mishaps[round % mishaps.length] as (typeof mishaps)[number];
    said(startMs, what);
    await happen(stage);
    await notes.moreOfEach(1);
    said(startMs, `failover ${round + 1} of ${rounds}: the primary is killed with -9, the standby promoted`);
    const recoveryMs = await failOver(stage, notes, figures);
    said(startMs, `both nodes acknowledged again ${recoveryMs.toFixed(0)} ms after the promotion`);
  }
  await pause(Math.max(0, startMs + minutes * 60_000 - performance.now()));
}

/** Every acknowledged write is there, and scheduled work ran once. */
async function settleAccounts(notes: NotesUnderLoad, figures: Figures): Promise<void> {
  let last = await notes.compare();
  await eventually(async () => {
    last = await notes.compare();
    return last.notRun.length === 0;
  }, "the end of scheduled work").catch(() => {});
  figures.line("acknowledged writes and schedules", notes.acknowledged);
  figures.line("acknowledged and lost", last.missing.length, last.missing.length === 0);
  figures.line("scheduled and not run", last.notRun.length, last.notRun.length === 0);
  figures.line("scheduled once and run twice", last.runTwice.length, last.runTwice.length === 0);
}

const countsOf = (counts: ReadonlyMap<number, number>) =>
  [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status || "cut off"}: ${count}`)
    .join(", ");

/** Whether the store has what rows name. */
async function compareObjects(url: string, figures: Figures): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`${url}/_medley/objects`, { headers });
  const { objects, missing } = (await answer.json()) as { objects: number; missing: number };
  figures.line("objects in the store", objects, objects > 0);
  figures.line("objects that rows name and the store lacks", missing, missing === 0);
}

/** `withStore`: large bytes go to an object store. */
export async function soak(minutes: number, withStore: boolean): Promise<boolean> {
  const store = withStore ? await S3Double.start() : undefined;
  const stage = await Stage.set(store?.options ?? {});
  const urls = stage.nodes.map(({ url }) => url);
  const figures = new Figures();
  const outcomes = {
    ordinary: new Outcomes(),
    "functions' and gateway's": new Outcomes(),
    "strangers'": new Outcomes(),
    hostile: new Outcomes(),
  };
  const notes = new NotesUnderLoad(urls);
  const programs = new OthersPrograms(urls, outcomes["functions' and gateway's"]);
  const strangers = new Strangers(urls, outcomes["strangers'"]);
  const loads = [
    notes,
    new MixedLoad(urls, outcomes.ordinary),
    programs,
    strangers,
    new HostileClients(urls, outcomes.hostile),
  ];
  try {
    await programs.prepare();
    await strangers.prepare();
    for (const load of loads) load.begin();
    await notes.moreOfEach(WARM_UP_WRITES);
    const watching = watch(stage, figures);
    await goThrough(stage, minutes, notes, figures);
    await watching.stop();
    await Promise.all(loads.map((load) => load.end()));
    await settleAccounts(notes, figures);
    for (const [name, { counts, failures }] of Object.entries(outcomes)) {
      figures.line(`${name} requests`, countsOf(counts));
      for (const failure of failures) figures.line("answered with a failure of ours", failure, false);
    }
    figures.line("of those who write and schedule", countsOf(notes.statuses));
    figures.line("failovers", stage.servers.failovers);
    if (store) await compareObjects(stage.nodes[0].url, figures);
    return figures.conclude();
  } finally {
    await stage.strike();
    await store?.stop();
  }
}
