/** Utterances of `.lu` files with inline labels, as in `fly to {@City:destination=Lisbon}`. */
import type { JsonLabel } from "./app-json.ts";

const ESCAPED = new Set(["{", "}", "[", "]", "(", ")", "|", "\\", "~", "@", "=", ":", "-", "#", ">"]);
const LEVELS_MAX = 8;

export class InlineError extends Error {}

export type Inline = { readonly text: string; readonly labels: readonly JsonLabel[] };

/** Whether a line is a pattern: something may be left out or chosen, or an entity is named without a text. */
export function isPattern(line: string): boolean {
  const bare = line.replaceAll(/\\./g, "");
  if (bare.startsWith("~")) return true;
  if (/\{[^{}=]*=/.test(bare)) return false;
  return /\[[^[\]]+\]|\([^()|]*\|[^()]*\)|\{[^{}=]*\}/.test(bare);
}

/** The pattern as the JSON format has it: without the sign before an entity's name. */
export const patternOf = (line: string): string =>
  line
    .replace(/^~/, "")
    .trim()
    .replaceAll(/\{([^{}]*)\}/g, (_, inside: string) => `{${inside.trim().replace(/^@/, "").trim()}}`);

/** Parses one utterance. Unmatched braces are text. Throws an InlineError for an empty label. */
export function inlineOf(line: string): Inline {
  if (!isBalanced(line)) return { text: line.replaceAll(/\\(.)/g, unescaped), labels: [] };
  const { text, labels } = readText({ line, at: 0 }, 0, 0);
  return { text, labels };
}
function isBalanced(line: string): boolean {
  let open = 0;
  for (const [sign] of line.replaceAll(/\\./g, "").matchAll(/[{}]/g)) {
    open += sign === "{" ? 1 : -1;
    if (open < 0) return false;
  }
  return open === 0;
}
const unescaped = (both: string, sign: string): string => (ESCAPED.has(sign) ? sign : both);

type Reader = { readonly line: string; at: number };

function readText(reader: Reader, offset: number, level: number): { text: string; labels: JsonLabel[] } {
  if (level > LEVELS_MAX) throw new InlineError("labels are nested too deeply");
  const labels: JsonLabel[] = [];
  let text = "";
  for (; reader.at < reader.line.length && reader.line[reader.at] !== "}"; reader.at += 1) {
    if (reader.line[reader.at] === "{") {
      const { label, text: inside } = readLabel(reader, offset + text.length, level);
      labels.push(label);
      text += inside;
    } else text += readCharacter(reader);
  }
  return { text, labels };
}
/** A backslash escapes a special character. */
function readCharacter(reader: Reader): string {
  const next = reader.line[reader.at + 1] ?? "";
  if (reader.line[reader.at] !== "\\" || !ESCAPED.has(next)) return reader.line[reader.at] ?? "";
  reader.at += 1;
  return next;
}

/** Starts at `{` and ends at the matching `}`. */
function readLabel(reader: Reader, offset: number, level: number): { label: JsonLabel; text: string } {
  const equals = reader.line.indexOf("=", reader.at);
  if (equals < 0) throw new InlineError("a label has no text");
  const [name = "", role] = splitRole(
    reader.line
      .slice(reader.at + 1, equals)
      .replace(/^\s*@/, "")
      .trim(),
  );
  if (name === "") throw new InlineError("a label has no name");
  if (/[{}]/.test(name)) throw new InlineError("of entities all are labelled with a text, or none");
  reader.at = equals + 1;
  while (reader.line[reader.at] === " ") reader.at += 1;
  const { text, labels } = readText(reader, offset, level + 1);
  // Blanks before the brace belong to the utterance, but not to the label.
  const labelled = text.trimEnd();
  if (labelled === "") throw new InlineError(`the label ${name} has no text`);
  const label: JsonLabel = {
    entity: name,
    startPos: offset,
    endPos: offset + labelled.length - 1,
    ...(role !== undefined && { role }),
    children: labels,
  };
  return { label, text };
}
function splitRole(name: string): [name: string, role: string | undefined] {
  const colon = name.lastIndexOf(":");
  if (colon <= 0 || name[colon - 1] === ":") return [name, undefined];
  return [name.slice(0, colon).trim(), name.slice(colon + 1).trim()];
}

const escaped = (text: string): string =>
  text
    .replaceAll(/[{}[\]()|\\]/g, "\\$&")
    .replaceAll("\r", " ")
    .replaceAll("\n", " ");

/** The line of an utterance, with its labels in it. */
export function lineOf(text: string, labels: readonly JsonLabel[]): string {
  const line = withLabels(text, 0, text.length, labels);
  return /^[~#>@-]/.test(line) ? `\\${line}` : line;
}
function withLabels(text: string, start: number, end: number, labels: readonly JsonLabel[]): string {
  let line = "";
  let at = start;
  for (const label of [...labels].sort((a, b) => a.startPos - b.startPos)) {
    line += escaped(text.slice(at, label.startPos));
    const role = label.role ? `:${label.role}` : "";
    const inside = withLabels(text, label.startPos, label.endPos + 1, label.children ?? []);
    line += `{@${label.entity}${role}=${inside}}`;
    at = label.endPos + 1;
  }
  return line + escaped(text.slice(at, end));
}
