/** Lines of an import that comes in many small pieces. */
import { expect, it } from "vitest";
import { processorMsWhile } from "../../../../tests/support/processor-time.ts";
import { linesOf } from "./import-lines.ts";

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
async function* long(length: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(8 * 1024, "a");
  for (let sent = 0; sent < length; sent += chunk.length) yield chunk;
}
async function lengthsOf(chunks: AsyncIterable<Uint8Array>): Promise<number[]> {
  const lengths: number[] = [];
  for await (const line of linesOf(chunks)) lengths.push(line.length);
  return lengths;
}

it("lines end where they end, wherever a piece ends", async () => {
  const lines: string[] = [];
  for await (const line of linesOf(chunksOf("a", "b\nc\n\nd", "\n", "e"))) lines.push(line);
  expect(lines).toEqual(["ab", "c", "", "d", "e"]);
});

it("a character may begin in one piece and end in the next", async () => {
  const bytes = Buffer.from("é\n");
  async function* halves() {
    yield bytes.subarray(0, 1);
    yield bytes.subarray(1);
  }
  expect(await lengthsOf(halves())).toEqual([1, 0]);
});

it("four times the length of a line takes four times the time", async () => {
  const costOf = async (length: number): Promise<number> => {
    const costs: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      costs.push(await processorMsWhile(async () => void (await lengthsOf(long(length)))));
    return Math.min(...costs);
  };
  await costOf(1024 * 1024);
  const single = await costOf(4 * 1024 * 1024);
  expect(await costOf(16 * 1024 * 1024)).toBeLessThan(Math.max(10 * single, 200));
});

it("a line has 32 MiB at the most, wherever the pieces end", async () => {
  const most = 32 * 1024 * 1024;
  expect(await lengthsOf(long(most))).toEqual([most]);
  async function* longer(end: string) {
    yield* long(most);
    yield Buffer.from(end);
  }
  expect(await lengthsOf(longer("\nb"))).toEqual([most, 1]);
  for (const end of ["b", "b\n"]) await expect(lengthsOf(longer(end))).rejects.toThrow("longer than 32 MiB");
});
