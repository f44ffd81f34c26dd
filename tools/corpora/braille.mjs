/**
 * Tests of liblouis as it keeps them, every YAML file of a folder (tests/braille-specs of its repository): rows of text and braille, by table.
 * `--engine system` asks the system's liblouis instead of the bundled one; words select files by the beginning of their names.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BundledEngine } from "../../dist/services/braille/translator/bundled-engine.js";
import { findEngines } from "../../dist/services/braille/translator/engines.js";
import { findSystemVersion, SystemEngine } from "../../dist/services/braille/translator/system-engine.js";
import { Translator } from "../../dist/services/braille/translator/translate.js";
import { share } from "./support.mjs";

const TABLE = /^table:\s*(?:\[\s*)?["']?([\w.,-]+)?/;
const ASSERTED = /^\s+__assert-match:\s*["']?([\w.-]+)/;
const MODE = /^flags:.*(backward)/;
/** A scalar of YAML: in quotes of either kind, or plain. */
const SCALAR = String.raw`('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^,'"\[\]{}\s][^,\]]*)`;
const ROW = new RegExp(String.raw`^\s*-\s*\[\s*${SCALAR}\s*,\s*${SCALAR}\s*(\]|,\s*\{(.*)\}\s*\])`);
const BLANK = 0x2800;
/** Rows that are known to fail, or ask for what a request cannot say. */
const LEFT_OUT = /xfail|typeform|mode|cursor|inputPos|outputPos|maxOutputLength/;

const withCodes = (text) =>
  text.replace(/\\(?:x([0-9a-fA-F]{4})|y([0-9a-fA-F]{5})|z([0-9a-fA-F]{8}))/g, (_, x, y, z) =>
    String.fromCodePoint(Number.parseInt(x ?? y ?? z, 16)),
  );
function textOf(scalar) {
  const text = scalar.trim();
  if (text.startsWith("'")) return withCodes(text.slice(1, -1).replaceAll("''", "'"));
  if (!text.startsWith('"')) return withCodes(text);
  const escapes = { n: "\n", t: "\t", r: "\r", 0: "\0" };
  return withCodes(
    text
      .slice(1, -1)
      .replace(
        /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})(?![0-9a-fA-F])|([\\"/ntr0]))/g,
        (_, u, long, x, one) =>
          one === undefined
            ? String.fromCodePoint(Number.parseInt(u ?? long ?? x, 16))
            : (escapes[one] ?? one),
      ),
  );
}

/** ASCII braille: the dots of a character are its place in this text. */
const ASCII = " A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)=";
const isAscii = (display) => display === undefined || /nabcc|brf|ascii/.test(display);
/** As the file's display table writes it. */
const asUnicode = (braille, display) =>
  isAscii(display)
    ? braille.toUpperCase().replace(/[ -_]/g, (one) => String.fromCodePoint(BLANK + ASCII.indexOf(one)))
    : braille;

/** A row over several lines as one line: `- - text`, `  - braille`, and perhaps `  - xfail: ...`. */
const inOneLine = (yaml) =>
  yaml.replace(
    /^([ \t]*)- - (.*)\r?\n\1 {2}- (.*)((?:\r?\n\1 {2,}.*)*)/gm,
    (_, indent, text, braille, more) =>
      `${indent}- [${[text, braille].map(quoted).join(", ")}${/\S/.test(more) ? `, {${more.replaceAll(/\s+/g, " ")}}` : ""}]`,
  );
const quoted = (scalar) => {
  const [, bare] = /^('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|.*?)(?:\s+#.*)?\s*$/.exec(scalar);
  return /^['"]/.test(bare) ? bare : `'${bare.replaceAll("'", "''")}'`;
};

/** Rows of one file that go from text to braille, with their tables. */
function rowsOf(yaml) {
  let table;
  let display;
  let isForward = true;
  const rows = [];
  for (const line of inOneLine(yaml).split(/\r?\n/)) {
    display = /^display:\s*(\S+)/.exec(line)?.[1] ?? display;
    const named = TABLE.exec(line);
    if (named) {
      table = named[1]?.split(",").at(-1);
      isForward = true;
    }
    table = ASSERTED.exec(line)?.[1] ?? table;
    if (line.startsWith("flags:")) isForward = !MODE.test(line);
    if (/^\s+testmode:\s*(?!forward)/.test(line)) isForward = false;
    const [, text, braille, , more = ""] = ROW.exec(line) ?? [];
    if (text === undefined || !isForward || table === undefined || LEFT_OUT.test(more)) continue;
    const wanted = asUnicode(textOf(braille), display);
    if (/^[\u2800-\u28ff\s]+$/u.test(wanted)) rows.push({ table, text: textOf(text), wanted });
  }
  return rows;
}

const cells = (text) => text.replace(/\s/g, String.fromCodePoint(BLANK)).replace(/^\u2800+|\u2800+$/g, "");

async function translatorOf(words) {
  if (!words.includes("system"))
    return { engines: await findEngines("bundled"), engine: new BundledEngine() };
  const system = await findSystemVersion();
  if ("problem" in system) throw new Error(system.problem);
  return { engines: await findEngines("auto"), engine: new SystemEngine(system.tablesFolder) };
}

export async function figures(folder, words) {
  const { engines, engine } = await translatorOf(words);
  const translator = new Translator(engine);
  const selected = words.filter((word) => !["--engine", "system", "--differing"].includes(word));
  const counts = { files: 0, rows: 0, right: 0, english: 0, englishRight: 0 };
  const unavailable = new Set();
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const isWanted = selected.length === 0 || selected.some((word) => name.startsWith(word));
    if (!name.endsWith(".yaml") || !isWanted) continue;
    counts.files += 1;
    for (const { table, text, wanted } of rowsOf(readFileSync(join(folder, name), "utf8"))) {
      const file = engines.findTableFile(table);
      if (file === undefined) {
        unavailable.add(table);
        continue;
      }
      const got = (await translator.translate(file, text).catch(() => []))
        .map((line) => [...line].map((cell) => String.fromCodePoint(BLANK + cell)).join(""))
        .join("\n");
      const isRight = cells(got) === cells(wanted);
      const isEnglish = file.startsWith("en-ueb");
      counts.rows += 1;
      counts.right += isRight ? 1 : 0;
      counts.english += isEnglish ? 1 : 0;
      counts.englishRight += isEnglish && isRight ? 1 : 0;
      if (!isRight && words.includes("--differing"))
        console.error(`${name}: ${table}: ${text}\n  wanted ${cells(wanted)}\n  got    ${cells(got)}`);
    }
  }
  await engine.close?.();
  return {
    files: counts.files,
    "rows right": share(counts.right, counts.rows),
    "rows of Unified English Braille right": share(counts.englishRight, counts.english),
    "tables that the engine lacks": unavailable.size === 0 ? "none" : [...unavailable].join(", "),
  };
}
