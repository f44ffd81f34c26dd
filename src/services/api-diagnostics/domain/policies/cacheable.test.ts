/** Which responses a gateway may cache for all callers, by their headers. */
import { expect, it } from "vitest";
import { mayBeShared } from "./cacheable.ts";
import { Fields } from "./run.ts";

const DATE = "Wed, 21 Oct 2026 07:28:00 GMT";
const LATER = "Wed, 21 Oct 2026 07:28:01 GMT";

it.each<[string, Record<string, string>, boolean]>([
  ["nothing said", {}, true],
  ["a cookie", { "set-cookie": "a=1" }, false],
  ["private", { "cache-control": "private" }, false],
  ["private, in capitals and with a field", { "cache-control": 'max-age=60, Private="set-cookie"' }, false],
  ["no-store", { "cache-control": "no-store" }, false],
  ["no-cache", { "cache-control": "no-cache" }, false],
  ["public", { "cache-control": "public, max-age=1" }, true],
  ["an age of zero", { "cache-control": "max-age=0" }, false],
  ["an age that is no number", { "cache-control": "max-age=soon" }, false],
  ["a shared age of zero", { "cache-control": "max-age=60, s-maxage=0" }, false],
  ["a shared age, and none for others", { "cache-control": "max-age=0, s-maxage=60" }, true],
  ["an end after the date", { date: DATE, expires: LATER }, true],
  ["an end at the date", { date: DATE, expires: DATE }, false],
  ["an end before the date", { date: LATER, expires: DATE }, false],
  ["an end that is no date", { date: DATE, expires: "0" }, false],
  ["an end without a date", { expires: LATER }, false],
  ["a past end, but an age", { date: LATER, expires: DATE, "cache-control": "max-age=60" }, true],
])("%s", (_what, headers, isShared) => {
  expect(mayBeShared(new Fields(Object.entries(headers)))).toBe(isShared);
});
