/**
 * `node tools/start-cost.mjs`: how long the product takes until it listens, as a multiple of a bare Node server's start in
 * the same run. Fails a quarter above the targets, because machines differ. The turns alternate, and the shortest of each
 * kind counts: whatever else the machine does makes a turn longer, never shorter.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const TURNS = 12;
const TRIES = 3;
export const TARGETS = { warm: 2.5, first: 3.5 };
const TOLERANCE = 1.25;
const BARE =
  "const s = require('node:http').createServer(); s.listen(0, () => console.log(s.address().port))";

/** Milliseconds until the first line on standard output, which both print when they listen. */
async function startMs(words) {
  const beganMs = performance.now();
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await Promise.race([
    new Promise((resolve) => child.stdout.once("data", resolve)),
    ended.then((status) => {
      throw new Error(`a start ended with status ${status}`);
    }),
  ]);
  const ms = performance.now() - beganMs;
  child.kill("SIGKILL");
  await ended;
  return ms;
}

/** Shortest starts, in milliseconds: of bare Node, of the product, and of the product in an empty folder. */
export async function measureStart() {
  const folder = mkdtempSync(join(tmpdir(), "medley-start-"));
  const serve = (data) => startMs(["dist/main.js", "serve", "--port", "0", "--data", join(folder, data)]);
  const times = { bare: [], warm: [], first: [] };
  await serve("warm");
  for (let turn = 0; turn < TURNS; turn += 1) {
    times.bare.push(await startMs(["-e", BARE]));
    times.warm.push(await serve("warm"));
    times.first.push(await serve(`first-${turn}`));
  }
  rmSync(folder, { recursive: true, force: true });
  return Object.fromEntries(Object.entries(times).map(([kind, all]) => [kind, Math.min(...all)]));
}

async function check() {
  const { bare, warm, first } = await measureStart();
  const told = (ms) => `${Math.round(ms)} ms (${(ms / bare).toFixed(2)} times)`;
  console.log(`bare Node ${Math.round(bare)} ms, start ${told(warm)}, first start ${told(first)}`);
  return warm / bare <= TARGETS.warm * TOLERANCE && first / bare <= TARGETS.first * TOLERANCE;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  let isWithin = false;
  for (let attempt = 0; attempt < TRIES && !isWithin; attempt += 1) isWithin = await check();
  if (!isWithin) {
    const { warm, first } = TARGETS;
    console.error(
      `a start may take ${warm} times as long as bare Node's, the first ${first} times, and a quarter more`,
    );
    process.exitCode = 1;
  }
}
