/** Points of titles and authors. */
import { expect, it } from "vitest";
import { parseQuery } from "./query.ts";
import { pointsFor } from "./rank.ts";

const points = (query: string, title: string, author = "") =>
  pointsFor(
    parseQuery(query, ["en"]),
    0,
  )({ title: title.split(" "), author: author.split(" "), pubDateMs: 0, listenScore: 0 });

it("prefers words in a row to words apart, and a beginning to a row", () => {
  expect(points("star war", "garden star war")).toBeGreaterThan(points("star war", "war garden star"));
  expect(points("star war", "star war garden")).toBeGreaterThan(points("star war", "garden star war"));
  expect(points("star war", "star war")).toBeGreaterThan(points("star war", "star war garden"));
  expect(points("star war", "garden star")).toBeGreaterThan(points("star war", "garden"));
  expect(points("star war", "garden", "star war")).toBeGreaterThan(points("star war", "garden", "war star"));
});
