/**
 * Changes executables at random and unpacks each: `node tools/unpack-fuzz.mjs [how many] [folder…]`, after `npm run build`. The executables are
 * the tests' own, and those of the folders. Every one must end with an outcome or with words for whoever sent it, within its budget of
 * instructions, memory and time. SEED, INSTRUCTIONS and FROM (how many to pass over) repeat or extend a run.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const built = new URL("../dist/services/unpack/", import.meta.url);
const { unpackExecutable } = await import(new URL("unpacking/unpack.js", built));
const { BrokenFileError } = await import(new URL("pe/file.js", built));

const [count = "10000", ...folders] = process.argv.slice(2);
const SECONDS_MAX = 20;
const MEMORY_BYTES_MAX = 96 * 1024 * 1024;
const RESIDENT_MB_MAX = 1024;
const INSTRUCTIONS_MAX = Number(process.env.INSTRUCTIONS ?? 2_000_000);
const HEADER_BYTES = 0x400;
const TOLD_EVERY = 1000;
const EDGES = [0, 1, 0x10, 0xff, 0x1000, 0x7fff_ffff, 0x8000_0000, 0xffff_f000, 0xffff_ffff];

/** A busy machine tells the same. */
function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
let state = Number(process.env.SEED ?? 1);
/** A number below the bound: the same ones for the same seed. */
function roll(bound) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return ((state ^ (state >>> 16)) >>> 0) % bound;
}
const CHANGES = [
  (file, room) => {
    file[roll(room)] = roll(256);
  },
  (file, room) => {
    file[roll(room)] ^= 1 << roll(8);
  },
  (file, room) => {
    if (room >= 8) file.writeUInt32LE(EDGES[roll(EDGES.length)], roll((room - 4) >> 2) * 4);
  },
  (file, room) => file.copy(file, roll(room), roll(room), roll(room)),
];
function changed(content) {
  const file = Buffer.from(content);
  const room = roll(2) === 0 ? Math.min(HEADER_BYTES, file.length) : file.length;
  for (let changes = 1 + roll(8); changes > 0; changes -= 1) CHANGES[roll(CHANGES.length)](file, room);
  return roll(12) === 0 ? file.subarray(0, roll(file.length)) : file;
}

/** The tests' own, made by their own code. */
async function ownExecutables() {
  const support = new URL("../tests/support/", import.meta.url).pathname;
  const contents = `
    import { makePackedExecutable, makePlainExecutable } from "./executables.ts";
    import { makePackedElsewhere } from "./packed-elsewhere.ts";
    import { makeMovablePacked, makeWithHiddenTables } from "./packed-tables.ts";
    import { makePacked, trickNames } from "./packers.ts";
    const others = [makePackedElsewhere(), makeMovablePacked(), makeWithHiddenTables()];
    export const all = [makePackedExecutable(), makePlainExecutable(), ...others.map(({ content }) => content), ...trickNames.map(makePacked)];`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: support, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  return (await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`))
    .all;
}
const filesOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

const samples = [...(await ownExecutables()), ...folders.flatMap(filesOf).map((path) => readFileSync(path))];
const ends = {};
let slowest = 0;
function tell(done) {
  const residentMb = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${done} files of ${samples.length}: ${JSON.stringify(ends)}, slowest ${slowest.toFixed(0)} ms of a processor, at most ${residentMb} MB`,
  );
  return residentMb;
}
for (let i = 0; i < Number(count); i += 1) {
  const file = changed(samples[roll(samples.length)]);
  if (i < Number(process.env.FROM ?? 0)) continue;
  const began = processorMs();
  let end = "broken";
  try {
    const isTimeUp = () => processorMs() - began > SECONDS_MAX * 1000;
    end = unpackExecutable(file, {
      instructionsMax: INSTRUCTIONS_MAX,
      memoryBytesMax: MEMORY_BYTES_MAX,
      isTimeUp,
    }).verdict;
  } catch (error) {
    if (!(error instanceof BrokenFileError)) {
      console.error(`file ${i}: ${error.stack}`);
      end = "defect";
    }
  }
  const took = processorMs() - began;
  if (took > SECONDS_MAX * 500) console.error(`file ${i}: ${took.toFixed(0)} ms`);
  ends[end] = (ends[end] ?? 0) + 1;
  slowest = Math.max(slowest, took);
  if ((i + 1) % TOLD_EVERY === 0) tell(i + 1);
}
const peak = tell(Number(count));
if (ends.defect || slowest > SECONDS_MAX * 2000 || peak > RESIDENT_MB_MAX) process.exit(1);
