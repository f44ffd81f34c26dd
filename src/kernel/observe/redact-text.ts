/**
 * Removes the values after secret names from any text: JSON, also malformed, truncated or nested in a string;
 * script objects; headers, forms and attributes. Nothing is parsed. The scan only moves forward, so the time is
 * linear in the length, also for hostile input.
 */
import type { SecretName } from "./secret-names.ts";

export const HIDDEN = "[redacted]";

const ESCAPES = /%([0-9a-f]{2})|\\u([0-9a-f]{4})/gi;
const QUOTES = "\"'`";
const BRACKETS_OPEN = "[{(";
const BRACKETS_CLOSE = "]})";
const PLAIN_VALUE = /^(?:true|false|null)$/;
const NUMBER = /^[-+.\d][-+.\deE]*$/;

function codesOf(characters: string): Uint8Array {
  const codes = new Uint8Array(128);
  for (const character of characters) codes[character.charCodeAt(0)] = 1;
  return codes;
}
const NAME_CODES = codesOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.-%\\");
const SPACE_CODES = codesOf(" \t\r\n");
const LINE_END_CODES = codesOf("\r\n");
/** Where an unquoted value after an equals sign ends. */
const ASSIGNED_END_CODES = codesOf(" \t\r\n&\"'<>");
/** Where a number or the like ends. */
const SCALAR_END_CODES = codesOf(" \t\r\n,;}])&<>\"'");
const BACKSLASH_CODES = codesOf("\\");
const ELEMENT_END_CODES = codesOf("<>");
const CONTENT_END_CODES = codesOf("<");
const USER_INFO_END_CODES = codesOf(" \t\r\n/?#\"'<>");

const isOf = (codes: Uint8Array, text: string, at: number): boolean => codes[text.charCodeAt(at)] === 1;

function passOver(codes: Uint8Array, text: string, from: number): number {
  let at = from;
  while (at < text.length && isOf(codes, text, at)) at += 1;
  return at;
}
function findEnd(codes: Uint8Array, text: string, from: number): number {
  let at = from;
  while (at < text.length && !isOf(codes, text, at)) at += 1;
  return at;
}

function unescaped(name: string): string {
  if (!name.includes("%") && !name.includes("\\")) return name;
  return name.replace(ESCAPES, (_, percent?: string, unicode?: string) =>
    String.fromCharCode(Number.parseInt(percent ?? unicode ?? "", 16)),
  );
}

/** A quotation mark with the backslashes before it. Inside a JSON string it has some. */
type Quote = { readonly mark: string; readonly backslashes: number; readonly endsAt: number };
const NO_QUOTE: Quote = { mark: "", backslashes: 0, endsAt: 0 };
const writtenOut = ({ mark, backslashes }: Quote): string => "\\".repeat(backslashes) + mark;

function findQuote(text: string, at: number): Quote | undefined {
  let after = at;
  while (text[after] === "\\") after += 1;
  const mark = text[after];
  if (mark === undefined || !QUOTES.includes(mark)) return undefined;
  return { mark, backslashes: after - at, endsAt: after + 1 };
}

/** Where the quoted text of this mark ends: before its closing mark, or at the end of the text. */
function endOfQuoted(text: string, { mark, backslashes, endsAt }: Quote): number {
  let before = 0;
  for (let at = endsAt; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") before += 1;
    else {
      if (
        character === mark &&
        (before < backslashes || (before - backslashes) % (2 * (backslashes + 1)) === 0)
      )
        return at - Math.min(before, backslashes);
      before = 0;
    }
  }
  return text.length;
}

/** The position after the closing bracket. Brackets inside quoted texts do not count. */
function endOfBrackets(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] as string;
    if (BRACKETS_OPEN.includes(character)) depth += 1;
    else if (BRACKETS_CLOSE.includes(character)) {
      depth -= 1;
      if (depth <= 0) return at + 1;
    } else if (character === "\\" || character === '"') {
      const quote = findQuote(text, at);
      at = quote ? endOfQuoted(text, quote) + quote.backslashes : passOver(BACKSLASH_CODES, text, at) - 1;
    }
  }
  return text.length;
}

/** The secret from `start` to `end`. The scan continues after it. */
type Value = { readonly start: number; readonly end: number; readonly shown: string };

/** Numbers stay if only the name is telling: an error has a `code` as well. */
function valueAt(
  text: string,
  at: number,
  separator: string,
  nameQuote: Quote,
  hidesNumbers: boolean,
): Value {
  const quote = findQuote(text, at);
  if (quote) return { start: quote.endsAt, end: endOfQuoted(text, quote), shown: HIDDEN };
  const written = writtenOut(nameQuote);
  const shown = `${written}${HIDDEN}${written}`;
  if (BRACKETS_OPEN.includes(text[at] ?? " ")) return { start: at, end: endOfBrackets(text, at), shown };
  const scalarEnd = findEnd(SCALAR_END_CODES, text, at);
  const scalar = text.slice(at, scalarEnd);
  if (separator === ":" && PLAIN_VALUE.test(scalar)) return { start: at, end: scalarEnd, shown: scalar };
  if (separator === ":" && NUMBER.test(scalar))
    return { start: at, end: scalarEnd, shown: hidesNumbers ? shown : scalar };
  const end = findEnd(separator === ":" ? LINE_END_CODES : ASSIGNED_END_CODES, text, at);
  return { start: at, end, shown: end > at ? HIDDEN : "" };
}

/** What is between a name and its value: `": `, `=`, `]=`, or `" value=` of a form field. */
function findSeparator(
  text: string,
  from: number,
): { mark: string; quote: Quote; valueAt: number } | undefined {
  const quote = findQuote(text, from);
  let at = quote ? quote.endsAt : from;
  if (text[at] === "]") at += 1;
  at = passOver(SPACE_CODES, text, at);
  if (quote && text.startsWith("value=", at)) at += "value".length;
  const mark = text[at];
  if (mark !== ":" && mark !== "=") return undefined;
  return { mark, quote: quote ?? NO_QUOTE, valueAt: passOver(SPACE_CODES, text, at + 1) };
}

/** The password of `scheme://user:password@host`; `at` is after the slashes. */
function findPassword(text: string, at: number): Value | undefined {
  const userInfo = text.slice(at, findEnd(USER_INFO_END_CODES, text, at));
  const end = userInfo.lastIndexOf("@");
  const colon = userInfo.indexOf(":");
  return colon >= 0 && colon < end ? { start: at + colon + 1, end: at + end, shown: HIDDEN } : undefined;
}

/** The content of an element whose name ends here. */
function contentAt(text: string, nameEnd: number): Value | undefined {
  const tagEnd = findEnd(ELEMENT_END_CODES, text, nameEnd);
  if (text[tagEnd] !== ">") return undefined;
  const end = findEnd(CONTENT_END_CODES, text, tagEnd + 1);
  return { start: tagEnd + 1, end, shown: HIDDEN };
}

/** The value after a name, if there is one. */
function findValue(text: string, start: number, end: number, hidesNumbers: boolean): Value | undefined {
  if (text[start - 1] === "<") return contentAt(text, end);
  const separator = findSeparator(text, end);
  return separator && valueAt(text, separator.valueAt, separator.mark, separator.quote, hidesNumbers);
}

type Names = { readonly isSecret: SecretName; readonly isWeak: SecretName };
/** `next`: where the scan continues. */
type Step = { readonly value: Value | undefined; readonly next: number };

function stepAt(text: string, at: number, { isSecret, isWeak }: Names): Step {
  if (!isOf(NAME_CODES, text, at)) {
    const value = text.startsWith("://", at) ? findPassword(text, at + 3) : undefined;
    return { value, next: value?.end ?? at + 1 };
  }
  const runEnd = passOver(NAME_CODES, text, at);
  let end = runEnd;
  // Backslashes at its end belong to the next quotation mark.
  while (end > at && text[end - 1] === "\\") end -= 1;
  const name = unescaped(text.slice(at, end));
  const value = end > at && isSecret(name) ? findValue(text, at, end, !isWeak(name)) : undefined;
  return { value, next: Math.max(value?.end ?? 0, runEnd) };
}

/** `isWeak`: names whose numbers are no secrets. */
export function hideSecrets(text: string, isSecret: SecretName, isWeak: SecretName = () => false): string {
  const names = { isSecret, isWeak };
  let shown = "";
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const { value, next } = stepAt(text, at, names);
    at = next;
    if (!value) continue;
    shown += text.slice(copied, value.start) + value.shown;
    copied = value.end;
  }
  return shown + text.slice(copied);
}
