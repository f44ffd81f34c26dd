/**
 * Podcasts: reading feeds, searching, completing, and point lookups. By processor time of one process that asks itself, so that
 * a busy machine tells the same; asking costs some of it. `npm run bench podcasts 1000000` for a million episodes: the first of
 * them come in as feeds, which is what is measured of reading, the others are put straight into the tables and the index.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { openKernel } from "../../dist/app/index.js";
import { startMedley } from "../../dist/index.js";
import { defaultConfig } from "../../dist/kernel/config/index.js";
import { putEpisodes } from "../../dist/services/podcasts/store/episodes.js";
import { indexListing, learnPodcast } from "../../dist/services/podcasts/store/search-index.js";
import { apiKey } from "../load.mjs";

const EPISODES_PER_PODCAST = 100;
const SMALL = 10_000;
/** Episodes that come in as feeds; the first of them teach the stemmers, and are not counted. */
const READ = 20_000;
const FEEDS_AT_ONCE = 8;
const PODCASTS_PER_TRANSACTION = 20;
const PATTERNS = 50;
const SEARCHES = 400;
const BEGINNINGS = 300;
const LOOKUPS = 2_000;
const VOCABULARY = 60_000;
const NOW_SECONDS = 1_750_000_000;
const SPAN_SECONDS = 10 * 365 * 86_400;
const COMMON =
  "the of and to in a is that for it with on as this by from or have an they which one you were all we when your can said there use each how their will up other about out many then them these so some would make like him into time has look two more write see number no way could people my than first been call who its now find long down day did get come made may part".split(
    " ",
  );
const SYLLABLES =
  "ba be bi bo ca co da de di do fa fi ga go ka ke la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve vi za".split(
    " ",
  );
const LANGUAGES = ["en-us", "en-us", "en-gb", "en-us", "en-au", "en-us", "de", "fr", "es", "en-ca"];
const CATEGORIES = ["Science", "Business", "Comedy", "News", "History", "Music", "Sports", "Technology"];

/** The same numbers in every run. */
let seed = 20_250_601;
function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}
const pick = (list) => list[Math.floor(random() * list.length)];

/** As frequent as words are: the next rank is a little rarer. */
const words = [...COMMON];
while (words.length < VOCABULARY)
  words.push(Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(SYLLABLES)).join(""));
const sums = new Float64Array(VOCABULARY);
words.reduce((sum, _, rank) => {
  sums[rank] = sum + 1 / (rank + 2.7);
  return sums[rank];
}, 0);
function rank() {
  const at = random() * sums[VOCABULARY - 1];
  let low = 0;
  let high = VOCABULARY - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle] < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
const sentence = (count) => Array.from({ length: count }, () => words[rank()]).join(" ");

const makeEpisode = () => ({
  title: sentence(4 + Math.floor(random() * 6)),
  description: sentence(25 + Math.floor(random() * 30)),
  pubDateMs: (NOW_SECONDS - Math.floor(random() * SPAN_SECONDS)) * 1000,
  seconds: 60 + Math.floor(random() * 7000),
});
const makePodcast = () => ({
  title: sentence(3),
  description: sentence(30),
  publisher: sentence(2),
  episodes: Array.from({ length: EPISODES_PER_PODCAST }, makeEpisode),
});

function feedOf(number) {
  const { title, description, publisher, episodes } = makePodcast();
  const items = episodes.map(
    (one, at) =>
      `<item><title>${one.title}</title><description>${one.description}</description><guid isPermaLink="false">${number}-${at}</guid><pubDate>${new Date(one.pubDateMs).toUTCString()}</pubDate><enclosure url="https://audio.example.org/${number}/${at}.mp3" length="1" type="audio/mpeg"/><itunes:duration>${one.seconds}</itunes:duration></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>${title}</title><link>https://show${number}.example.org/</link><description>${description}</description><language>${pick(LANGUAGES)}</language><itunes:author>${publisher}</itunes:author><itunes:category text="${pick(CATEGORIES)}"/>${items.join("")}</channel></rss>`;
}

const agent = new Agent({ connections: 4 });
const headers = { "x-vendor-api-key": apiKey };
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

/** Milliseconds that reading the feeds of so many podcasts took, some at a time as the queue does. */
async function readFeeds(base, from, to) {
  const bodies = Array.from({ length: to - from }, (_, at) => feedOf(from + at));
  const before = process.cpuUsage();
  const startMs = performance.now();
  let next = 0;
  const reader = async () => {
    while (next < bodies.length) {
      const at = next;
      next += 1;
      await send(`${base}/feeds?name=${from + at}.xml`, { method: "POST", body: bodies[at] });
    }
  };
  await Promise.all(Array.from({ length: FEEDS_AT_ONCE }, reader));
  return { processorMs: cpuMs(before), clockMs: performance.now() - startMs };
}

const idOf = (kind, number) => `${kind}${String(number).padStart(31, "0")}`;
/** Like podcasts that were read, with other words. */
async function putPodcasts(data, from, to) {
  const { kernel } = await openKernel({
    ...defaultConfig,
    dataFolder: data,
    services: ["podcasts"],
    logLevel: "error",
  });
  const { read } = kernel.database;
  const shows = await read.selectFrom("podcasts_podcast").selectAll().limit(PATTERNS).execute();
  const pattern = await read.selectFrom("podcasts_episode").selectAll().executeTakeFirst();
  const { account } = pattern;
  for (let first = from; first < to; first += PODCASTS_PER_TRANSACTION)
    await kernel.database.transact(async (db) => {
      for (let number = first; number < Math.min(to, first + PODCASTS_PER_TRANSACTION); number += 1) {
        const { title, description, publisher, episodes } = makePodcast();
        const latest = Math.max(...episodes.map(({ pubDateMs }) => pubDateMs));
        const podcast = {
          ...pick(shows),
          id: idOf("p", number),
          title,
          description,
          publisher,
          latest_pub_date_ms: latest,
        };
        const rows = episodes.map((one, at) => ({
          ...pattern,
          id: idOf("e", number * EPISODES_PER_PODCAST + at),
          podcast_id: podcast.id,
          guid: `${number}-${at}`,
          title: one.title,
          description: one.description,
          pub_date_ms: one.pubDateMs,
          audio_length_sec: one.seconds,
        }));
        await db.insertInto("podcasts_podcast").values(podcast).execute();
        await learnPodcast(db, account, podcast);
        const replaced = await putEpisodes(db, account, rows);
        const others = { hasEarlier: false, hasOutdated: false };
        await indexListing(db, account, podcast, { episodes: rows, replaced, ...others });
      }
      if (first % 500 === 0) process.stderr.write(`${first * EPISODES_PER_PODCAST} episodes\n`);
    });
  await kernel.stop();
}

/** Words that people search for: neither the most frequent nor the rarest. */
const searched = () => words[Math.floor(80 * 60 ** random())];
const FILTERS = [
  () => "",
  () => "",
  () => "",
  () => "&sort_by_date=1",
  () => "&language=English",
  () => "&len_min=10&len_max=45",
  () => "&genre_ids=107,93",
  () => `&published_after=${(NOW_SECONDS - SPAN_SECONDS / 4) * 1000}`,
  () => "&safe_mode=1&region=us",
  () => "&only_in=title",
  () => "&unique_podcasts=1",
  () => "&episode_count_min=50&update_freq_max=2000",
  () => "&type=podcast",
  () => "&offset=100",
];
function searchOf(at) {
  const count = 1 + (at % 3);
  const query = Array.from({ length: count }, searched).join(" ");
  return `/search?q=${encodeURIComponent(at % 11 === 0 ? `"${sentence(2)}"` : query)}${FILTERS[at % FILTERS.length]()}`;
}
const beginningOf = () => {
  const word = searched();
  return `/typeahead?show_podcasts=1&show_genres=1&q=${word.slice(0, 1 + Math.floor(random() * word.length))}`;
};

async function measure(base, requests) {
  for (const path of requests.slice(0, 20)) await send(base + path);
  const spent = [];
  for (const path of requests) {
    const before = process.cpuUsage();
    await send(base + path);
    spent.push(cpuMs(before));
  }
  spent.sort((one, other) => one - other);
  const share = (part) => spent[Math.floor((spent.length - 1) * part)];
  return {
    mean: spent.reduce((sum, one) => sum + one, 0) / spent.length,
    p50: share(0.5),
    p95: share(0.95),
    p99: share(0.99),
  };
}
const searchesOf = (count) => Array.from({ length: count }, (_, at) => searchOf(at));

/** The same bytes from a raw server in the same process, in turns. */
async function lookupRatio(base) {
  const { results } = JSON.parse(await send(`${base}/search?q=${searched()}&page_size=50`));
  const paths = results.map(({ id }) => `/episodes/${id}`);
  const bytes = Buffer.from(await send(base + paths[0]));
  const raw = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
    response.end(bytes);
  });
  await new Promise((resolve) => raw.listen(0, "127.0.0.1", resolve));
  const rawBase = `http://127.0.0.1:${raw.address().port}`;
  const spent = { raw: 0, ours: 0 };
  for (let turn = -200; turn < LOOKUPS; turn += 1) {
    const path = paths[Math.abs(turn) % paths.length];
    for (const [name, url] of [
      ["raw", rawBase + path],
      ["ours", base + path],
    ]) {
      const before = process.cpuUsage();
      await send(url);
      if (turn >= 0) spent[name] += cpuMs(before);
    }
  }
  raw.close();
  return { ratio: spent.raw / spent.ours, ours: spent.ours / LOOKUPS };
}

async function withProduct(data, work) {
  const credentialsFile = new URL("../../tests/support/credentials.json", import.meta.url).pathname;
  const medley = await startMedley({ data, credentialsFile, services: ["podcasts"], logLevel: "error" });
  try {
    return await work(`${medley.url}/podcasts/api/v2`, medley.clock);
  } finally {
    await medley.stop();
  }
}

async function readAndSearch(base, clock) {
  await readFeeds(base, 0, SMALL / EPISODES_PER_PODCAST);
  await clock.advance("1m");
  const small = await measure(base, searchesOf(SEARCHES));
  const spent = await readFeeds(base, SMALL / EPISODES_PER_PODCAST, READ / EPISODES_PER_PODCAST);
  const perSecond = (ms) => ((READ - SMALL) * 1000) / ms;
  return { small, byProcessor: perSecond(spent.processorMs), byClock: perSecond(spent.clockMs) };
}
async function searchAll(base, clock) {
  await clock.advance("1m");
  const large = await measure(base, searchesOf(SEARCHES));
  const typed = await measure(base, Array.from({ length: BEGINNINGS }, beginningOf));
  return { large, typed, lookup: await lookupRatio(base) };
}

const inMs = (value) => `${value.toFixed(1)} ms`;
export async function podcastLines(episodes = READ) {
  const data = mkdtempSync(join(tmpdir(), "medley-podcasts-"));
  try {
    const { small, byProcessor, byClock } = await withProduct(data, readAndSearch);
    if (episodes > READ)
      await putPodcasts(data, READ / EPISODES_PER_PODCAST, episodes / EPISODES_PER_PODCAST);
    const { large, typed, lookup } = await withProduct(data, searchAll);
    const size = statSync(join(data, "medley.db")).size / 1e6;
    const among = `among ${episodes} episodes`;
    return [
      {
        line: "podcasts: episodes read from feeds and indexed in a second, by the clock and of processor time",
        value: `${Math.round(byClock)}, ${Math.round(byProcessor)}`,
        measured: byClock,
        atLeast: 3_000,
      },
      {
        line: `podcasts: search ${among} with filters, middle`,
        value: inMs(large.p50),
        measured: large.p50,
        atMost: 15,
      },
      {
        line: `podcasts: search ${among} with filters, 95 of 100`,
        value: inMs(large.p95),
        measured: large.p95,
        atMost: 60,
      },
      { line: `podcasts: search ${among} with filters, 99 of 100`, value: inMs(large.p99) },
      {
        line: `podcasts: search ${among} / ${SMALL}, on the average`,
        value: `${inMs(large.mean)} / ${inMs(small.mean)}`,
        measured: large.mean / small.mean,
        atMost: 5,
      },
      {
        line: `podcasts: typeahead ${among}, 95 of 100`,
        value: inMs(typed.p95),
        measured: typed.p95,
        atMost: 10,
      },
      {
        line: "podcasts: lookup of an episode to a raw answer, with asking",
        value: inMs(lookup.ours),
        ratio: lookup.ratio,
        target: 0.45,
      },
      { line: `podcasts: database of ${episodes} episodes with its index`, value: `${Math.round(size)} MB` },
    ];
  } finally {
    await agent.close();
    rmSync(data, { recursive: true, force: true });
  }
}
