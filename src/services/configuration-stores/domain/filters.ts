/**
 * List filters: exact values separated by commas, or one prefix before an asterisk. A backslash escapes a
 * character.
 */
import { invalidArgument } from "../errors.ts";

export type TextFilter =
  | { readonly kind: "any" }
  | { readonly kind: "oneOf"; readonly values: readonly string[] }
  | { readonly kind: "prefix"; readonly prefix: string };
export type TagFilter = { readonly name: string; readonly value: string | null };

export const ANY: TextFilter = { kind: "any" };
/** Stored form of a missing label, and its form in requests. */
export const NO_LABEL = "";
const NO_LABEL_ON_WIRE = "\0";

const VALUES_MAX = 5;
const TAG_FILTERS_MAX = 5;

const badCharacter = (name: string, position: number) =>
  invalidArgument(name, `${name}(${position}): Invalid character`);

/** Splits at unescaped commas and unescapes the values. `open`: whether an asterisk ends the text. */
function readList(name: string, text: string): { values: string[]; open: boolean } {
  const values: string[] = [];
  let value = "";
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (character === "\\") {
      i += 1;
      if (i === text.length) throw badCharacter(name, i - 1);
      value += text[i];
    } else if (character === ",") {
      values.push(value);
      value = "";
    } else if (character === "*") {
      if (i !== text.length - 1 || values.length > 0) throw badCharacter(name, i);
      return { values: [value], open: true };
    } else value += character;
  }
  values.push(value);
  return { values, open: false };
}

function readFilter(name: string, text: string, meaningOf: (value: string) => string): TextFilter {
  const list = readList(name, text);
  const values = list.values.map(meaningOf);
  if (values.some((value) => value.includes("\0"))) throw badCharacter(name, text.indexOf("\0"));
  if (values.length > VALUES_MAX)
    throw invalidArgument(name, `${name}: At most ${VALUES_MAX} values are allowed`);
  if (!list.open) return { kind: "oneOf", values };
  const [prefix = ""] = values;
  return prefix === "" ? ANY : { kind: "prefix", prefix };
}

/** A filter on keys or names. Without text, it matches any. */
export const parseFilter = (name: string, text: string | undefined): TextFilter =>
  text === undefined || text === "" ? ANY : readFilter(name, text, (value) => value);

/** A filter on labels. An empty value or a single NUL means "no label". */
export const parseLabelFilter = (name: string, text: string | undefined): TextFilter =>
  text === undefined
    ? ANY
    : readFilter(name, text, (value) => (value === NO_LABEL_ON_WIRE ? NO_LABEL : value));

/** `name=value`. A NUL as value means null. */
export function parseTagFilters(name: string, given: readonly string[] | undefined): readonly TagFilter[] {
  const wanted = (given ?? []).filter((text) => text !== "");
  if (wanted.length > TAG_FILTERS_MAX)
    throw invalidArgument(name, `${name}: At most ${TAG_FILTERS_MAX} tag filters are allowed`);
  return wanted.map((text) => parseTagFilter(name, text));
}
function parseTagFilter(filter: string, text: string): TagFilter {
  let name = "";
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "\\" && i + 1 < text.length) {
      i += 1;
      name += text[i];
    } else if (text[i] === "=") return { name, value: tagValueOf(text.slice(i + 1)) };
    else name += text[i];
  }
  throw invalidArgument(filter, `${filter}: A tag filter is written name=value`);
}
const tagValueOf = (text: string): string | null =>
  text === "\0" ? null : text.replace(/\\(.)/gs, (_, character: string) => character);
