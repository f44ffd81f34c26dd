/**
 * `node bench/scale.mjs [few] [many] [--only payments,episodes]`: pages, point reads and creates on PostgreSQL with few
 * and with very many rows (bench/scale-parts.mjs). Rows are made by SQL, as copies of one that the product made. The
 * buffers that PostgreSQL touches for a request do not depend on what else the machine does.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startServer } from "./load.mjs";
import { startPostgres } from "./postgres.mjs";
import { ask } from "./requests.mjs";
import { summaryOf } from "./rounds.mjs";
import { parts } from "./scale-parts.mjs";

const { values: given, positionals } = parseArgs({
  options: { only: { type: "string" } },
  allowPositionals: true,
});
const [FEW = "100000", MANY = "10000000"] = positionals;
const COUNTS = [Number(FEW), Number(MANY)];
const NAMES = given.only?.split(",") ?? Object.keys(parts);
const chosen = NAMES.map((name) => parts[name]);
const STEP = 1_000_000;
const ASKED = 200;
const WARM_UP = 50;
const TICK_MS = 10;

async function copyRows(client, table, { changed, pattern }, from, to) {
  const { rows } = await client.query(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position",
    [table],
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? `p.${name}`);
  await client.query(
    `INSERT INTO ${table} (${names.join(", ")})
     SELECT ${values.join(", ")} FROM (${pattern}) p, generate_series(${from}::bigint, ${to - 1}::bigint) n`,
  );
}
/** Makes many rows in less time: indexes are made afterwards, and nothing waits for the disk. */
const HASTY = { fsync: "off", full_page_writes: "off", max_wal_size: "'16GB'", checkpoint_timeout: "'1h'" };
async function inHaste(client, work) {
  for (const [name, value] of Object.entries(HASTY))
    await client.query(`ALTER SYSTEM SET ${name} = ${value}`);
  await client.query("SELECT pg_reload_conf()");
  const tables = chosen.flatMap((part) => [...Object.keys(part.tables), ...(part.also ?? [])]);
  const { rows: indexes } = await client.query(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = ANY($1) AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
    [tables],
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await work();
  for (const { name, definition } of indexes) {
    await client.query(definition);
    process.stderr.write(`${name}\n`);
  }
  await client.query("ALTER SYSTEM RESET ALL");
  await client.query("SELECT pg_reload_conf()");
  await client.query("VACUUM ANALYZE");
  await client.query("CHECKPOINT");
}
/** Triggers do not run; `filled` of a part does their work for all rows. */
async function fillFrom(client, from, to) {
  await client.query("SET session_replication_role = replica");
  for (let first = from; first < to; first += STEP) {
    const last = Math.min(to, first + STEP);
    for (const { tables } of chosen)
      for (const [table, how] of Object.entries(tables)) {
        const { every = 1 } = how;
        await copyRows(client, table, how, first / every, last / every);
      }
    process.stderr.write(`${last} rows each\n`);
  }
  for (const { filled = [] } of chosen) for (const statement of filled) await client.query(statement);
  await client.query("SET session_replication_role = origin");
}

const fieldsOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1].split(" ");
  } catch {
    // It has ended meanwhile.
    return [];
  }
};
/** Milliseconds of processors that these processes have had. */
const workedMs = (pids) =>
  pids.reduce((sum, pid) => {
    const fields = fieldsOf(pid);
    return sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
  }, 0);
const isClientBackend = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith("postgres: medley");
  } catch {
    return false;
  }
};
/** Processes of PostgreSQL that serve clients. Others clean up after the rows were made. */
const backendsOf = (parent) =>
  readdirSync("/proc").filter(
    (pid) => /^\d+$/.test(pid) && fieldsOf(pid)[1] === String(parent) && isClientBackend(pid),
  );

const STATEMENTS_SHOWN = 3;
/** Buffers of one request, and the statements that touch most of them. Jobs run beside the requests. */
async function buffersOf(client) {
  const { rows } = await client.query(
    `SELECT (shared_blks_hit + shared_blks_read)::bigint AS touched, calls::bigint, query FROM pg_stat_statements
     WHERE query NOT LIKE '%pg_stat_statements%' ORDER BY touched DESC`,
  );
  const all = rows.reduce((sum, { touched }) => sum + Number(touched), 0);
  const most = rows.slice(0, STATEMENTS_SHOWN).map(({ touched, calls, query }) => {
    const each = `${(touched / calls).toFixed(1)} a call, ${calls} calls`;
    return `  ${each}: ${query.replaceAll(/\s+/g, " ").slice(0, 200)}\n`;
  });
  return { touched: (all / ASKED).toFixed(0), most: most.join("") };
}

/** Jobs that are due after a start, such as scores of all podcasts, would count as work of the first requests. */
async function untilQuiet(client) {
  for (let quiet = 0; quiet < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { rows } = await client.query(
      "SELECT 1 FROM medley_job WHERE state = 'running' OR (state = 'waiting' AND run_at <= $1) LIMIT 1",
      [Date.now()],
    );
    quiet = rows.length === 0 ? quiet + 1 : 0;
  }
}

async function measure(postgres, client, count, prepared) {
  const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
  const product = await startServer("product", { data, database: postgres.url, logLevel: "silent" });
  try {
    await untilQuiet(client);
    const lines = chosen.flatMap((part, at) =>
      Object.entries(part.lines(count, prepared[at])).map(([name, make]) => [`${NAMES[at]}: ${name}`, make]),
    );
    for (const [name, make] of lines) {
      for (let at = 0; at < WARM_UP; at += 1) await ask(product, make());
      const pids = backendsOf(postgres.pid);
      await client.query("SELECT pg_stat_statements_reset()");
      const before = [workedMs([product.pid]), workedMs(pids)];
      const ms = [];
      for (let at = 0; at < ASKED; at += 1) {
        const begunMs = performance.now();
        await ask(product, make());
        ms.push(performance.now() - begunMs);
      }
      const spent = [workedMs([product.pid]) - before[0], workedMs(pids) - before[1]];
      const { middle, spread } = summaryOf(ms);
      const [node, database] = spent.map((value) => (value / ASKED).toFixed(2));
      const clock = `${middle.toFixed(1)} ± ${((middle * spread) / 2).toFixed(1)}`;
      const { touched, most } = await buffersOf(client);
      console.log(`| ${[name, count.toLocaleString("en"), node, database, touched, clock].join(" | ")} |`);
      process.stderr.write(`${name}\n${most}`);
    }
    const status = readFileSync(`/proc/${product.pid}/status`, "latin1");
    console.log(`memory of the node: ${(Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1024).toFixed(0)} MB`);
  } finally {
    product.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function printPlans(client) {
  const planned = chosen.flatMap(({ plans = {} }) => Object.entries(plans));
  for (const [name, text] of planned) {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) ${text}`);
    console.log(`\n${name}\n${rows.map((row) => row["QUERY PLAN"]).join("\n")}`);
  }
  const { rows } = await client.query("SELECT pg_size_pretty(pg_database_size(current_database())) AS size");
  console.log(`\nsize of the database: ${rows[0].size}\n`);
}

/** One of each kind, made by the product. */
async function makePatterns(postgres) {
  const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
  const product = await startServer("product", { data, database: postgres.url, logLevel: "silent" });
  const prepared = [];
  for (const part of chosen) prepared.push(await part.prepare(product));
  product.stop();
  rmSync(data, { recursive: true, force: true });
  return prepared;
}

const postgres = await startPostgres(undefined, ["shared_preload_libraries=pg_stat_statements"]);
const client = new pg.Client(postgres.url);
try {
  await client.connect();
  await client.query("SET maintenance_work_mem = '512MB'");
  await client.query("CREATE EXTENSION pg_stat_statements");
  const prepared = await makePatterns(postgres);
  for (const { fixed = {} } of chosen)
    for (const [table, how] of Object.entries(fixed)) await copyRows(client, table, how, 0, how.count);
  console.log("| line | rows | node, ms | database, ms | buffers | clock, ms |\n|---|---|---|---|---|---|");
  let there = 0;
  for (const count of COUNTS) {
    await inHaste(client, () => fillFrom(client, there, count));
    await measure(postgres, client, count, prepared);
    await printPlans(client);
    there = count;
  }
} finally {
  await client.end();
  await postgres.stop();
}
process.exit(0);
