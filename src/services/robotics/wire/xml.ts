/** Renders answers as XML. Members are elements with the same name; the table below names list items. */

/** Element names of list items. */
const ITEMS: Readonly<Record<string, string>> = {
  Alliances: "Alliance",
  Awards: "Award",
  Events: "Event",
  MatchScores: "MatchScore",
  Matches: "Match",
  Rankings: "Ranking",
  Schedule: "ScheduledMatch",
  alliances: "alliance",
  awards: "award",
  districtRanks: "districtRank",
  districts: "district",
  frcChampionships: "frcChampionship",
  pending: "match",
  removals: "removal",
  sets: "set",
  statistics: "team",
  teams: "team",
  webcasts: "webcast",
};
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};
/** XML does not allow these characters, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

const escaped = (text: string): string =>
  text.replace(FORBIDDEN, "\ufffd").replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character);

/** A member name that is not a valid element name becomes an attribute. */
const tagsOf = (name: string): readonly [opening: string, closing: string] =>
  NAME.test(name) ? [name, name] : [`member name="${escaped(name)}"`, "member"];

function element(name: string, value: unknown, parts: string[]): void {
  const [opening, closing] = tagsOf(name);
  if (value === null || value === undefined) {
    parts.push(`<${opening} i:nil="true"/>`);
    return;
  }
  parts.push(`<${opening}>`);
  content(name, value, parts);
  parts.push(`</${closing}>`);
}
function content(name: string, value: unknown, parts: string[]): void {
  if (Array.isArray(value)) for (const item of value) element(ITEMS[name] ?? "item", item, parts);
  else if (typeof value === "object" && value !== null)
    for (const [member, inner] of Object.entries(value)) element(member, inner, parts);
  else parts.push(escaped(String(value)));
}

export function xmlOf(root: string, value: unknown): string {
  const parts = [`<?xml version="1.0" encoding="utf-8"?>\n<${root} xmlns:i="${INSTANCE}">`];
  content(root, value, parts);
  parts.push(`</${root}>`);
  return parts.join("");
}
