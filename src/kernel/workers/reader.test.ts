/** Documents of one account wait behind each other, not in front of those of others. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createReader } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "medley-reader-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "worker.mjs");
writeFileSync(
  file,
  `export async function run({ text, meter }) {
     if (!(meter instanceof SharedArrayBuffer)) return { problem: "without a meter" };
     if (text === "bad") return { problem: "This is bad." };
     if (text === "failing") throw new Error("out of the blue");
     return { length: text.length };
   }`,
);
class Problem extends Error {}
const read = createReader<{ readonly text: string }, { readonly length: number }>({
  file,
  processorMsMax: 60_000,
  threadsMax: 1,
  documents: "texts",
  tooMuch: "The text takes too much.",
  problemOf: (message) => new Problem(message),
});

it("whoever comes after twenty documents of another waits for one of them", async () => {
  const order: string[] = [];
  const ask = (account: string) => read(account, { text: account }).then(() => order.push(account));
  const many = Array.from({ length: 20 }, () => ask("many"));
  await Promise.all([...many, ask("few"), ask("other")]);
  expect(order.slice(0, 4)).toEqual(["many", "few", "other", "many"]);
  expect(order).toHaveLength(22);
});

it("of one account fifty wait, and others still come in", async () => {
  const asked = Array.from({ length: 52 }, () => read("many", { text: "x" }));
  const last = asked.pop();
  await expect(last).rejects.toThrow("Too many texts wait.");
  expect(await read("few", { text: "xx" })).toEqual({ length: 2 });
  expect(await Promise.all(asked)).toHaveLength(51);
});

it.each([
  ["bad", "This is bad."],
  ["failing", "The text takes too much."],
])("says what is wrong with a document: %s", async (text, message) => {
  await expect(read("some", { text })).rejects.toThrow(message);
  await expect(read("some", { text })).rejects.toBeInstanceOf(Problem);
});
