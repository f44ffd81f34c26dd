/** Payments find their category by words, and by whole ones. */
import { expect, it } from "vitest";
import { categoryOf } from "./categories.ts";

it.each([
  ["Rent of May", "HOUSING"],
  ["RENT-2026/05", "HOUSING"],
  ["Dinner with my parents", "FOOD_AND_DRINKS"],
  ["For my parents", "OTHER"],
  ["Something different", "OTHER"],
  ["Watermelon", "OTHER"],
  ["Energy and water", "HOUSING"],
  ["Weekly groceries", "GROCERIES"],
  ["Two taxis", "TRANSPORT"],
  ["Barber", "OTHER"],
  ["", "OTHER"],
])("%s is %s", (text, category) => expect(categoryOf(text, [])).toBe(category));

it("takes a user's own words first, whole as well", () => {
  const own = [{ category: "TOYS", words: ["Marble", "toy train", "  "] }];
  expect(categoryOf("Red marbles", own)).toBe("TOYS");
  expect(categoryOf("A Toy  Train", own)).toBe("TOYS");
  expect(categoryOf("Marblehead", own)).toBe("OTHER");
  expect(categoryOf("Train", own)).toBe("TRANSPORT");
});
