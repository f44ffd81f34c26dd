import { expect, it } from "vitest";
import type { StandbyState } from "../db/database.ts";
import type { AnyDb } from "../db/index.ts";
import { mayReadOld } from "./old-reads.ts";

const standbyIn = (state: StandbyState) => ({
  standby: { read: {} as AnyDb, state, check: async () => {} },
});
const behind = standbyIn({ isUsed: true, lagSeconds: 1.5 });

it("reads a standby only if the operation, the request and the standby allow it", () => {
  const cases: [string | undefined, boolean][] = [
    [undefined, false],
    ["no-cache", false],
    ["max-age=5", false],
    ["max-stale", true],
    ["no-transform, MAX-STALE=2", true],
    ["max-stale=1", false],
    ["max-stale=2,no-transform", true],
    ["max-stale=soon", false],
    ["x-max-stale", false],
  ];
  for (const [cacheControl, expected] of cases) {
    const headers = { "cache-control": cacheControl };
    expect([cacheControl, mayReadOld(behind, { mayBeOld: "if-allowed" }, headers)]).toEqual([
      cacheControl,
      expected,
    ]);
    expect(mayReadOld(behind, {}, headers)).toBe(false);
    expect(mayReadOld({}, { mayBeOld: "always" }, headers)).toBe(false);
  }
  expect(mayReadOld(behind, { mayBeOld: "always" }, {})).toBe(true);
  const away = standbyIn({ isUsed: false, problem: "away" });
  expect(mayReadOld(away, { mayBeOld: "always" }, { "cache-control": "max-stale" })).toBe(false);
});
