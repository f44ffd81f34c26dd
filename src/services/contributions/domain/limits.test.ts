/** How much of texts is searched and shown: the last that fits, and the first that does not. */
import { expect, it } from "vitest";
import { Visits } from "../visits.ts";
import { renderMessage } from "./messages.ts";
import { urlWordsOf } from "./url-words.ts";
import { phrasesOf, wordsOf } from "./words.ts";
import { drawWorld } from "./world-map.ts";

it("words of forty letters are searched, and twenty of a query", () => {
  for (const letter of ["a", "é"])
    expect([39, 40, 41].map((length) => wordsOf(letter.repeat(length))[0]?.length)).toEqual([39, 40, 40]);
  expect([19, 20, 21].map((count) => phrasesOf("word ".repeat(count)).length)).toEqual([19, 20, 20]);
});

it("addresses have eighty letters of a name", () => {
  expect([79, 80, 81].map((length) => urlWordsOf("n".repeat(length), "x").length)).toEqual([79, 80, 80]);
});

it("subjects of messages have 150 letters", () => {
  const subject = (length: number) => {
    const others = renderMessage({ type: "assignment.created", name: "n" }).subject.length - 1;
    return renderMessage({ type: "assignment.created", name: "n".repeat(length - others) }).subject;
  };
  expect([149, 150, 151].map((length) => subject(length).length)).toEqual([149, 150, 150]);
  expect([150, 151].map((length) => subject(length).endsWith("…"))).toEqual([false, true]);
});

it("marks of a map name ten places, and grow to 14", () => {
  const drawn = (count: number) =>
    drawWorld(
      Array.from({ length: count }, (_, index) => ({
        position: { latitude: 1, longitude: 1 },
        text: `p${index}`,
      })),
      (text) => text,
    );
  expect([10, 11].map((count) => drawn(count).includes("more"))).toEqual([false, true]);
  expect(drawn(11)).toContain("p9\nand 1 more");
  expect([13, 14, 16, 32].map((count) => /r="(\d+)"/.exec(drawn(count))?.[1])).toEqual([
    "13",
    "14",
    "14",
    "14",
  ]);
});

it("a network may come thirty times, and ten thousand are known", () => {
  const visits = new Visits();
  const come = (network: string) => visits.note(network, 0);
  const timesOf = (network: string) => Array.from({ length: 31 }, () => come(network)).filter(Boolean).length;
  expect(timesOf("first")).toBe(30);
  for (let other = 1; other < 10_000; other += 1) come(`other ${other}`);
  expect(come("first")).toBe(false);
  come("one more");
  expect(come("first")).toBe(true);
});
