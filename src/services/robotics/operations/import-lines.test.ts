/** Lines of an import that comes in many small pieces. */
import { expect, it } from "vitest";
import { processorMsWhile } from "../../../../tests/support/processor-time.ts";
import { lineIn, linesOf } from "./import-lines.ts";

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
async function* long(length: number): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.alloc(8 * 1024, "a");
  for (let sent = 0; sent < length; sent += chunk.length) yield chunk;
}
async function lengthsOf(chunks: AsyncIterable<Uint8Array>): Promise<number[]> {
  const lengths: number[] = [];
  for await (const { text } of linesOf(chunks)) lengths.push(text.length);
  return lengths;
}

it("lines end where they end, wherever a piece ends, and empty ones are counted", async () => {
  const lines: string[] = [];
  for await (const { number, text } of linesOf(chunksOf("a", "b\nc\n\nd", "\n", "e")))
    lines.push(`${number} ${text}`);
  expect(lines).toEqual(["1 ab", "2 c", "4 d", "5 e"]);
});

it("a character may begin in one piece and end in the next", async () => {
  const bytes = Buffer.from("é\n");
  async function* halves() {
    yield bytes.subarray(0, 1);
    yield bytes.subarray(1);
  }
  expect(await lengthsOf(halves())).toEqual([1]);
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

it("a long line of many levels, members or items is refused before it is parsed", () => {
  const spaces = " ".repeat(64 * 1024);
  const says = (text: string) => lineIn(`${text}${spaces}`).says;
  const ofDepth = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const members = (count: number) => `{${Array(count).fill('"a":1')}}`;
  const items = (commas: number) => `[${Array(commas + 1).fill(0)}]`;
  for (const fits of [ofDepth(16), members(500_000), items(1_000_000)])
    expect(says(fits)).not.toMatch("more than");
  for (const toomuch of [ofDepth(17), members(500_001), items(1_000_001), "[".repeat(30_000_000)])
    expect(says(toomuch)).toBe("more than 500000 members, 1000000 items or 16 levels");
});
it("of many empty lines none is told", async () => {
  expect(await lengthsOf(chunksOf("\n".repeat(100_000), "\r\n \n", "a"))).toEqual([1]);
});
