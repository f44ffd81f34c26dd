/** The engines and what is around them: right braille, whole lines, any input, and recovery. Both pass the same tests. */
import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { GREETINGS } from "../../../../tests/support/greetings.ts";
import { isEightDot } from "../domain/cells.ts";
import { asciiOf, readPage } from "../domain/notation.ts";
import { brailleTables, findTable } from "../domain/tables.ts";
import { BundledEngine } from "./bundled-engine.ts";
import { type Engine, EngineError, type EngineName } from "./engine.ts";
import { findSystemVersion, SystemEngine } from "./system-engine.ts";
import { findSystemTable } from "./system-tables.ts";
import { Translator } from "./translate.ts";

const UEB = "en-ueb-g2.ctb";

const system = await findSystemVersion();
const systemEngine = "problem" in system ? undefined : new SystemEngine(system.tablesFolder);
const enginesHere: [EngineName, Engine][] = [
  ["bundled", new BundledEngine()],
  ...(systemEngine ? [["system", systemEngine] satisfies [EngineName, Engine]] : []),
];
afterAll(() => systemEngine?.close());

/** Processes of engines that this one has started. */
function engineProcesses(): number[] {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
  const isEngine = (pid: string) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("system-process.js");
  return children.filter(isEngine).map(Number);
}

const hasTable = (name: EngineName, tableFile: string): boolean =>
  name === "bundled" ||
  ("tablesFolder" in system && findSystemTable(system.tablesFolder, tableFile) !== undefined);

describe.each(enginesHere)("the %s engine:", (name, engine) => {
  const translator = new Translator(engine);
  const braille = async (text: string, table = UEB) =>
    (await translator.translate(table, text)).map(asciiOf).join("\n");
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
      ["Dvořák", ",dvo^+r^/ak"],
      ["Łódź, Đorđe, ŠKODA", ",@*l^/od^/z1 ,@3dor@3de1 ,,^+skoda"],
      ["cofounder of basename", 'cof.d] ( base"n'],
      ["ƶ ↗ x ∉ y", "@3z ;\\s ;x ^e@: ;y"],
      ["Section I,1 on p.7, or .5 of K.545", ",sec;n ,i1#a on p4#g1 or #4e ( ,k4#ede"],
    ])("%s", async (text, wanted) => {
      expect(await braille(text)).toBe(wanted);
    });
    it("is spelt out in grade 1", async () => {
      expect(await braille("something for everyone.", "en-ueb-g1.ctb")).toBe("something for everyone4");
    });
  });

  describe("the American code of before", () => {
    it("contracts what the unified code no longer does", async () => {
      expect(await braille("Fun Translations has something for everyone.", "en-us-g2.ctb")).toBe(
        ',fun ,transl,ns has "s?+ = "ey"o4',
      );
    });
  });

  describe("the way back", () => {
    it("gives the words again", async () => {
      for (const text of [
        "Fun Translations has something for everyone.",
        "Knowledge is power, and the people have it.",
        "In 1999 it was 3.50",
        "go to THE BIG NEW STORE now, please.",
        "Hello world, how are you?",
        "I will go with you, and that is that; so be it.",
        "Can you? Will he? But so it goes: [people] like it (or not).",
        "Was it 3.50, or 1,000? No: 12!",
      ])
        expect(await print(await braille(text))).toBe(text);
    });
    it("answers any cells at all", async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (cells) => {
          expect(typeof (await translator.translateBack(UEB, [cells]))).toBe("string");
        }),
        { numRuns: 300 },
      );
    });
  });

  describe("a long line", () => {
    const sentence = "He said that THEY ARE ALL THERE and “gone” by 10.30, to the last of the 12 (or so). ";
    it("is translated as a whole: what goes on for thousands of characters is opened and closed once", async () => {
      const passage = await braille(`so ${"HELLO BIG WORLD ".repeat(1000)}it ended`);
      expect(passage.split(",,,")).toHaveLength(2);
      expect(passage.split(",'")).toHaveLength(2);
    });
    it("has the same cells for a sentence wherever in it the sentence stands", async () => {
      const once = await braille(sentence.trim());
      for (const count of [2, 47, 48, 49, 400])
        expect(await braille(sentence.repeat(count).trim())).toBe(Array(count).fill(once).join(" "));
    });
    it("has the same cells as its words where nothing links them", async () => {
      const words = ["boat", "harbour", "lamp", "seven", "table", "window"];
      const cells = new Map(
        await Promise.all(words.map(async (word) => [word, await braille(word)] as const)),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 2000 }),
          async (chosen) => {
            expect(await braille(chosen.join(" "))).toBe(chosen.map((word) => cells.get(word)).join(" "));
          },
        ),
        { numRuns: 5 },
      );
    });
    it("keeps its cells around the place where a run of symbols is cut", async () => {
      const dot = (await braille(".....")).slice(-1);
      for (const count of [78, 79, 80, 81, 82, 159, 160, 161])
        expect(await braille(`one ${".".repeat(count)} two`)).toBe(`"o ${dot.repeat(count)} two`);
    });
  });

  describe("any text", () => {
    it("in a script that the table does not know is transliterated, an emoji named", async () => {
      expect(await braille("你好", "en-ueb-g1.ctb")).toBe(",ni,hao");
      expect(await braille("привет", "en-ueb-g1.ctb")).toBe("privet");
      expect(await braille("😀", "en-ueb-g1.ctb")).toBe("3grinning3");
      expect(await braille("\ue000", "en-ueb-g1.ctb")).toBe(',u"6,e#jjj');
    });
    it("in a script that the table knows is not", async () => {
      expect(await braille("привет", "ru-ru-g1.utb")).toBe("priwet");
      expect(await braille("你好", "zh-tw.ctb")).not.toContain("ni");
    });
    it("keeps control characters and soft hyphens for tables that have cells for them", async () => {
      expect(await braille("co\u00adop")).toBe("co-op");
      expect(await braille("a\u0007b\u0000c\u001bd")).toBe(await braille("abcd"));
      expect(await braille("a\u0007b", "de-de-comp8.ctb")).toHaveLength(3);
    });
    it("loses what cannot be read and nothing else", async () => {
      expect(await braille("a\u0000b\u200dc\ufeffd\u202ee")).toBe(await braille("abcde"));
      expect(await braille("\ud800")).toBe(await braille("\ufffd"));
    });
    it("that is braille already stays as it is, eight dots as well", async () => {
      expect(await translator.translate(UEB, "⠋⠥⡀⣿")).toEqual([Uint8Array.of(0x0b, 0x25, 0x40, 0xff)]);
    });
    it("gets an answer, in six dots unless it came with eight", async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (text) => {
          const cells = (await translator.translate(UEB, text)).flatMap((line) => [...line]);
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
    ])("of nothing but %s is translated, 5,000 of them", async (_name, pattern) => {
      const page = await translator.translate(UEB, pattern.repeat(5000 / pattern.length));
      expect(page.length).toBeGreaterThan(0);
    });
  });

  describe("the engine", () => {
    it("goes through more tables than it keeps, and comes back to the first", async () => {
      const before = await braille("Hello");
      for (const { file } of brailleTables.slice(0, 20).filter((one) => hasTable(name, one.file)))
        expect(await braille("Hello", file)).not.toBe("");
      expect(await braille("Hello")).toBe(before);
    });
  });

  describe("signs that a table has", () => {
    it.each([
      ["da-dk-g16.ctb", "50%", "#ej j0"],
      ["da-dk-g16.ctb", "a%b", "a j0b"],
      ["da-dk-g26.ctb", "5‰ og 7%", "#e j00 c #g j0"],
      ["no-no-g1.ctb", "5 €", "#e 5"],
      ["hu-hu-g1.ctb", "«szó»", "8:[0"],
      ["hu-hu-g2.ctb", "«szó»", "8:[0"],
      ["el.ctb", "τι\u037e α\u0387 \u1fef", "ti5 a2 @"],
    ])("are written as it says: %s, %s", async (table, text, wanted) => {
      expect(await braille(text, table)).toBe(wanted);
    });
    it("and letters of several parts are put together, as long as that makes them no other sign", async () => {
      expect(await braille("cafe\u0301")).toBe(await braille("café"));
      expect(await braille("\u1112\u1161\u11ab", "ko-g1.ctb")).toBe(await braille("한", "ko-g1.ctb"));
      expect(await braille("\u212a \u212b")).toBe(await braille("K Å"));
    });
  });

  describe("every table on offer", () => {
    it.each(brailleTables.filter(({ file }) => hasTable(name, file)).map((one) => one.name))(
      "%s translates and reads back",
      async (tableName) => {
        const table = findTable({ table: tableName });
        const text = `${GREETINGS[table?.language.slice(0, 2) ?? ""] ?? "Hello"} 12`;
        const [cells] = await translator.translate(table?.file ?? "", text);
        expect(cells?.some((cell) => cell !== 0)).toBe(true);
        if (table?.dots === 6 && table.language.startsWith("en"))
          expect(cells?.every((cell) => cell < 64)).toBe(true);
        expect(await translator.translateBack(table?.file ?? "", [cells ?? new Uint8Array()])).not.toBe("");
      },
    );
  });
});

it("the bundled engine is replaced after it has broken down", async () => {
  const engine = new BundledEngine();
  const before = await engine.translate(UEB, ["recovery"]);
  // Rules of this table look ahead without end, more deeply than the stack goes.
  await expect(engine.translate(UEB, ['"'.repeat(200_000)])).rejects.toThrow(EngineError);
  expect(await engine.translate(UEB, ["recovery"])).toEqual(before);
  await expect(engine.translate("nemeth-missing.ctb", ["x"])).rejects.toThrow(EngineError);
  expect(await engine.translate(UEB, ["recovery"])).toEqual(before);
});

it.runIf(systemEngine)("a text that breaks the system's library breaks its process alone", async () => {
  const engine = systemEngine!;
  const before = await engine.translate(UEB, ["recovery"]);
  // Some releases call themselves for each of these until the stack ends; others answer.
  for (const hostile of ['"', '" ', "A", "z\u0301", "\u0000"])
    await engine
      .translate(UEB, [hostile.repeat(100_000)])
      .catch((error: unknown) => expect(error).toBeInstanceOf(EngineError));
  await expect(engine.translate("nemeth-missing.ctb", ["x"])).rejects.toThrow(EngineError);
  expect(await engine.translate(UEB, ["recovery"])).toEqual(before);
});

it.runIf(systemEngine && process.platform === "linux")(
  "a process of the system's library that has ended while idle is replaced unnoticed",
  async () => {
    const engine = systemEngine!;
    const before = await engine.translate(UEB, ["recovery"]);
    const processes = engineProcesses();
    expect(processes.length).toBeGreaterThan(0);
    for (const pid of processes) process.kill(pid, "SIGALRM");
    expect(await engine.translate(UEB, ["recovery"])).toEqual(before);
  },
);
it.runIf(systemEngine)("the system's engine leaves no process behind, not even a dead one", async () => {
  const engine = new SystemEngine("tablesFolder" in system ? system.tablesFolder : "");
  const others = engineProcesses();
  await engine.translate(UEB, ["and gone"]);
  const own = engineProcesses().filter((pid) => !others.includes(pid));
  expect(own).toHaveLength(1);
  await engine.close();
  expect(own.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  expect(await engine.translate(UEB, ["and back"])).toHaveLength(1);
  await engine.close();
});
