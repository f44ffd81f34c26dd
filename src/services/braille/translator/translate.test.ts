/** The engine and what is around it: right braille, whole lines, any input, and recovery. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { isEightDot } from "../domain/cells.ts";
import { asciiOf, readPage } from "../domain/notation.ts";
import { brailleTables, findTable } from "../domain/tables.ts";
import { Engine, EngineError } from "./engine.ts";
import { Translator } from "./translate.ts";

const UEB = "en-ueb-g2.ctb";
let translator: Translator;
beforeAll(() => {
  translator = new Translator();
});
const braille = (text: string, table = UEB) => translator.translate(table, text).map(asciiOf).join("\n");
const print = (text: string, table = UEB) =>
  translator.translateBack(table, readPage(text, "braille display"));

describe("contracted Unified English Braille", () => {
  it.each([
    ["Fun Translations has something for everyone.", ',fun ,transla;ns has "s?+ = "ey"o4'],
    ["Knowledge is with us, and of the people.", ",k is ) u1 & ( ! p4"],
    ["In 1999 it was 3.50", ",9 #aiii x 0 #c4ej"],
    ["THE BIG NEW STORE opens", ",,,! big new /ore,' op5s"],
    ["“Really?” she said.", "8,r1lly80 %e sd4"],
    ["café", "caf^/e"],
  ])("%s", (text, wanted) => {
    expect(braille(text)).toBe(wanted);
  });
  it("is spelt out in grade 1", () => {
    expect(braille("something for everyone.", "en-ueb-g1.ctb")).toBe("something for everyone4");
  });
});

describe("the American code of before", () => {
  it("contracts what the unified code no longer does", () => {
    expect(braille("Fun Translations has something for everyone.", "en-us-g2.ctb")).toBe(
      ',fun ,transl,ns has "s?+ = "ey"o4',
    );
  });
});

describe("the way back", () => {
  it("gives the words again", () => {
    for (const text of [
      "Fun Translations has something for everyone.",
      "Knowledge is power, and the people have it.",
      "In 1999 it was 3.50",
      "go to THE BIG NEW STORE now, please.",
      "Hello world, how are you?",
      "I will go with you, and that is that; so be it.",
      "Can you? Will he? But so it goes: [people] like it (or not).",
      "e.g. this, i.e. that, etc.",
      "Was it 3.50, or 1,000? No: 12!",
    ])
      expect(print(braille(text))).toBe(text);
  });
  it("answers any cells at all", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (cells) => {
        expect(typeof translator.translateBack(UEB, [cells])).toBe("string");
      }),
      { numRuns: 300 },
    );
  });
});

describe("a long line", () => {
  const sentence = "He said that THEY ARE ALL THERE and “gone” by 10.30, to the last of the 12 (or so). ";
  it("is translated as a whole: what goes on for thousands of characters is opened and closed once", () => {
    const passage = braille(`so ${"HELLO BIG WORLD ".repeat(1000)}it ended`);
    expect(passage.split(",,,")).toHaveLength(2);
    expect(passage.split(",'")).toHaveLength(2);
  });
  it("has the same cells for a sentence wherever in it the sentence stands", () => {
    const once = braille(sentence.trim());
    for (const count of [2, 47, 48, 49, 400])
      expect(braille(sentence.repeat(count).trim())).toBe(Array(count).fill(once).join(" "));
  });
  it("has the same cells as its words where nothing links them", () => {
    const words = ["boat", "harbour", "lamp", "seven", "table", "window"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 2000 }), (chosen) => {
        expect(braille(chosen.join(" "))).toBe(chosen.map((word) => braille(word)).join(" "));
      }),
      { numRuns: 5 },
    );
  });
  it("keeps its cells around the place where a run of symbols is cut", () => {
    const dot = braille(".....").slice(-1);
    for (const count of [78, 79, 80, 81, 82, 159, 160, 161])
      expect(braille(`one ${".".repeat(count)} two`)).toBe(`"o ${dot.repeat(count)} two`);
  });
});

describe("any text", () => {
  it("in a script that the table does not know is transliterated, an emoji named", () => {
    expect(braille("你好", "en-ueb-g1.ctb")).toBe(",ni,hao");
    expect(braille("привет", "en-ueb-g1.ctb")).toBe("privet");
    expect(braille("😀", "en-ueb-g1.ctb")).toBe("3grinning3");
    expect(braille("\ue000", "en-ueb-g1.ctb")).toBe(',u"6,e#jjj');
  });
  it("in a script that the table knows is not", () => {
    expect(braille("привет", "ru-ru-g1.utb")).toBe("priwet");
    expect(braille("你好", "zh-tw.ctb")).not.toContain("ni");
  });
  it("loses what cannot be read and nothing else", () => {
    expect(braille("a\u0000b\u200dc\ufeffd\u202ee")).toBe(braille("abcde"));
    expect(braille("\ud800")).toBe(braille("\ufffd"));
  });
  it("that is braille already stays as it is, eight dots as well", () => {
    expect(translator.translate(UEB, "⠋⠥⡀⣿")).toEqual([Uint8Array.of(0x0b, 0x25, 0x40, 0xff)]);
  });
  it("gets an answer, in six dots unless it came with eight", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const cells = translator.translate(UEB, text).flatMap((line) => [...line]);
        const eightDots = text.match(/[\u2840-\u28ff]/g) ?? [];
        expect(cells.filter(isEightDot).length).toBeLessThanOrEqual(eightDots.length);
      }),
      { numRuns: 200 },
    );
  });
  it.each([
    ["quotes", '"'],
    ["quotes and blanks", '" '],
    ["dots", "."],
    ["blanks", " "],
    ["capitals", "A"],
    ["digits", "7"],
    ["letters", "e"],
    ["underscores", "_"],
    ["combining accents", "\u0301"],
    ["zero-width joiners", "\u200d"],
    ["line ends", "\n"],
  ])("of nothing but %s is translated, 5,000 of them", (_name, pattern) => {
    expect(translator.translate(UEB, pattern.repeat(5000 / pattern.length)).length).toBeGreaterThan(0);
  });
});

describe("the engine", () => {
  it("is replaced after it has broken down", () => {
    const engine = new Engine();
    const before = engine.translate(UEB, "recovery");
    // Rules of this table look ahead without end, more deeply than the stack goes.
    expect(() => engine.translate(UEB, '"'.repeat(200_000))).toThrow(EngineError);
    expect(engine.translate(UEB, "recovery")).toEqual(before);
    expect(() => engine.translate("nemeth-missing.ctb", "x")).toThrow(EngineError);
    expect(engine.translate(UEB, "recovery")).toEqual(before);
  });
  it("goes through more tables than it keeps, and comes back to the first", () => {
    const before = braille("Hello");
    for (const { file } of brailleTables.slice(0, 20)) expect(braille("Hello", file)).not.toBe("");
    expect(braille("Hello")).toBe(before);
  });
});

describe("every table on offer", () => {
  const greetings: Readonly<Record<string, string>> = {
    ar: "مرحبا",
    bn: "নমস্কার",
    el: "γειά",
    fa: "سلام",
    he: "שלום",
    hi: "नमस्ते",
    ko: "안녕하세요",
    ru: "привет",
    ta: "வணக்கம்",
    zh: "你好",
  };
  it.each(brailleTables.map(({ name }) => name))("%s translates and reads back", (name) => {
    const table = findTable({ table: name });
    const text = `${greetings[table?.language.slice(0, 2) ?? ""] ?? "Hello"} 12`;
    const [cells] = translator.translate(table?.file ?? "", text);
    expect(cells?.some((cell) => cell !== 0)).toBe(true);
    if (table?.dots === 6 && table.language.startsWith("en"))
      expect(cells?.every((cell) => cell < 64)).toBe(true);
    expect(translator.translateBack(table?.file ?? "", [cells ?? new Uint8Array()])).not.toBe("");
  });
});
