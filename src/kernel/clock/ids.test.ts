/** Identifiers sort in the order they were made, and no two are alike. */
import { expect, it } from "vitest";
import { Ids } from "./ids.ts";

it("sorts by when it was made, within a millisecond as well", () => {
  const ids = new Ids();
  const made = Array.from({ length: 5000 }, () => ids.sortable());
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
  expect(made.every((id) => /^[0-9a-hjkmnp-tv-z]{23}$/.test(id))).toBe(true);
});

it("tells the time first, in nine digits to the base of 32", () => {
  const before = Date.now();
  const digits = "0123456789abcdefghjkmnpqrstvwxyz";
  const time = [...new Ids().next("job").slice("job_".length, "job_".length + 9)].reduce(
    (sum, digit) => sum * 32 + digits.indexOf(digit),
    0,
  );
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

it("cannot be told from the one before", () => {
  const ids = new Ids();
  const tails = Array.from({ length: 1000 }, () => ids.sortable().slice(13));
  expect(new Set(tails).size).toBe(tails.length);
});
