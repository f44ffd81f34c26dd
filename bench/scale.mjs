/**
 * `node bench/scale.mjs [few] [many] [folder]`: pages, point reads and creates on PostgreSQL with few and with very many
 * rows, of contributions, detectors and groups. Rows are made by SQL, as copies of one that the product made. In a folder
 * that is given, they stay for the next run.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { bodyOf, Caller, makeModel } from "./lines/events.mjs";
import { startServer, token } from "./load.mjs";
import { startPostgres } from "./postgres.mjs";
import { ask, json, signed } from "./requests.mjs";
import { summaryOf } from "./rounds.mjs";

const COUNTS = [Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 10_000_000)];
const FOLDER = process.argv[4];
const STEP = 1_000_000;
const ASKED = 200;
const WARM_UP = 50;
const TICK_MS = 10;
const bearer = { authorization: `Bearer ${token}`, ...json };
const contributions = "/contributions/1/contributions";

/** 4096 places are a millisecond; one contribution comes every six seconds. */
const CONTRIBUTION = {
  place: "p.place - (20000000 - n) * 25165824",
  id: "'c' || lpad(n::text, 22, '0')",
  assignment_id: "'asg_' || lpad((n % 50)::text, 20, '0')",
  user_id: "'usr_' || lpad(((n * 7919) % 20000)::text, 20, '0')",
  headline: "'word' || (n * 31) % 30000 || ' word' || (n * 17) % 3000 || ' word' || n % 300",
  words: "'word' || (n * 31) % 30000 || ' word' || (n * 17) % 3000 || ' word' || n % 300",
  url_words: "'word-' || n",
};
const DETECTOR = { key: "'d' || lpad(n::text, 12, '0')", shard: "n % 16" };
/** An account may have 100,000 groups in a region. */
const GROUPS_HERE = 90_000;
const filling = {
  contributions_contribution: {
    changed: CONTRIBUTION,
    pattern: "SELECT * FROM contributions_contribution ORDER BY place DESC LIMIT 1",
  },
  events_instance: { changed: DETECTOR, pattern: "SELECT * FROM events_instance LIMIT 1" },
  resource_groups_group: {
    changed: {
      name: "'g' || lpad(n::text, 12, '0')",
      unique_id: "'u' || n",
      region: `CASE WHEN n < ${GROUPS_HERE} THEN p.region ELSE 'region-' || n / ${GROUPS_HERE} END`,
    },
    pattern: "SELECT * FROM resource_groups_group LIMIT 1",
  },
};

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
  const { rows: indexes } = await client.query(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename IN ('contributions_contribution', 'contributions_fts', 'events_instance', 'resource_groups_group')
     AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
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
/** What triggers would do for each row is done for all: the index of words, and the stamps of stretches of time. */
async function fillFrom(client, from, to) {
  await client.query("SET session_replication_role = replica");
  for (let first = from; first < to; first += STEP) {
    const last = Math.min(to, first + STEP);
    for (const [table, how] of Object.entries(filling)) await copyRows(client, table, how, first, last);
    process.stderr.write(`${last} rows each\n`);
  }
  await client.query(
    `INSERT INTO contributions_fts (place, words) SELECT place, contributions_fts_entry(account, words)
     FROM contributions_contribution ON CONFLICT DO NOTHING`,
  );
  await client.query(
    `INSERT INTO contributions_stamp SELECT DISTINCT account, kind, place / size, 0, 1 FROM contributions_contribution,
     (VALUES ('long', 1099511627776), ('short', 17179869184)) kinds (kind, size) ON CONFLICT DO NOTHING`,
  );
  await client.query("SET session_replication_role = origin");
}
const ASSIGNMENT = {
  changed: { id: "'asg_' || lpad(n::text, 20, '0')", url_words: "'assignment-' || n" },
  pattern: "SELECT * FROM contributions_assignment LIMIT 1",
};

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
const childrenOf = (parent) =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && fieldsOf(pid)[1] === String(parent));

/** A folder may hold rows of an earlier run. */
const BEGAN = Date.now().toString(36);
let made = 0;
const QUERY = {
  Type: "TAG_FILTERS_1_0",
  Query: JSON.stringify({
    ResourceTypeFilters: ["AWS::AllSupported"],
    TagFilters: [{ Key: "stage", Values: ["bench"] }],
  }),
};
const messageFor = (key) => {
  const payload = Buffer.from(JSON.stringify({ motorid: key, pressure: 31 })).toString("base64");
  made += 1;
  return JSON.stringify({ messages: [{ messageId: `new${made}`, inputName: "BenchInput", payload }] });
};
const linesOf = (count) => {
  const any = () => Math.floor(Math.random() * count);
  const id = () => `c${String(any()).padStart(22, "0")}`;
  const detector = () => `d${String(any()).padStart(12, "0")}`;
  const get = (path) => ({ path: `${contributions}${path}`, headers: bearer });
  const group = (path, body) =>
    signed("resource-groups", "POST", `/resource-groups${path}`, JSON.stringify(body));
  const events = (path) => signed("iotevents", "GET", `/events/detectors/bench${path}`);
  return {
    "contributions: first page": () => get(""),
    "contributions: page of an assignment": () =>
      get(`?assignment=asg_${String(any() % 50).padStart(20, "0")}`),
    "contributions: page of a user": () => get(`?user=usr_${String(any() % 20_000).padStart(20, "0")}`),
    "contributions: page of a rare word": () => get(`?q=word${(any() * 31) % 30_000}`),
    "contributions: point read": () => get(`/${id()}`),
    "contributions: create": () => ({
      method: "POST",
      path: contributions,
      headers: bearer,
      body: JSON.stringify({
        assignment: { id: `asg_${"0".repeat(20)}` },
        headline: `Rising water ${made++}`,
      }),
    }),
    "detectors: first page": () => events(""),
    "detectors: point read": () => events(`/keyValues/?keyValue=${detector()}`),
    "groups: first page": () => group("/groups-list", {}),
    "groups: point read": () =>
      group("/get-group", { GroupName: `g${String(any() % GROUPS_HERE).padStart(12, "0")}` }),
    "groups: create": () => group("/groups", { Name: `new-${BEGAN}-${made++}`, ResourceQuery: QUERY }),
    "detectors: create": () =>
      signed("iotevents", "POST", "/events/inputs/messages", messageFor(`n${BEGAN}${made}`)),
  };
};

async function measure(postgres, count) {
  const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
  const product = await startServer("product", { data, database: postgres.url, logLevel: "silent" });
  try {
    for (const [name, make] of Object.entries(linesOf(count))) {
      for (let at = 0; at < WARM_UP; at += 1) await ask(product, make());
      const pids = childrenOf(postgres.pid);
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
      console.log(`| ${[name, count.toLocaleString("en"), node, database, clock].join(" | ")} |`);
    }
    const status = readFileSync(`/proc/${product.pid}/status`, "latin1");
    console.log(`memory of the node: ${(Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1024).toFixed(0)} MB`);
  } finally {
    product.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

const OWN = "account = '111111111111'";
const PLANNED = {
  "page of a user": `SELECT * FROM contributions_contribution WHERE ${OWN} AND user_id = 'usr_00000000000000000007'
    ORDER BY place DESC LIMIT 11`,
  "page of a rare word": `SELECT c.* FROM contributions_fts f JOIN contributions_contribution c USING (place)
    WHERE f.words @@ '111111111111word31'::tsquery ORDER BY place DESC LIMIT 11`,
  "point read": "SELECT * FROM contributions_contribution WHERE id = 'c0000000000000000000007'",
};
async function printPlans(client) {
  for (const [name, text] of Object.entries(PLANNED)) {
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
  const post = (path, body) =>
    ask(product, { method: "POST", path, headers: bearer, body: JSON.stringify(body) });
  const { id } = await post("/contributions/1/assignments", { name: "Street life", moderation: "after" });
  await post(contributions, { assignment: { id }, headline: "The water is still rising" });
  const group = JSON.stringify({ Name: "pattern", ResourceQuery: QUERY });
  await ask(product, signed("resource-groups", "POST", "/resource-groups/groups", group));
  const caller = new Caller(product.url);
  await makeModel(caller);
  await ask(product, signed("iotevents", "POST", "/events/inputs/messages", bodyOf(1)));
  await caller.untilEvaluated();
  product.stop();
  rmSync(data, { recursive: true, force: true });
}

/** How many rows an earlier run has left in the folder. */
async function countRows(client) {
  const { rows } = await client.query("SELECT to_regclass('contributions_contribution') AS found");
  if (rows[0].found === null) return 0;
  const last = await client.query(
    "SELECT max(id) AS id FROM contributions_contribution WHERE id ~ '^c[0-9]{22}$'",
  );
  return last.rows[0].id === null ? 0 : Number(last.rows[0].id.slice(1)) + 1;
}

const postgres = await startPostgres(FOLDER);
const client = new pg.Client(postgres.url);
try {
  await client.connect();
  await client.query("SET maintenance_work_mem = '512MB'");
  let there = await countRows(client);
  if (there === 0) {
    await makePatterns(postgres);
    await copyRows(client, "contributions_assignment", ASSIGNMENT, 0, 50);
  }
  console.log("| line | rows | node, ms | database, ms | clock, ms |\n|---|---|---|---|---|");
  for (const count of COUNTS) {
    if (count < there) continue;
    if (count > there) await inHaste(client, () => fillFrom(client, there, count));
    await measure(postgres, count);
    await printPlans(client);
    there = count;
  }
} finally {
  await client.end();
  await postgres.stop();
}
process.exit(0);
