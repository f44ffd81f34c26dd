/** How much an advance of the clock runs, and how many of the runs it lists. */
import { expect, it } from "vitest";
import { JourneyLog } from "./journey-log.ts";

const ran = { id: "1", name: "a", service: "s", account: "1", runAtMs: 0, outcome: "done" } as const;

it("lists a thousand runs, and has room for a million", () => {
  const log = new JourneyLog(() => false);
  for (let run = 0; run < 1000; run += 1) log.add(ran);
  expect([log.ran.length, log.room]).toEqual([1000, 999_000]);
  log.add(ran);
  expect([log.ran.length, log.room, log.count]).toEqual([1000, 998_999, 1001]);
  expect(log.summary()).toEqual([{ name: "a", housekeeping: false, done: 1001, retried: 0, failed: 0 }]);
});
