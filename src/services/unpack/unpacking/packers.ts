/** Identifies the packer of a file by the packer rules. */
import { mapPe, type PeFile } from "../pe/file.ts";
import type { Packer } from "./outcome.ts";
import { PACKER_RULES } from "./packer-rules.ts";

const ANY = -1;
const ENTRY_BYTES = 64;
type Rule = { packer: string; readonly entries: (readonly number[])[]; readonly sections: string[] };

const between = (line: string, from: string, to: string): string => {
  const start = line.indexOf(from) + from.length;
  return line.slice(start, line.lastIndexOf(to));
};
const bytesOf = (line: string): number[] =>
  between(line, "{", "}")
    .trim()
    .split(" ")
    .map((byte) => (byte === "??" ? ANY : Number.parseInt(byte, 16)));

function readRules(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    const last = rules.at(-1);
    if (line.startsWith("rule ")) rules.push({ packer: "", entries: [], sections: [] });
    else if (!last) continue;
    else if (line.startsWith("packer = ")) last.packer = between(line, '"', '"');
    else if (line.startsWith("$") && line.includes("{")) last.entries.push(bytesOf(line));
    else if (line.includes("part.name == ")) last.sections.push(between(line, '"', '"'));
  }
  return rules;
}
const rules: readonly Rule[] = readRules(PACKER_RULES);

const begins = (bytes: Uint8Array, wanted: readonly number[]): boolean =>
  wanted.every((byte, index) => byte === ANY || bytes[index] === byte);

/** Bytes at the entry point take precedence over section names, which are easy to fake. */
export function findPacker(file: PeFile): Packer | undefined {
  const entry = mapPe(file).subarray(file.entryPoint, file.entryPoint + ENTRY_BYTES);
  const names = new Set(file.sections.map(({ name }) => name));
  const byEntry = rules.find(({ entries }) => entries.some((wanted) => begins(entry, wanted)));
  const found = byEntry ?? rules.find(({ sections }) => sections.some((name) => names.has(name)));
  if (!found) return undefined;
  const marks = found.sections.filter((name) => names.has(name)).map((name) => `section ${name}`);
  return { name: found.packer, marks: byEntry ? ["entry point", ...marks] : marks };
}
