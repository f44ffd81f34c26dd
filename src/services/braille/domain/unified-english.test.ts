/** Which words are marked, so that engines read them before punctuation. */
import { expect, it } from "vitest";
import { asciiOf, readPage } from "./notation.ts";
import { readablePartsOf } from "./unified-english.ts";

it("a word of 24 cells with its full stop", () => {
  const cellsAdded = (length: number): number => {
    const word = `${"x".repeat(length - 1)}4`;
    const [line = new Uint8Array()] = readPage(word, "braille display");
    const parts = readablePartsOf(line);
    expect(
      parts
        .map(asciiOf)
        .join("")
        .startsWith("x".repeat(length - 1)),
    ).toBe(true);
    return (parts[0]?.length ?? 0) - word.length;
  };
  expect([2, 23, 24, 25].map(cellsAdded)).toEqual([2, 2, 2, 0]);
});
