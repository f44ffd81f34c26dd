/** Finds strings in bytes: printable ASCII, and the same characters in UTF-16LE. */
import type { Range } from "./sections.ts";

export type FoundString = {
  readonly section: string;
  readonly text: string;
  readonly offset: number;
  readonly isWide: boolean;
};

/** Limits the result for files that consist of short strings only. */
export const STRINGS_MAX = 20_000;
/** Longer strings are truncated: they are data. */
const LENGTH_MAX = 1000;

const isPrintable = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || byte === 0x09;

function* asciiOf(
  content: Uint8Array,
  { start, end }: Range,
  lengthMin: number,
): Generator<[number, number]> {
  let from = -1;
  for (let at = start; at <= end; at += 1) {
    const goesOn = at < end && isPrintable(content[at] as number);
    if (goesOn && from < 0) from = at;
    if (goesOn || from < 0) continue;
    if (at - from >= lengthMin) yield [from, at - from];
    from = -1;
  }
}
/**
 * A UTF-16 string may start at an odd address. The last letter of an ASCII string and its zero do not start
 * one.
 */
function* wideOf(content: Uint8Array, { start, end }: Range, lengthMin: number): Generator<[number, number]> {
  const isWide = (at: number): boolean =>
    at + 1 < end && content[at + 1] === 0 && isPrintable(content[at] as number);
  for (let at = start; at + 1 < end; at += 1) {
    if (!isWide(at) || (at > start && isPrintable(content[at - 1] as number))) continue;
    const from = at;
    while (isWide(at)) at += 2;
    const length = (at - from) / 2;
    if (length >= lengthMin) yield [from, length];
    at -= 1;
  }
}
function wideText(content: Uint8Array, from: number, length: number): string {
  let text = "";
  for (let i = 0; i < length; i += 1) text += String.fromCharCode(content[from + i * 2] as number);
  return text;
}

export type StringsWanted = { readonly lengthMin: number; readonly ignored: ReadonlySet<string> };
export type FoundStrings = { readonly strings: readonly FoundString[]; readonly leftOut: number };

/** Strings by section, in the order of their offsets. Each string occurs once in a section. */
export function stringsOf(
  content: Uint8Array,
  ranges: readonly Range[],
  { lengthMin, ignored }: StringsWanted,
): FoundStrings {
  const strings: FoundString[] = [];
  let leftOut = 0;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  for (const range of ranges) {
    const ofSection: FoundString[] = [];
    const seen = new Set<string>();
    const add = (text: string, offset: number, isWide: boolean): void => {
      if (ignored.has(text) || seen.has(text)) return;
      if (strings.length + ofSection.length >= STRINGS_MAX) {
        leftOut += 1;
        return;
      }
      seen.add(text);
      ofSection.push({ section: range.name, text, offset, isWide });
    };
    for (const [from, length] of asciiOf(content, range, lengthMin))
      add(bytes.toString("latin1", from, from + Math.min(length, LENGTH_MAX)), from, false);
    for (const [from, length] of wideOf(content, range, lengthMin))
      add(wideText(content, from, Math.min(length, LENGTH_MAX)), from, true);
    strings.push(...ofSection.sort((a, b) => a.offset - b.offset));
  }
  return { strings, leftOut };
}
