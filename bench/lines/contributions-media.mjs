/**
 * Pictures and exports of the contribution service, over HTTP on an embedded database: a picture of 10 MB until all of its
 * artifacts are there, four of them at once, and an archive of many contributions with media.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { token } from "../load.mjs";

const PICTURE_BYTES = 10_000_000;
const WIDTH = 5000;
const HEIGHT = 3500;
const FILM_BYTES = 10_000_000;
const AT_ONCE = 16;
const SAMPLE_MS = 20;
const ROUNDS = 3;

const middleOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Newsroom {
  #base;
  constructor(url) {
    this.#base = `${url}/contributions/1`;
  }
  async ask(method, path, body) {
    const raw = body instanceof Uint8Array;
    const answer = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && !raw && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
  contribute(assignment, headline, media) {
    return this.ask("POST", "/contributions", {
      assignment: { id: assignment },
      headline,
      body: "The water is still rising. ".repeat(20),
      ...(media !== undefined && { mediaUsages: [{ media: { id: media } }] }),
    });
  }
  /** Seconds from the first byte until every artifact is there. */
  async secondsUntilReady(assignment, picture) {
    const begun = performance.now();
    const { id } = await this.ask("POST", "/media", picture);
    const contribution = await this.contribute(assignment, "A picture", id);
    for (;;) {
      const { mediaUsages } = await this.ask("GET", `/contributions/${contribution.id}`);
      if (mediaUsages[0].media.state === "ready") return (performance.now() - begun) / 1000;
      await sleep(SAMPLE_MS);
    }
  }
}

/** As a camera's: about 10 MB of 17 million pixels. */
async function photograph() {
  const noise = {
    create: { width: WIDTH, height: HEIGHT, channels: 3, noise: { type: "gaussian", mean: 128, sigma: 22 } },
  };
  for (let quality = 95; ; quality -= 3) {
    const bytes = await sharp(noise).jpeg({ quality }).toBuffer();
    if (bytes.length <= PICTURE_BYTES * 1.1) return bytes;
  }
}
function film(bytes) {
  const box = (type, ...content) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(content.reduce((sum, { length }) => sum + length, 8));
    head.write(type, 4, "latin1");
    return Buffer.concat([head, ...content]);
  };
  const clock = Buffer.alloc(100);
  clock.writeUInt32BE(1000, 12);
  clock.writeUInt32BE(2000, 16);
  const track = Buffer.alloc(84);
  track.writeUInt32BE(0x10000, 40);
  track.writeUInt32BE(640 << 16, 76);
  track.writeUInt32BE(360 << 16, 80);
  return Buffer.concat([
    box("ftyp", Buffer.from("isom\0\0\0\0isom")),
    box("moov", box("mvhd", clock), box("trak", box("tkhd", track))),
    box("mdat", randomBytes(bytes)),
  ]);
}

const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
/** Of the server while it works: its largest memory. */
async function watched(pid, work) {
  let peakMb = residentMb(pid);
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pid));
  }, SAMPLE_MS);
  try {
    return { value: await work(), peakMb };
  } finally {
    clearInterval(timer);
  }
}

async function pictureLines(newsroom, product) {
  const { id: assignment } = await newsroom.ask("POST", "/assignments", {
    name: "Pictures",
    moderation: "after",
  });
  const picture = await photograph();
  const megabytes = (picture.length / 1e6).toFixed(1);
  await newsroom.secondsUntilReady(assignment, picture);
  const alone = [];
  for (let round = 0; round < ROUNDS; round += 1)
    alone.push(await newsroom.secondsUntilReady(assignment, picture));
  const best = Math.min(...alone);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await product.mainThread();
    const seconds = await Promise.all(
      [1, 2, 3, 4].map(() => newsroom.secondsUntilReady(assignment, picture)),
    );
    const { longestTurnMs, mostWorkMs, allThreadsMs } = await product.mainThread();
    const processorSeconds = (allThreadsMs - before.allThreadsMs) / 1000 / seconds.length;
    rounds.push({ together: Math.max(...seconds), longestTurnMs, mostWorkMs, processorSeconds });
  }
  const middle = (name) => middleOf(rounds.map((round) => round[name]));
  const [turnMs, mostWorkMs, processorSeconds] = ["longestTurnMs", "mostWorkMs", "processorSeconds"].map(
    middle,
  );
  return [
    {
      line: `contributions: a picture of ${megabytes} MB until its artifacts are there`,
      value: `${best.toFixed(2)} s`,
      measured: best,
      atMost: 1.5,
    },
    {
      line: "contributions: processor time of one of four, all threads together",
      value: `${processorSeconds.toFixed(2)} s`,
    },
    { line: "contributions: four of them at once", value: `${middle("together").toFixed(2)} s` },
    {
      line: `contributions: longest turn of the main thread meanwhile, middle of ${ROUNDS} rounds`,
      value: `${turnMs.toFixed(0)} ms (${rounds.map(({ longestTurnMs }) => longestTurnMs.toFixed(0)).join(", ")})`,
      measured: turnMs,
      atMost: 20,
    },
    {
      line: "contributions: the most work in one turn of it, without waiting for the disk",
      value: `${mostWorkMs.toFixed(0)} ms`,
      measured: mostWorkMs,
      atMost: 20,
    },
  ];
}

async function exportLines(newsroom, product, contributions, megabytes) {
  const { id: assignment } = await newsroom.ask("POST", "/assignments", {
    name: "Archive",
    moderation: "after",
  });
  const films = Math.ceil((megabytes * 1e6) / FILM_BYTES);
  for (let i = 0; i < films; i += 1) {
    const { id } = await newsroom.ask("POST", "/media", film(FILM_BYTES));
    await newsroom.contribute(assignment, `Film ${i}`, id);
  }
  for (let i = films; i < contributions; i += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, contributions - i) }, (_, k) =>
        newsroom.contribute(assignment, `Street ${i + k}`),
      ),
    );
  const { totalMediaSize } = await newsroom.ask("POST", `/export-summary?assignment=${assignment}`);
  const beforeMb = residentMb(product.pid);
  const before = await product.mainThread();
  const begun = performance.now();
  const { value, peakMb } = await watched(product.pid, async () => {
    const { id } = await newsroom.ask("POST", `/export?assignment=${assignment}&individual=true&json=true`);
    for (;;) {
      const now = await newsroom.ask("GET", `/exports/${id}`);
      if (now.finished !== undefined) return now;
      await sleep(100);
    }
  });
  const seconds = (performance.now() - begun) / 1000;
  const runningSeconds = ((await product.mainThread()).runningMs - before.runningMs) / 1000;
  if (value.step !== "done") throw new Error(`the export ended as ${value.step}`);
  const rate = totalMediaSize / 1e6 / seconds;
  return [
    {
      line: `contributions: export of ${contributions} with ${Math.round(totalMediaSize / 1e6)} MB of media`,
      value: `${rate.toFixed(0)} MB/s`,
      measured: rate,
      atLeast: 50,
    },
    {
      line: "contributions: the same by the main thread's own time, without disk and others' work",
      value: `${(totalMediaSize / 1e6 / runningSeconds).toFixed(0)} MB/s`,
    },
    {
      line: "contributions: memory that the export added",
      value: `${(peakMb - beforeMb).toFixed(0)} MB of ${peakMb.toFixed(0)}`,
      measured: peakMb - beforeMb,
      atMost: 200,
    },
  ];
}

export async function contributionMediaLines({ product }, contributions, megabytes) {
  const newsroom = new Newsroom(product.url);
  return [
    ...(await pictureLines(newsroom, product)),
    ...(await exportLines(newsroom, product, contributions, megabytes)),
  ];
}
