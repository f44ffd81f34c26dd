/** The limits, one below and one above. */
import { expect, it } from "vitest";
import { checkRoom, checkSessions, roleSeconds } from "./limits.ts";

const ROLES_MAX = 1000;
const SESSIONS_MAX = 5000;

it("has room for as many roles and sessions as it says", () => {
  expect(() => checkRoom(ROLES_MAX - 1)).not.toThrow();
  expect(() => checkRoom(ROLES_MAX)).toThrow("1000 roles");
  expect(() => checkSessions(SESSIONS_MAX - 1)).not.toThrow();
  expect(() => checkSessions(SESSIONS_MAX)).toThrow("5000 sessions");
});

it.each([
  [undefined, 3600, false, 3600],
  [43_200, 43_200, false, 43_200],
  [43_200, 43_200, true, "1 hour session limit"],
  [3600, 43_200, true, 3600],
  [3601, 43_200, true, "1 hour session limit"],
  [3601, 3600, false, "MaxSessionDuration"],
  [899, 3600, false, "greater than or equal to 900"],
  [43_201, 43_200, false, "less than or equal to 43200"],
])("a role's session of %s seconds where %i are allowed, chained: %s", (wanted, max, isChained, outcome) => {
  const seconds = () => roleSeconds(wanted, max, isChained);
  if (typeof outcome === "number") expect(seconds()).toBe(outcome);
  else expect(seconds).toThrow(outcome);
});
