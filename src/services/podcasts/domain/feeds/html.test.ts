/** Texts of strangers, cleaned. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { cleanHtml } from "./html.ts";

it("cleans a line of plain text as it would clean markup", () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[<&\r\n]/g, "").trim());
  fc.assert(
    fc.property(line, (text) => {
      const marked = cleanHtml(`<i></i>${text}`);
      const plain = cleanHtml(text);
      expect(plain.text).toBe(marked.text);
      expect(`<i></i>${plain.html}`).toBe(marked.html);
    }),
  );
});

it("cuts what is too long, marked or not", () => {
  expect(cleanHtml("a".repeat(30), { charactersMax: 10 }).text).toBe(`${"a".repeat(10)}…`);
  expect(cleanHtml(`<p>${"a".repeat(30)}`, { charactersMax: 10 }).text).toMatch(/^a{1,10}…$/);
});
