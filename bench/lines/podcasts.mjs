/**
 * Podcasts: reading feeds, searching, completing, and point lookups. By processor time of one process that asks itself, so that
 * a busy machine tells the same; asking costs some of it. `npm run bench podcasts 1000000` for a million episodes.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { startMedley } from "../../dist/index.js";
import { apiKey } from "../load.mjs";

const EPISODES_PER_PODCAST = 100;
const SMALL = 10_000;
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

function feedOf(number) {
  const items = Array.from({ length: EPISODES_PER_PODCAST }, (_, at) => {
    const seconds = NOW_SECONDS - Math.floor(random() * SPAN_SECONDS);
    return `<item><title>${sentence(4 + Math.floor(random() * 6))}</title><description>${sentence(25 + Math.floor(random() * 30))}</description><guid isPermaLink="false">${number}-${at}</guid><pubDate>${new Date(seconds * 1000).toUTCString()}</pubDate><enclosure url="https://audio.example.org/${number}/${at}.mp3" length="1" type="audio/mpeg"/><itunes:duration>${60 + Math.floor(random() * 7000)}</itunes:duration></item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>${sentence(3)}</title><link>https://show${number}.example.org/</link><description>${sentence(30)}</description><language>${pick(LANGUAGES)}</language><itunes:author>${sentence(2)}</itunes:author><itunes:category text="${pick(CATEGORIES)}"/>${items.join("")}</channel></rss>`;
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

/** Milliseconds of processor time that reading so many episodes took, one podcast's feed after the other. */
async function fill(base, from, to) {
  let spent = 0;
  for (let number = from; number < to; number += 1) {
    const body = feedOf(number);
    const before = process.cpuUsage();
    await send(`${base}/feeds?name=${number}.xml`, { method: "POST", body });
    spent += cpuMs(before);
    if (number % 500 === 499) process.stderr.write(`${(number + 1) * EPISODES_PER_PODCAST} episodes\n`);
  }
  return spent;
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

export async function podcastLines(episodes = 20_000) {
  const data = process.env.MEDLEY_BENCH_DATA ?? mkdtempSync(join(tmpdir(), "medley-podcasts-"));
  const credentialsFile = new URL("../../tests/support/credentials.json", import.meta.url).pathname;
  const medley = await startMedley({ data, credentialsFile, services: ["podcasts"], logLevel: "error" });
  const base = `${medley.url}/podcasts/api/v2`;
  try {
    const podcasts = episodes / EPISODES_PER_PODCAST;
    const few = SMALL / EPISODES_PER_PODCAST;
    let spent = await fill(base, 0, few);
    await medley.clock.advance("1m");
    const small = await measure(base, searchesOf(SEARCHES));
    spent += await fill(base, few, podcasts);
    await medley.clock.advance("1m");
    const large = await measure(base, searchesOf(SEARCHES));
    const typed = await measure(base, Array.from({ length: BEGINNINGS }, beginningOf));
    const lookup = await lookupRatio(base);
    const perSecond = (episodes * 1000) / spent;
    const ms = (value) => `${value.toFixed(1)} ms`;
    const size = statSync(join(data, "medley.db")).size / 1e6;
    return [
      {
        line: `podcasts: episodes read and indexed a second of processor time, ${episodes} in all`,
        value: `${Math.round(perSecond)}/s`,
        measured: perSecond,
        atLeast: 3_000,
      },
      {
        line: "podcasts: search with filters, middle",
        value: ms(large.p50),
        measured: large.p50,
        atMost: 15,
      },
      {
        line: "podcasts: search with filters, 95 of 100",
        value: ms(large.p95),
        measured: large.p95,
        atMost: 60,
      },
      { line: "podcasts: search, 99 of 100", value: ms(large.p99) },
      {
        line: `podcasts: search among ${episodes} / ${SMALL} episodes, on the average`,
        value: `${ms(large.mean)} / ${ms(small.mean)}`,
        measured: large.mean / small.mean,
        atMost: 5,
      },
      { line: "podcasts: typeahead, 95 of 100", value: ms(typed.p95), measured: typed.p95, atMost: 10 },
      {
        line: "podcasts: lookup of an episode to a raw answer, with asking",
        value: ms(lookup.ours),
        ratio: lookup.ratio,
        target: 0.45,
      },
      { line: "podcasts: database with its index", value: `${Math.round(size)} MB` },
    ];
  } finally {
    await medley.stop();
    await agent.close();
    if (process.env.MEDLEY_BENCH_DATA === undefined) rmSync(data, { recursive: true, force: true });
  }
}
