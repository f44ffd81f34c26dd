/** Cells in the five forms, and read back from each. */
import { describe, expect, it } from "vitest";
import { asciiOf, cellWriterOf, type Form, NotBrailleError, readPage } from "./notation.ts";

const forms: readonly Form[] = [
  "braille display",
  "braille dots",
  "braille html",
  "braille images",
  "braille unicode",
];
const folder = "http://127.0.0.1:4020/braille/img/char";
const allCells = Uint8Array.from({ length: 256 }, (_, cell) => cell);

describe("a cell", () => {
  it("is written as each form writes it", () => {
    const written = forms.map((form) => cellWriterOf(form, folder)(0b001011));
    expect(written).toEqual([
      "f",
      "124",
      "&#x280b;",
      `<img src='${folder}/0b.gif' alt='char 0x280b = &#x280b;' title='char 0x280b = &#x280b;' class='img-braille-char'>`,
      "⠋",
    ]);
  });
  it("without dots is a blank, or none", () => {
    const written = ["braille display", "braille dots", "braille html", "braille unicode"] as const;
    expect(written.map((form) => cellWriterOf(form, folder)(0))).toEqual([" ", "none", "&#x2800;", "\u2800"]);
  });
  it("of eight dots has no ASCII and is written in Unicode", () => {
    expect(asciiOf(Uint8Array.of(1, 0xff))).toBe("a\u28ff");
  });
  it("keeps markup out of an address that a caller made up", () => {
    expect(cellWriterOf("braille images", "http://x'><script>")(1)).not.toContain("<script>");
  });
});

describe("reading", () => {
  it.each(forms)("understands what %s writes, for all 256 cells", (form) => {
    const write = cellWriterOf(form, folder);
    const between = form === "braille dots" ? " " : "";
    expect(readPage(Array.from(allCells, write).join(between), form)).toEqual([allCells]);
  });
  it("takes letters of either case", () => {
    expect(readPage(",FUN", "braille display")).toEqual(readPage(",fun", "braille display"));
  });
  it("ends lines at any kind of line end, the last of which adds none", () => {
    expect(readPage("a\r\nb\nc\rd\r\n", "braille display")).toHaveLength(4);
    expect(readPage("\r\n", "braille display")).toEqual([new Uint8Array(0)]);
    expect(readPage("1 12 \r \n 14 \r \n", "braille dots")).toEqual([Uint8Array.of(1, 3), Uint8Array.of(9)]);
  });
  it("says what is not braille", () => {
    expect(() => readPage("aé", "braille display")).toThrow(NotBrailleError);
    expect(() => readPage("😀", "braille unicode")).toThrow(NotBrailleError);
    expect(() => readPage("129", "braille dots")).toThrow(/"129"/);
  });
});
