import { expect, it } from "vitest";
import { withWholeDates } from "./whole-dates.ts";

it.each([
  ["shorter than a page", [9, 8], [9, 8]],
  ["exactly a page", [9, 8, 8], [9, 8, 8]],
  ["with another date after the page", [9, 8, 8, 7], [9, 8, 8]],
  ["with the rest of its last date after the page", [9, 8, 8, 8], [9]],
  ["with one date only, which is cut", [8, 8, 8, 8], [8, 8, 8]],
])("a page %s", (_, dates, page) => {
  expect(withWholeDates(dates, 3, (date) => date)).toEqual(page);
});
