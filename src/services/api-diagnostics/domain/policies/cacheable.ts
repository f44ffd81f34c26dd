/** Whether a shared cache may keep a response, by what its headers say (RFC 9111). */
import { parseInstant } from "#kernel/clock";
import type { Fields } from "./run.ts";

const DIRECTIVE = /([^\s,="]+)(?:="([^"]*)"|=([^\s,"]*))?/g;
const FORBIDDING = ["no-store", "no-cache", "private"];

function directivesOf(fields: Fields): ReadonlyMap<string, string> {
  const text = fields.find("cache-control") ?? "";
  return new Map(
    [...text.matchAll(DIRECTIVE)].map(([, name = "", quoted, plain = ""]) => [
      name.toLowerCase(),
      quoted ?? plain,
    ]),
  );
}
/** What was never fresh, or says so in a way that nobody understands, would have to be asked for again. */
function isFresh(fields: Fields, directives: ReadonlyMap<string, string>): boolean {
  const seconds = directives.get("s-maxage") ?? directives.get("max-age");
  if (seconds !== undefined) return /^\d+$/.test(seconds) && Number(seconds) > 0;
  const expires = fields.find("expires");
  if (expires === undefined) return true;
  const [untilMs = Number.NaN, sentMs = Number.NaN] = [expires, fields.find("date") ?? ""].map(parseInstant);
  return untilMs > sentMs;
}

/** A cookie belongs to the caller who got it. */
export function mayBeShared(fields: Fields): boolean {
  const directives = directivesOf(fields);
  if (FORBIDDING.some((name) => directives.has(name))) return false;
  return fields.find("set-cookie") === undefined && isFresh(fields, directives);
}
