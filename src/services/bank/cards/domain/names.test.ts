/** Names on cards. */
import { expect, it } from "vitest";
import { namesOnCard } from "./cards.ts";

it("a name on a card has 21 characters", () => {
  expect(namesOnCard("N".repeat(21))).toEqual(["N".repeat(21)]);
  expect(namesOnCard("N".repeat(22))).toEqual(["N".repeat(21)]);
});
