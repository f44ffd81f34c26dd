/** The tune: a WAV file of the promised length, the same from any position. */
import { expect, it } from "vitest";
import { tuneBytes, tuneChunks } from "./tune.ts";

const SECONDS = 90;
async function partOf(start: number, end: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of tuneChunks(SECONDS, { start, end })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it("has the length that its header tells, and is heard", async () => {
  const whole = await partOf(0, tuneBytes(SECONDS));
  expect(whole.length).toBe(tuneBytes(SECONDS));
  expect(whole.readUInt32LE(4)).toBe(whole.length - 8);
  expect(whole.readUInt32LE(40) / whole.readUInt32LE(28)).toBe(SECONDS);
  const samples = Array.from({ length: 8_000 }, (_, at) => whole.readInt16LE(44 + 2 * (400_000 + at)));
  expect(Math.max(...samples)).toBeGreaterThan(2_000);
  expect(Math.max(...samples.map(Math.abs))).toBeLessThan(32_767);
});

it.each([
  [0, 1],
  [0, 44],
  [10, 60],
  [43, 45],
  [44, 44 + 3 * 65_536],
  [511_990, 768_050],
])("the bytes from %i to %i are those of the whole", async (start, end) => {
  const whole = await partOf(0, tuneBytes(SECONDS));
  expect((await partOf(start, end)).equals(whole.subarray(start, end))).toBe(true);
});
