/**
 * Audio for demo episodes: a looped tune as a WAV file of any length. Any byte range is computed directly.
 */

export const TUNE_TYPE = "audio/wav";
/** Marks an audio URL that this service generates. URLs from feeds start with `http`. */
export const TUNE_PREFIX = "tune:";

const RATE = 8_000;
const SAMPLE_BYTES = 2;
const HEADER_BYTES = 44;
const CHUNK_BYTES = 64 * 1024;
const BASE_HERTZ = 220;
const NOTE_SECONDS = 0.5;
const FADE_PER_SECOND = 1.8;
const LOUDNESS = 5_000;
/** Semitones above the base: four chords of eight notes. */
const CHORDS: readonly (readonly number[])[] = [
  [0, 7, 12, 16],
  [-3, 4, 9, 12],
  [-7, 0, 5, 9],
  [-5, 2, 7, 11],
];
const MELODY: readonly number[] = CHORDS.flatMap((chord) => [...chord, ...[...chord].reverse()]);
const LOOP_SAMPLES = MELODY.length * NOTE_SECONDS * RATE;

let known: Buffer | undefined;
/** One pass of the melody. Notes fade out over the next ones, also from the end into the start. */
function loop(): Buffer {
  if (known) return known;
  const levels = new Float64Array(LOOP_SAMPLES);
  for (const [at, semitones] of MELODY.entries()) {
    const turn = (2 * Math.PI * BASE_HERTZ * 2 ** (semitones / 12)) / RATE;
    const from = at * NOTE_SECONDS * RATE;
    for (let n = 0; n < 4 * RATE; n += 1) {
      const level = (Math.sin(turn * n) + 0.3 * Math.sin(2 * turn * n)) * Math.min(1, n / 160);
      const place = (from + n) % LOOP_SAMPLES;
      levels[place] = (levels[place] ?? 0) + level * Math.exp((-FADE_PER_SECOND * n) / RATE);
    }
  }
  const bytes = Buffer.alloc(LOOP_SAMPLES * SAMPLE_BYTES);
  for (const [at, level] of levels.entries())
    bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(level * LOUDNESS))), at * SAMPLE_BYTES);
  known = bytes;
  return known;
}

export const tuneBytes = (seconds: number): number => HEADER_BYTES + seconds * RATE * SAMPLE_BYTES;

function headerOf(seconds: number): Buffer {
  const size = tuneBytes(seconds);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("RIFF", 0);
  header.writeUInt32LE(size - 8, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * SAMPLE_BYTES, 28);
  header.writeUInt16LE(SAMPLE_BYTES, 32);
  header.writeUInt16LE(SAMPLE_BYTES * 8, 34);
  header.write("data", 36);
  header.writeUInt32LE(size - HEADER_BYTES, 40);
  return header;
}

/** Bytes from `start` (inclusive) to `end` (exclusive) of a tune of this length. */
export async function* tuneChunks(
  seconds: number,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  const turn = loop();
  let at = start;
  if (at < HEADER_BYTES) {
    yield headerOf(seconds).subarray(at, Math.min(end, HEADER_BYTES));
    at = Math.min(end, HEADER_BYTES);
  }
  while (at < end) {
    const from = (at - HEADER_BYTES) % turn.length;
    const chunk = turn.subarray(from, from + Math.min(CHUNK_BYTES, end - at));
    yield chunk;
    at += chunk.length;
  }
}
