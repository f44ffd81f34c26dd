/** Parses message payloads and extracts values. */

import type { Path } from "./expressions/syntax.ts";
import { PAYLOAD_DEPTH_MAX } from "./limits.ts";
import { isScalar, type KeptValue, WholeDecimal } from "./values.ts";

const MARK = "\u0000decimal";

const isNumeralPart = (character: string) =>
  (character >= "0" && character <= "9") ||
  character === "." ||
  character === "-" ||
  character === "+" ||
  character === "e" ||
  character === "E";

/** Whether JSON.parse would turn a decimal such as 20.0 or 2e1 into an integer. */
const isWholeDecimal = (numeral: string) =>
  (numeral.includes(".") || numeral.includes("e") || numeral.includes("E")) &&
  Number.isInteger(Number(numeral));

/** Index after the closing quote of the text. */
function endOfText(json: string, start: number): number {
  let position = start + 1;
  while (position < json.length && json[position] !== '"') position += json[position] === "\\" ? 2 : 1;
  return position + 1;
}
function endOfNumeral(json: string, start: number): number {
  let position = start;
  while (position < json.length && isNumeralPart(json[position] ?? "")) position += 1;
  return position;
}

/** Replaces each whole decimal, such as 20.0, by an object with a marker member. */
function markDecimals(json: string): string {
  let marked = "";
  let position = 0;
  while (position < json.length) {
    const character = json[position] ?? "";
    let end = position + 1;
    if (character === '"') end = endOfText(json, position);
    else if (character === "-" || (character >= "0" && character <= "9")) end = endOfNumeral(json, position);
    const piece = json.slice(position, end);
    marked += character !== '"' && isWholeDecimal(piece) ? `{"\\u0000decimal":${Number(piece)}}` : piece;
    position = end;
  }
  return marked;
}
const unmark = (_key: string, value: unknown): unknown => {
  const found =
    typeof value === "object" && value !== null
      ? (value as Readonly<Record<string, unknown>>)[MARK]
      : undefined;
  return typeof found === "number" ? new WholeDecimal(found) : value;
};

/** Whether the nesting is too deep for recursive code. Short texts need no check. */
function isTooDeep(json: string): boolean {
  if (json.length <= PAYLOAD_DEPTH_MAX * 2) return false;
  let depth = 0;
  for (let position = 0; position < json.length; position += 1) {
    const character = json[position];
    if (character === '"') position = endOfText(json, position) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth > PAYLOAD_DEPTH_MAX) return true;
  }
  return false;
}

/** Texts that can contain whole decimals: `.0` or an exponent. */
const MAY_BE_WHOLE = /\.0|[0-9][eE]/;

/** JSON parser that keeps decimals: 20.0 is not the integer 20. Throws a SyntaxError. */
export function parsePayload(json: string): unknown {
  if (isTooDeep(json)) throw new SyntaxError(`Payloads are nested at most ${PAYLOAD_DEPTH_MAX} deep.`);
  const plain: unknown = JSON.parse(json);
  return MAY_BE_WHOLE.test(json) ? JSON.parse(markDecimals(json), unmark) : plain;
}

/** The value at the path, or undefined. */
export function valueAt(payload: unknown, path: Path): unknown {
  let value = payload;
  for (const part of path) {
    if (typeof value !== "object" || value === null || value instanceof WholeDecimal) return undefined;
    if (typeof part === "number" ? !Array.isArray(value) : Array.isArray(value)) return undefined;
    if (!Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[part];
  }
  return value;
}

/** The value that expressions can read; undefined if there is none. */
export function keptValueAt(payload: unknown, path: Path): KeptValue | undefined {
  const value = valueAt(payload, path);
  if (typeof value !== "object" || value === null || value instanceof WholeDecimal)
    return value as KeptValue | undefined;
  return {};
}

/** The key value that identifies a detector: a non-empty text, number or boolean. */
export function keyValueAt(payload: unknown, path: Path): string | undefined {
  const value = keptValueAt(payload, path);
  if (!isScalar(value)) return undefined;
  const text = typeof value === "object" ? String(value.decimal) : String(value);
  return text === "" ? undefined : text;
}
