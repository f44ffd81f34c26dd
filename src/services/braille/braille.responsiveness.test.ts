/** Long texts keep a worker busy for a second and more; the main thread must hardly notice. */
import { existsSync, readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accounts, type Instance, startInstance } from "../../../tests/support/medley.ts";

const BLOCKED_MS_MAX = 20;
/** Of the processor's time that the whole process spends on a request: on a slow machine everything takes longer. */
const BLOCKED_SHARE_MAX = 1 / 50;
const ATTEMPTS = 8;
const SCHEDULER = `/proc/self/task/${process.pid}/schedstat`;

/** Time that the main thread has spent on a processor; where that is not to be had, time that has passed. */
const spentMs = existsSync(SCHEDULER)
  ? () => Number(readFileSync(SCHEDULER, "utf8").split(" ")[0]) / 1e6
  : () => performance.now();

type Turn = { readonly longestMs: number; readonly allowedMs: number };
/** The longest that the main thread has been at work between two turns of its event loop. */
async function longestTurnDuring(work: () => Promise<unknown>): Promise<Turn> {
  const before = process.cpuUsage();
  let longest = 0;
  let last = spentMs();
  const timer = setInterval(() => {
    const now = spentMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work();
  clearInterval(timer);
  const { user, system } = process.cpuUsage(before);
  const allowedMs = Math.max(BLOCKED_MS_MAX, ((user + system) / 1000) * BLOCKED_SHARE_MAX);
  return { longestMs: longest, allowedMs };
}

/** A client in a thread of its own, so that its work is not taken for the server's. */
const clientCode = `
  const { parentPort, workerData } = require("node:worker_threads");
  parentPort.on("message", async ({ path, text, post, accept }) => {
    const headers = { "x-vendor-api-secret": workerData.key, accept };
    const response = post
      ? await fetch(workerData.url + path, { method: "POST", headers, body: new URLSearchParams({ text }) })
      : await fetch(workerData.url + path + "?text=" + encodeURIComponent(text), { headers });
    parentPort.postMessage({ status: response.status, length: (await response.arrayBuffer()).byteLength });
  });`;

let instance: Instance;
let client: Worker;
type Call = { path: string; text: string; post?: boolean; accept?: string };
const call = (wanted: Call): Promise<{ status: number; length: number }> =>
  new Promise((resolve, reject) => {
    client.once("message", resolve).once("error", reject);
    client.postMessage({ accept: "application/json", ...wanted });
  });

beforeAll(async () => {
  // Checking every answer against its schema is for other tests: it would be the slowest part here.
  instance = await startInstance({ strictAnswers: false, recordFolder: undefined, services: ["braille"] });
  client = new Worker(clientCode, {
    eval: true,
    workerData: { url: `${instance.url}/braille/translate/braille`, key: accounts.first.apiKeys[0] },
  });
  await call({ path: "", text: "warm up" });
});
afterAll(async () => {
  await client.terminate();
  await instance.stop();
});

const english = "The quick brown fox jumps over the lazy dog, and 42 people said so. "
  .repeat(1500)
  .slice(0, 100_000);
const chinese = "你好吗我很好".repeat(17_000).slice(0, 100_000);

it.each<[string, Call]>([
  ["the plain form", { path: "", text: english }],
  ["a list of cells", { path: "/dots", text: english }],
  ["a list of images", { path: "/image", text: english }],
  ["a list of images by POST", { path: "/image", text: english, post: true }],
  ["a drawing", { path: "/image", text: english, accept: "image/svg+xml" }],
  ["text of three bytes a character", { path: "", text: chinese }],
])(
  "100,000 characters as %s never block the main thread for long",
  async (_name, wanted) => {
    const isShort = ({ longestMs, allowedMs }: Turn) => longestMs <= allowedMs;
    const turns: Turn[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const turn = await longestTurnDuring(async () => expect((await call(wanted)).status).toBe(200));
      turns.push(turn);
      // Once is enough: what the code itself takes, it takes every time; a collection of garbage it does not.
      if (isShort(turn)) break;
    }
    expect(turns.some(isShort), JSON.stringify(turns)).toBe(true);
  },
  600_000,
);
