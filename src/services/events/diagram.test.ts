/** Names in a diagram: 26 letters are drawn whole, longer ones end with an ellipsis. */
import { expect, it } from "vitest";
import { drawStates } from "./diagram.ts";

it.each([
  [26, "a".repeat(26)],
  [27, `${"a".repeat(25)}…`],
])("%i letters of a state and of an event", (length, drawn) => {
  const name = "a".repeat(length);
  const svg = drawStates([{ name, count: "", next: [{ label: name, to: name }] }], name);
  expect([...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([drawn, drawn]);
});
