/** Where the system's liblouis 3.24 and the bundled 3.2 write otherwise: codes were revised, and tables mended. Everything else agrees. */
import { afterAll, describe, expect, it } from "vitest";
import { GREETINGS } from "../../../../tests/support/greetings.ts";
import { asciiOf, readPage } from "../domain/notation.ts";
import { brailleTables } from "../domain/tables.ts";
import { BundledEngine } from "./bundled-engine.ts";
import { findSystemVersion, SystemEngine } from "./system-engine.ts";
import { findSystemTable } from "./system-tables.ts";
import { Translator } from "./translate.ts";

const VERSION = "3.24.0";
const system = await findSystemVersion();
const here = "version" in system && system.version === VERSION ? system : undefined;
const systemEngine = here && new SystemEngine(here.tablesFolder);
afterAll(() => systemEngine?.close());

const bundled = new Translator(new BundledEngine());
const ofSystem = systemEngine && new Translator(systemEngine);
const brailleOf = async (translator: Translator, table: string, text: string) =>
  (await translator.translate(table, text)).map(asciiOf).join("\n");

const sampleOf = (language: string): string =>
  `${GREETINGS[language.slice(0, 2)] ?? "Hello, good day"} 12 (a/b) "x" 5%.`;

/** Table, text, what 3.2 writes, what 3.24 writes. */
const DIFFERENCES: readonly (readonly [table: string, text: string, older: string, newer: string])[] = [
  ["ar-ar-g1.utb", 'مرحبا 12 (a/b) "x" 5%.', "mr:ba #ab 8a/b0 7x7 #e3p4", "mr:ba #ab 8a_-b0 7x7 #e3p4"],
  [
    "da-dk-g26.ctb",
    'Hello, good day 12 (a/b) "x" 5%.',
    ".hello1 good day #ab 8,a/,b0 7,x7 #e j0'",
    ",hello1 good day #ab 8;a/;b0 7;x7 #e j0'",
  ],
  [
    "da-dk-g16.ctb",
    'Hello, good day 12 (a/b) "x" 5%.',
    ".hello1 good day #ab 8a/b0 7x7 #e j0'",
    ",hello1 good day #ab 8a/b0 7x7 #e j0'",
  ],
  [
    "da-dk-g08.ctb",
    'Hello, good day 12 (a/b) "x" 5%.',
    "⡓ello1 good day ⢁⢃ ⢦a⢌b⢴ 7x7 ⢑⣚'",
    "⡓ello1 good day ⢁⢃ ⢦a⢌b⢴ 7x7 ⢑⣠'",
  ],
  [
    "eo-g1.ctb",
    'Hello, good day 12 (a/b) "x" 5%.',
    ".hello1 good day #ab 7a/b7 8x0 #e' '4",
    ".hello1 good day #ab 7a/b7 8x0 #e'⡳xjjbe'4",
  ],
  [
    "fr-bfu-g2.ctb",
    'Hello, good day 12 (a/b) "x" 5%.',
    '.he_o1 good day ,*< 8a/,b0 7,x7 ,:"+4',
    '.he_o1 good day ,*< 8a,/;b0 7;x7 ,:"+4',
  ],
  ["he.ctb", 'שלום 12 (a/b) "x" 5%.', '%lw⢍ 12 (a/b) "x" 5⡩.', '%lw⢍ 12 ⢷a/b⢾ "x" 5⡩.'],
  [
    "Lv-Lv-g1.utb",
    'Hello, good day 12 (a/b) "x" 5%.',
    ",hello, good day #ab 7a/b7 8x0 #e3p4",
    ".hello1good day #ab 7a/b7 8x0 #e#j04",
  ],
  [
    "mn-MN.utb",
    'Hello, good day 12 (a/b) "x" 5%.',
    '^hello1 good day #ab "<a_/;b"> 8;x0 #e.04',
    ',hello1 good day #ab "<a_/b"> 8x0 #e.04',
  ],
  [
    "mt.ctb",
    'Hello, good day 12 (a/b) "x" 5%.',
    "⡓ello1 good day ⢁⢃ 8a' 'b0 7x7 ⢑' '4",
    "⡓ello1 good day ⢁⢃ 8a'⡳x⢚⢚⢃f'b0 7x7 ⢑'⡳x⢚⢚⢃⢑'4",
  ],
  [
    "Pl-Pl-g1.utb",
    'Hello, good day 12 (a/b) "x" 5%.',
    ".hello1 good day #ab 7a_/b7 8x0 #e@0'",
    ".hello1 good day #ab 7a4b7 8x0 #e#j0'",
  ],
  ["ru-ru-g1.utb", 'привет 12 (a/b) "x" 5%.', "priwet #ab <a/b> 8x0 #e#j04", "priwet #ab <,a,/b> 8x0 #e#04"],
  [
    "sl-si-g1.utb",
    'Hello, good day 12 (a/b) "x" 5%.',
    ".hello1 good day #ab 8a/b0 7x7 #e=4",
    ".hello1 good day #ab 8a)b0 8x0 #e]4",
  ],
  [
    "Se-Se-g1.utb",
    'Hello, good day 12 (a/b) "x" 5%.',
    ",hello1 good day #ab 8a/b0 ;x; #e.0'",
    ",hello1 good day #ab 8a/b0 ;x; #e?'",
  ],
  [
    "tr.ctb",
    'Hello, good day 12 (a/b) "x" 5%.',
    "⡓ello1 good day ⢁⢃ 8a' 'b0 7x7 ⢑' '4",
    "⡓ello1 good day ⢁⢃ 8a'⡳x⢚⢚⢃f'b0 7x7 ⢑'⡳x⢚⢚⢃⢑'4",
  ],
  [
    "vi-g1.ctb",
    'Hello, good day 12 (a/b) "x" 5%.',
    ".hello1 good day #*< 7a/b7 8x8 #:+4",
    ".hello1 good day #ab @<a/b@> 8x0 #e#j04",
  ],
  [
    "zh-chn.ctb",
    '你好 12 (a/b) "x" 5%.',
    "nih6 #a#b    ;a   ;b       ;x    #e      ",
    'nih6 #a#b (a/b) "x" #e%.',
  ],
  ["zh-tw.ctb", '你好 12 (a/b) "x" 5%.', 'n*@r%@ 12 (a/b) "x" 5%.', '⡝*@r%@ 12 (a/b) "x" 5%.'],
  ["en-ueb-g2.ctb", "Nguyễn", ",nguy^%^]en", ",nguy5"],
  ["en-ueb-g2.ctb", "Tiếng Việt", ",ti^%^/eng ,viet", ",ti5g ,viet"],
];
/** Braille, what 3.2 reads, what 3.24 reads. */
const READ_DIFFERENCES = [["e4g4 ?1 i4e4", "e.g. this, i.e", "e.go. this, i.e"]] as const;

describe("forward", () => {
  it.each(DIFFERENCES)("%s: %s", async (table, text, older, newer) => {
    expect(await brailleOf(bundled, table, text)).toBe(older);
    if (ofSystem) expect(await brailleOf(ofSystem, table, text)).toBe(newer);
  });
  it.runIf(here)("and every other table writes the same", async () => {
    const differing = new Set(DIFFERENCES.map(([table]) => table));
    for (const { file, language } of brailleTables) {
      if (differing.has(file) || !findSystemTable(here!.tablesFolder, file)) continue;
      const text = sampleOf(language);
      expect([file, await brailleOf(ofSystem!, file, text)]).toEqual([
        file,
        await brailleOf(bundled, file, text),
      ]);
    }
  });
});

it.each(READ_DIFFERENCES)("back: %s", async (braille, older, newer) => {
  const page = readPage(braille, "braille display");
  expect(await bundled.translateBack("en-ueb-g2.ctb", page)).toContain(older);
  if (ofSystem) expect(await ofSystem.translateBack("en-ueb-g2.ctb", page)).toContain(newer);
});
