/** `node bench/nodes.mjs`: what 1, 2 and 4 nodes on one PostgreSQL do together, in turns; load, nodes and database share the machine. */
import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { apiKey, load, startServer } from "./load.mjs";
import { startPostgres } from "./postgres.mjs";

const COUNTS = [1, 2, 4];
const ROUNDS = 7;
const SECONDS = 2;
const TICKS_A_SECOND = 100;
/** To each node: with fewer, a busy machine measures how long each waits for its turn. */
const CONNECTIONS = 64;
const middleOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const headers = { "x-vendor-key": apiKey, "content-type": "application/json" };
const body = JSON.stringify({ text: "a note of ordinary length, as people write them" });
const lines = {
  "read one row": { path: "/sample-key/notes/bench", options: { headers } },
  "write one row": { path: "/sample-key/notes", options: { method: "POST", headers, body } },
};

const postgres = await startPostgres();
const nodes = [];
try {
  for (let i = 0; i < Math.max(...COUNTS); i += 1)
    nodes.push(await startServer("product", { database: postgres.url, logLevel: "silent" }));
  await fetch(`${nodes[0].url}/sample-key/notes/bench`, { method: "PUT", headers, body });
  console.log(`${cpus().length} cores for load, nodes and database; the middle of ${ROUNDS} rounds`);
  console.log(
    "| line | nodes | requests a second | ratio | best round | node, ms each | database, ms each |",
  );
  console.log("|---|---|---|---|---|---|---|");
  for (const [name, { path, options }] of Object.entries(lines)) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const count of COUNTS) rounds.push({ count, ...(await together(count, path, options)) });
    const valuesOf = (count, what) => rounds.filter((one) => one.count === count).map((one) => one[what]);
    const middle = (count, what) => middleOf(valuesOf(count, what));
    for (const count of COUNTS) {
      const perSecond = middle(count, "perSecond");
      const ratio = perSecond / middle(COUNTS[0], "perSecond");
      const best = Math.max(...valuesOf(count, "perSecond")).toFixed(0);
      const spent = ["nodeMs", "databaseMs"].map((what) => middle(count, what).toFixed(2));
      console.log(`| ${[name, count, perSecond.toFixed(0), ratio.toFixed(2), best, ...spent].join(" | ")} |`);
    }
  }
} finally {
  for (const node of nodes) node.stop();
  await postgres.stop();
}
process.exit(0);

/** Seconds and, of what the machine's processors did, milliseconds for each request: those hold also on a busy machine. */
async function together(count, path, options) {
  const used = nodes.slice(0, count);
  const nodePids = used.map(({ pid }) => pid);
  const before = { node: workedMs(nodePids), database: workedMs(serverPids()) };
  const each = used.map(({ url }) =>
    load(`${url}${path}`, { seconds: SECONDS, connections: CONNECTIONS, ...options }),
  );
  const perSecond = (await Promise.all(each)).reduce((sum, value) => sum + value, 0);
  // The load warms up for a second, at about the same rate.
  const requests = perSecond * (SECONDS + 1);
  return {
    perSecond,
    nodeMs: (workedMs(nodePids) - before.node) / requests,
    databaseMs: (workedMs(serverPids()) - before.database) / requests,
  };
}
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [, parent, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), ticks: Number(rest[9]) + Number(rest[10]) };
  } catch {
    return { parent: 0, ticks: 0 };
  }
}
function serverPids() {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && statOf(name).parent === postgres.pid);
}
function workedMs(pids) {
  return (pids.reduce((sum, pid) => sum + statOf(pid).ticks, 0) * 1000) / TICKS_A_SECOND;
}
