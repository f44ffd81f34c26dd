/**
 * Contributions: every filter and pairs of them, refinements, distances, and sending one. By processor time of one process that
 * asks itself, so that a busy machine tells the same; asking costs some of it. `npm run bench contributions 1000000` for a million, `postgres-contributions` for PostgreSQL
 * (whose own processes do not count: only what this one spends; the clock tells of both). A folder behind the number keeps what was filled in, to be asked again.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { Agent, request } from "undici";
import { openKernel } from "../../dist/app/index.js";
import { startMedley } from "../../dist/index.js";
import { defaultConfig } from "../../dist/kernel/config/index.js";
import { facetsOf } from "../../dist/services/contributions/domain/facets.js";
import { geohashOf, vectorOf } from "../../dist/services/contributions/domain/globe.js";
import { firstPlaceOf } from "../../dist/services/contributions/domain/order.js";
import { token } from "../load.mjs";

const ACCOUNT = "111111111111";
const ASSIGNMENTS = 50;
const USERS = 20_000;
const VOCABULARY = 30_000;
const PER_TRANSACTION = 5_000;
const PER_STATEMENT = 100;
const NOW_MS = 1_750_000_000_000;
const SPAN_MS = 2 * 365 * 86_400_000;
const COUNTRIES =
  "FR GB DE US JP BR IN NG ZA AU CA MX ES IT PL SE NO FI PT NL BE CH AT CZ GR TR EG KE AR CL".split(" ");
const SYLLABLES =
  "ba be bi bo ca co da de di do fa fi ga go ka ke la le li lo ma me mi mo na ne no pa pe po ra re".split(
    " ",
  );

const SEED = 20_250_602;
let seed = SEED;
function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}
const pick = (list) => list[Math.floor(random() * list.length)];
/** The first are the most frequent. */
const skewed = (count) => Math.floor(count * random() ** 3);
const words = Array.from({ length: VOCABULARY }, () =>
  Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(SYLLABLES)).join(""),
);
const headlineOf = () =>
  Array.from({ length: 3 + Math.floor(random() * 6) }, () => words[skewed(VOCABULARY)]).join(" ");
const cities = Array.from({ length: 400 }, () => ({
  latitude: Math.asin(random() * 2 - 1) * (180 / Math.PI) * 0.8,
  longitude: random() * 360 - 180,
  country: pick(COUNTRIES),
}));
const assignmentId = (at) => `asg_${String(at).padStart(20, "0")}`;
const userId = (at) => `usr_${String(at).padStart(20, "0")}`;

function placeOf() {
  if (random() < 0.5)
    return { latitude: null, longitude: null, geohash: null, x: null, y: null, z: null, country: null };
  const city = cities[skewed(cities.length)];
  const position = {
    latitude: Math.max(-90, Math.min(90, city.latitude + (random() - 0.5) * 0.5)),
    longitude: Math.max(-180, Math.min(180, city.longitude + (random() - 0.5) * 0.5)),
  };
  return { ...position, geohash: geohashOf(position, 10), ...vectorOf(position), country: city.country };
}
function rowOf(number, count) {
  const headline = headlineOf();
  const place = placeOf();
  const assignment = skewed(ASSIGNMENTS);
  const images = random() < 0.5 ? 1 : 0;
  const videos = random() < 0.1 ? 1 : 0;
  const user = userId(skewed(USERS));
  const isPublic = random() < 0.9;
  const owner = assignment % 2 === 0 ? ACCOUNT : userId(0);
  return {
    account: ACCOUNT,
    place: firstPlaceOf(NOW_MS - SPAN_MS + Math.floor((number / count) * SPAN_MS)) + (number % 4096),
    id: `c${String(number).padStart(22, "0")}`,
    assignment_id: assignmentId(assignment),
    user_id: user,
    owner_id: owner,
    headline,
    body: "",
    attribution: "",
    url_words: headline.replaceAll(" ", "-"),
    words: headline,
    facets: facetsOf({
      assignmentId: assignmentId(assignment),
      ownerId: owner,
      userId: user,
      country: place.country ?? undefined,
      geohash: place.geohash ?? undefined,
      images,
      videos,
      tagIds: [],
    }).join(" "),
    state: isPublic ? "approved" : "pending",
    is_public: isPublic ? 1 : 0,
    exact_latitude: place.latitude,
    exact_longitude: place.longitude,
    ...place,
    place_name: null,
    place_details: null,
    images,
    videos,
    likes: 0,
    flags: 0,
    form_response_id: null,
    external_ids: "{}",
    via: "{}",
    consented_at: null,
    deleted_at: null,
  };
}

let agent;
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
async function send(url, options = {}) {
  const { statusCode, body } = await request(url, { dispatcher: agent, headers, ...options });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${text}`);
  return text;
}
const cpuMs = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

async function fill({ data, database }, count) {
  const config = {
    ...defaultConfig,
    dataFolder: data,
    databaseUrl: database,
    services: ["contributions"],
    logLevel: "error",
  };
  const { kernel } = await openKernel(config);
  await kernel.database.transact(async (db) => {
    const [pattern] = await db.selectFrom("contributions_assignment").selectAll().execute();
    for (let at = 0; at < ASSIGNMENTS; at += 1)
      await db
        .insertInto("contributions_assignment")
        .values({ ...pattern, id: assignmentId(at), url_words: `assignment-${at}`, name: `Assignment ${at}` })
        .execute();
  });
  for (let first = 0; first < count; first += PER_TRANSACTION) {
    await kernel.database.transact(async (db) => {
      for (let number = first; number < Math.min(count, first + PER_TRANSACTION); number += PER_STATEMENT) {
        const rows = Array.from({ length: PER_STATEMENT }, (_, at) => rowOf(number + at, count));
        await db.insertInto("contributions_contribution").values(rows).execute();
      }
    });
    if (first % 100_000 === 0) process.stderr.write(`${first} contributions\n`);
  }
  if (database !== undefined) await sql`analyze`.execute(kernel.database.read);
  await kernel.stop();
}

const instantOf = (share) => new Date(NOW_MS - SPAN_MS * share).toISOString();
const FILTERS = {
  assignment: () => `assignment=${assignmentId(skewed(ASSIGNMENTS))}`,
  country: () => `country=${pick(COUNTRIES)}`,
  createdBefore: () => `createdBefore=${instantOf(random())}`,
  createdAfter: () => `createdAfter=${instantOf(random())}`,
  createdDay: () => `createdDay=${instantOf(random()).slice(0, 10)}`,
  createdMonth: () => `createdMonth=${instantOf(random()).slice(0, 7)}`,
  geohash: () => `geohash=${geohashOf(pick(cities), 1 + Math.floor(random() * 6))}`,
  hasLocation: () => `hasLocation=${random() < 0.5}`,
  latLong: () => circleOf(),
  mediaType: () => `mediaType=${random() < 0.5 ? "image" : "video"}`,
  ownedBy: () => `ownedBy=${random() < 0.5 ? ACCOUNT : userId(0)}`,
  q: () => `q=${words[skewed(VOCABULARY)]}%20${words[skewed(VOCABULARY)].slice(0, 3)}`,
  user: () => `user=${userId(skewed(USERS))}`,
};
function circleOf() {
  const { latitude, longitude } = pick(cities);
  return `latLong=${latitude.toFixed(4)},${longitude.toFixed(4)}&radius=${Math.round(2 * 500 ** random())}`;
}
const names = Object.keys(FILTERS);
function* pairs() {
  for (const [at, name] of names.entries())
    for (const other of names.slice(at + 1)) yield `${FILTERS[name]()}&${FILTERS[other]()}`;
}
const inMs = (value) => `${value.toFixed(1)} ms`;
const repeated = (times, make) => Array.from({ length: times }, make);

const SLOWEST_TOLD = 20;
/** By processor time, and by the clock. The slowest are told as well. */
async function measure(base, requests) {
  for (const path of requests.slice(0, 10)) await send(base + path);
  const spent = [];
  for (const path of requests) {
    const before = process.cpuUsage();
    const begunMs = performance.now();
    await send(base + path);
    spent.push({ path, ms: cpuMs(before), clockMs: performance.now() - begunMs });
  }
  const sorted = (name) => spent.toSorted((one, other) => one[name] - other[name]);
  for (const { path, ms, clockMs } of sorted("clockMs").slice(-SLOWEST_TOLD))
    process.stderr.write(`${inMs(ms)}, ${inMs(clockMs)} by the clock: ${path}\n`);
  const share = (part, name = "ms") => sorted(name)[Math.floor((spent.length - 1) * part)][name];
  return { p50: share(0.5), p95: share(0.95), worst: share(1), clockP95: share(0.95, "clockMs") };
}

const NEW = (assignment) => JSON.stringify({ assignment: { id: assignment }, headline: headlineOf() });
const AT_ONCE = 64;
const PER_ROUND = 640;
const ROUNDS = 30;
/** Against a raw server that takes the same body and answers the same bytes, many at once, in turns; of each the lower tenth of the rounds. */
async function createRatio(base, assignment) {
  const bytes = Buffer.from(await send(`${base}/contributions`, { method: "POST", body: NEW(assignment) }));
  const raw = createServer((asked, response) => {
    asked.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
      response.end(bytes);
    });
  });
  await new Promise((resolve) => raw.listen(0, "127.0.0.1", resolve));
  const many = async (url, count) => {
    let left = count;
    const caller = async () => {
      while (left-- > 0) await send(url, { method: "POST", body: NEW(assignment) });
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
  };
  const spent = { raw: [], ours: [] };
  for (let round = -3; round < ROUNDS; round += 1)
    for (const [name, url] of [
      ["raw", `http://127.0.0.1:${raw.address().port}/`],
      ["ours", `${base}/contributions`],
    ]) {
      const before = process.cpuUsage();
      await many(url, PER_ROUND);
      if (round >= 0) spent[name].push(cpuMs(before) / PER_ROUND);
    }
  raw.close();
  const low = (values) => values.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 10)];
  return low(spent.raw) / low(spent.ours);
}

async function withProduct({ data, database }, work) {
  const credentialsFile = new URL("../../tests/support/credentials.json", import.meta.url).pathname;
  const medley = await startMedley({
    data,
    ...(database !== undefined && { database }),
    credentialsFile,
    services: ["identity", "contributions"],
    logLevel: "error",
  });
  try {
    return await work(`${medley.url}/contributions/1`);
  } finally {
    await medley.stop();
  }
}

/** From the first question on, all columns are in memory. */
async function readAll(base) {
  const before = process.cpuUsage();
  await send(`${base}/contribution-refinements`);
  return cpuMs(before);
}
async function measureAll(base) {
  seed = SEED;
  const first = await readAll(base);
  const list = (query) => `/contributions?${query}`;
  const single = names.flatMap((name) => repeated(12, () => list(FILTERS[name]())));
  const filtered = await measure(base, [
    list(""),
    ...single,
    ...[...pairs()].map(list),
    ...[...pairs()].map(list),
  ]);
  const circles = await measure(
    base,
    repeated(150, () => list(circleOf())),
  );
  const refined = await measure(
    base,
    ["", ...names.map((name) => FILTERS[name]())]
      .filter((query) => !/createdDay|createdMonth/.test(query))
      .map((query) => `/contribution-refinements?${query}`),
  );
  const ratio = await createRatio(base, assignmentId(0));
  return { first, filtered, circles, refined, ratio };
}

const atMost = (line, measured, limit) => ({ line, value: inMs(measured), measured, atMost: limit });
function rowsOf({ first, filtered, circles, refined, ratio }, among) {
  return [
    { line: `contributions: the first count ${among} after a start`, value: inMs(first) },
    { line: `contributions: a page by one or two filters ${among}, middle`, value: inMs(filtered.p50) },
    atMost("contributions: the same, 95 of 100", filtered.p95, 25),
    { line: "contributions: the same by the clock, 95 of 100", value: inMs(filtered.clockP95) },
    { line: "contributions: the same, slowest", value: inMs(filtered.worst) },
    atMost(`contributions: around a point ${among}, 95 of 100`, circles.p95, 30),
    { line: "contributions: the same by the clock, 95 of 100", value: inMs(circles.clockP95) },
    { line: `contributions: all refinements under a filter ${among}, middle`, value: inMs(refined.p50) },
    atMost("contributions: the same, 95 of 100", refined.p95, 150),
    { line: "contributions: the same by the clock, 95 of 100", value: inMs(refined.clockP95) },
    {
      line: "contributions: sending one to a raw POST, 64 at once, with asking",
      value: "",
      ratio,
      target: 0.4,
    },
  ];
}
async function fillOnce(kept, count) {
  const filled = join(kept.data, "filled");
  if (existsSync(filled)) return;
  await withProduct(kept, (base) =>
    send(`${base}/assignments`, { method: "POST", body: '{"name":"Pattern","moderation":"after"}' }),
  );
  await fill(kept, count);
  mkdirSync(filled);
}

/** `database`: of PostgreSQL; without it, SQLite. `folder`: kept; without it, what is measured lies in one that is removed. */
export async function contributionLines(count, { folder, database }) {
  const data = folder ? join(folder, "medley") : mkdtempSync(join(tmpdir(), "medley-contributions-"));
  const kept = { data, database };
  agent = new Agent({ connections: AT_ONCE });
  try {
    await fillOnce(kept, count);
    const measured = await withProduct(kept, measureAll);
    const rows = rowsOf(measured, `among ${count}${database === undefined ? "" : " on PostgreSQL"}`);
    if (database !== undefined) return rows;
    const megabytes = Math.round(statSync(join(data, "medley.db")).size / 1e6);
    return [
      ...rows,
      { line: `contributions: database of ${count} with its index`, value: `${megabytes} MB` },
    ];
  } finally {
    await agent.close();
    if (!folder) rmSync(data, { recursive: true, force: true });
  }
}
