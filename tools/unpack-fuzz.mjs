/**
 * Changes executables of our own at random and unpacks each: `node tools/unpack-fuzz.mjs [how many]`, after `npm run build`. Every one
 * must end with an outcome or with words for whoever sent it, within its budget of instructions, memory and time.
 */
const built = new URL("../dist/services/unpack/", import.meta.url);
const { unpackExecutable } = await import(new URL("unpacking/unpack.js", built));
const { BrokenFileError } = await import(new URL("pe/file.js", built));
const { makePackedExecutable } = await import(new URL("seed/packed-sample.js", built));

const count = Number(process.argv[2] ?? 10_000);
const SECONDS_MAX = 10;
const MEMORY_BYTES_MAX = 96 * 1024 * 1024;
const HEADERS = 0x200;

let state = Number(process.env.SEED ?? 1);
/** A number below the bound: the same ones for the same seed. */
function roll(bound) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return ((state ^ (state >>> 16)) >>> 0) % bound;
}
function changed(content) {
  const file = Buffer.from(content);
  const room = roll(2) === 0 ? Math.min(HEADERS, file.length) : file.length;
  for (let changes = 1 + roll(8); changes > 0; changes -= 1) file[roll(room)] = roll(256);
  return roll(10) === 0 ? file.subarray(0, roll(file.length)) : file;
}

const original = makePackedExecutable();
const ends = {};
let slowest = 0;
for (let i = 0; i < count; i += 1) {
  const began = performance.now();
  const file = changed(original);
  let end = "broken";
  try {
    const isTimeUp = () => performance.now() - began > SECONDS_MAX * 1000;
    end = unpackExecutable(file, {
      instructionsMax: 2_000_000,
      memoryBytesMax: MEMORY_BYTES_MAX,
      isTimeUp,
    }).verdict;
  } catch (error) {
    if (!(error instanceof BrokenFileError)) {
      console.error(`file ${i}: ${error.stack}`);
      end = "defect";
    }
  }
  ends[end] = (ends[end] ?? 0) + 1;
  slowest = Math.max(slowest, performance.now() - began);
}
const peak = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(`${count} files: ${JSON.stringify(ends)}, slowest ${slowest.toFixed(0)} ms, at most ${peak} MB`);
if (ends.defect || slowest > SECONDS_MAX * 2000) process.exit(1);
