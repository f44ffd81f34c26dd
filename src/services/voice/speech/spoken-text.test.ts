/** Any text becomes something that the engine can read. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSpeakable, toPieces, toSpokenText } from "./spoken-text.ts";

describe("toSpokenText", () => {
  it.each([
    ["Hello, world!", "Hello, world!"],
    ["Zażółć Straße Ærø", "Zazolc Strasse Aero"],
    ["Привет", "Privet"],
    ["北京你好", "Bei Jing Ni Hao"],
    ["안녕", "An Nyeong"],
    ["Well done 👍🏽", "Well done thumbsup"],
    ["It costs €5.20 or £3.", "It costs 5.20 euros or 3 pounds."],
    ["Tom & Jerry @ home", "Tom and Jerry at home"],
    ["20°C ± 2", "20 degrees C plus or minus 2"],
    ["“quoted” – text…", "quoted - text..."],
    ["a (b) [c]", "a , b, , c,"],
    ["12345678901234567890", "1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0"],
    ["!!!!!!!!", "!"],
    ["\u0000\u200b\ud800", ""],
  ])("%s", (text, expected) => {
    expect(toSpokenText(text)).toBe(expected);
  });

  it("reads numbers of 15 digits as one, and words of 32 letters", () => {
    expect(toSpokenText("1".repeat(15))).toBe("1".repeat(15));
    expect(toSpokenText("1".repeat(16))).toBe("1 ".repeat(16).trim());
    expect(toSpokenText("w".repeat(32))).toBe("w".repeat(32));
    expect(toSpokenText("w".repeat(33))).toBe(`${"w".repeat(32)} w`);
  });
  it("is spoken in pieces of 240 characters", () => {
    const lengths = (count: number) => toPieces("w ".repeat(count / 2)).map(({ text }) => text.length);
    expect([240, 242].map((count) => lengths(count).length)).toEqual([1, 2]);
    expect(toPieces(`${"w ".repeat(119)}www`).map(({ text }) => text.length)).toEqual([237, 3]);
  });

  it("always gives plain characters in words of limited length", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const spoken = toSpokenText(text);
        expect(spoken).toMatch(/^[A-Za-z0-9 .,;:?!'$%#/-]*$/);
        expect(spoken).not.toMatch(/\S{33}/);
      }),
    ));
});

describe("toPieces", () => {
  it("cuts at sentences first and loses no word", () => {
    const sentence = "The quick brown fox jumps over the lazy dog, and then it sleeps.";
    const text = Array.from({ length: 10 }, () => sentence).join(" ");
    const pieces = toPieces(text);
    expect(pieces.length).toBe(4);
    expect(pieces.map((piece) => piece.text).join(" ")).toBe(text);
    expect(pieces.slice(0, -1).every((piece) => piece.pauseMs === 350 && piece.text.endsWith("."))).toBe(
      true,
    );
  });

  it("keeps every piece short whatever the text", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom("word ", "x", ", ", ". "), { maxLength: 600 }), (parts) => {
        const spoken = toSpokenText(parts.join(""));
        for (const piece of toPieces(spoken)) {
          expect(piece.text.length).toBeLessThanOrEqual(240);
          expect(isSpeakable(piece.text)).toBe(true);
        }
      }),
    ));
});
