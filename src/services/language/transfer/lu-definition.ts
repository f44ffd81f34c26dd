/**
 * Definitions after `@ type` in `.lu` text: a name, its roles, features and flags, and the value after the
 * equals sign.
 */
import type { JsonFeature } from "./app-json.ts";
import { withMore } from "./lu-app.ts";

/** A name, quoted if it contains spaces, and the rest of the text. */
export function takeName(text: string): [name: string, rest: string] {
  const trimmed = text.trimStart();
  if (trimmed.startsWith('"') || trimmed.startsWith("'")) {
    const quote = trimmed[0] ?? '"';
    for (let at = 1; at < trimmed.length; at += 1) {
      if (trimmed[at] === "\\") at += 1;
      else if (trimmed[at] === quote)
        return [trimmed.slice(1, at).replaceAll(/\\(.)/g, "$1"), trimmed.slice(at + 1).trimStart()];
    }
  }
  const end = trimmed.search(/[\s,=([*]/);
  return end < 0 ? [trimmed, ""] : [trimmed.slice(0, end), trimmed.slice(end).trimStart()];
}
type Name = { readonly name: string; readonly isRequired: boolean };
const namesOf = (names: readonly Name[]): string[] => names.map(({ name }) => name);
const featuresOf = (names: readonly Name[]): JsonFeature[] =>
  names.map(({ name, isRequired }) => ({ featureName: name, isRequired }));
/**
 * Comma-separated names. A star inside or after the quotes marks a required one. Returns the rest of the
 * text too.
 */
export function takeNames(text: string): [names: Name[], rest: string] {
  const names: Name[] = [];
  let rest = text;
  for (;;) {
    const [name, after] = takeName(rest);
    if (name === "") return [names, rest];
    const hasStar = after.startsWith("*");
    names.push({ name: name.replace(/\*$/, ""), isRequired: hasStar || name.endsWith("*") });
    rest = (hasStar ? after.slice(1) : after).trimStart();
    if (!rest.startsWith(",")) return [names, rest];
    rest = rest.slice(1);
  }
}

export type Definition = {
  readonly name: string;
  readonly roles: string[];
  readonly features: JsonFeature[];
  readonly flags: ReadonlySet<string>;
  /** The text after the equals sign. */
  readonly value: string;
};
const FLAG = /^\(?(interchangeable|disabledForAllModels|enabledForAllModels|disabled)\)?[\s,]*/i;

export function definitionOf(text: string): Definition {
  let [name, rest] = takeName(text);
  const roles: string[] = [];
  const features: JsonFeature[] = [];
  const flags = new Set<string>();
  while (rest !== "" && !rest.startsWith("=")) {
    const keyword = /^(hasRoles?|usesFeatures?)\s+/i.exec(rest);
    const flag = FLAG.exec(rest);
    if (keyword) {
      const [names, after] = takeNames(rest.slice(keyword[0].length));
      if (/^hasRole/i.test(keyword[0])) withMore(roles, namesOf(names));
      else withMore(features, featuresOf(names));
      rest = after.trimStart();
    } else if (flag) {
      flags.add((flag[1] ?? "").toLowerCase());
      rest = rest.slice(flag[0].length).trimStart();
    } else if (rest.startsWith("(") || rest.startsWith(")")) rest = rest.slice(1).trimStart();
    else {
      const [names, after] = takeNames(rest);
      if (names.length === 0) break;
      withMore(roles, namesOf(names));
      rest = after.trimStart();
    }
  }
  return { name, roles, features, flags, value: rest.replace(/^=\s*/, "").trim() };
}
