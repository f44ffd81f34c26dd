/** The rules, at their limits. */
import { expect, it } from "vitest";
import { checkReminder, checkRoom } from "./domain.ts";

const NOTES_MAX = 10_000;

it("has room for as many notes as it says", () => {
  expect(() => checkRoom(NOTES_MAX - 1)).not.toThrow();
  expect(() => checkRoom(NOTES_MAX)).toThrow("10000 notes");
});

it.each([
  ["none", undefined, undefined, true],
  ["just ahead", 11, undefined, true],
  ["now", 10, undefined, false],
  ["past", 9, undefined, false],
  ["past, as it was before", 9, 9, true],
  ["past, but another than before", 8, 9, false],
])("takes a reminder: %s", (_what, wantedMs, beforeMs, fine) => {
  const check = () => checkReminder(10, wantedMs, beforeMs);
  if (fine) expect(check).not.toThrow();
  else expect(check).toThrow("past");
});
