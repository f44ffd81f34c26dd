/** Indents, wrapping, and the way back. */
import { describe, expect, it } from "vitest";
import type { Page } from "./cells.ts";
import { layOut, paragraphsOf } from "./layout.ts";
import { asciiOf, readPage } from "./notation.ts";

const page = (...lines: string[]): Page => readPage(lines.join("\n"), "braille display");
const lay = (text: string, widthCells: number, indentCells = 2) =>
  layOut(page(...text.split("\n")), { widthCells, indentCells }).map(asciiOf);

describe("a paragraph", () => {
  it("begins with two blank cells and goes on at the margin", () => {
    expect(lay("one two three four", 10)).toEqual(["  one two", "three four"]);
  });
  it("fills a line to its last cell", () => {
    expect(lay("abc defg", 10)).toEqual(["  abc defg"]);
    expect(lay("abc defgh", 10)).toEqual(["  abc", "defgh"]);
  });
  it("stays in one line when there is no width", () => {
    expect(lay("one two three four", 0)).toEqual(["  one two three four"]);
  });
  it("can do without the indent", () => {
    expect(lay("one two", 10, 0)).toEqual(["one two"]);
  });
  it("takes runs of blanks as one, and none at its ends", () => {
    expect(lay("  one   two  ", 20)).toEqual(["  one two"]);
  });
  it("cuts a word only when the word is longer than a line", () => {
    expect(lay("ab cdefghijklmnop q", 8)).toEqual(["  ab", "cdefghij", "klmnop q"]);
    expect(lay("abcdefghijklmnop", 8)).toEqual(["  abcdef", "ghijklmn", "op"]);
  });
  it("that is empty is an empty line", () => {
    expect(lay("one\n\ntwo", 10)).toEqual(["  one", "", "  two"]);
    expect(lay("   ", 10)).toEqual([""]);
  });
});

describe("the way back", () => {
  const layout = { widthCells: 9, indentCells: 2 };
  it("finds the paragraphs that were laid out", () => {
    const paragraphs = page("one two three four", "", "five", "six seven eight");
    expect(paragraphsOf(layOut(paragraphs, layout), layout)).toEqual(paragraphs);
  });
  it("takes every line for a paragraph where there is no indent", () => {
    expect(paragraphsOf(page("one", "two"), { widthCells: 0, indentCells: 0 }).map(asciiOf)).toEqual([
      "one",
      "two",
    ]);
  });
  it("joins lines at the margin to the one before", () => {
    expect(paragraphsOf(page("one", "two", "", "three"), layout).map(asciiOf)).toEqual([
      "one two",
      "",
      "three",
    ]);
  });
});
