/** Texts of strangers, cleaned. */
import fc from "fast-check";
import { Parser } from "htmlparser2";
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

it("reads a thousand open tags, and leaves out what follows a further one", () => {
  expect(cleanHtml(`${"<b>".repeat(1000)}deep`).text).toBe("deep");
  expect(cleanHtml(`before${"<b>".repeat(1001)}deeper`).text).toBe("before");
  expect(cleanHtml(`${"<br><b></b>".repeat(1001)}shallow`).text).toBe("shallow");
});

it.each([
  ["Sour<!-- unfinished >dough<script>x</script>", "Sourdough"],
  ["Sourdough <!-- and nothing after it", "Sourdough"],
  ["Sour<!-- kept apart -->dough<!---->", "Sourdough"],
  ["<!DOCTYPE html><p>Sourdough", "Sourdough"],
  ["Sourdough <!DOCTYPE and <!more", "Sourdough <!DOCTYPE and <!more"],
  ["<![CDATA[<p>Sourdough</p>]]>", "Sourdough"],
  ["<![CDATA[Sourdough]]&gt;", "Sourdough"],
])("loses no text to a declaration: %s", (markup, text) => {
  expect(cleanHtml(markup).text).toBe(text);
});

it("lets nothing through but the tags and addresses that it knows, whatever it reads", () => {
  const pieces =
    "< > </ /> <p> <p </p> <a <a> </a> href= href=javascript:alert(1) href='https://a.example/?\"x' ' \" = <script> </script> " +
    "<style> <svg> </svg> <math> <template> <!-- --> <![CDATA[ ]]> &lt; &gt; &#x6a;avascript: &quot; onerror=x <b> <i </i> \0 x";
  const hostile = fc.array(fc.constantFrom(...pieces.split(" "), " "), { maxLength: 30 });
  const KNOWN = new Set("p br b strong i em u ul ol li a blockquote code pre h1 h2 h3 h4".split(" "));
  fc.assert(
    fc.property(hostile, (parts) => {
      const { html } = cleanHtml(parts.join(""));
      const parser = new Parser({
        onopentag(name, attributes) {
          expect(KNOWN.has(name)).toBe(true);
          const { href, rel, ...others } = attributes;
          expect(others).toEqual({});
          if (name === "a")
            expect([rel, /^(?:https?:\/\/|mailto:)/i.test(href ?? "")]).toEqual(["nofollow noopener", true]);
        },
        oncomment: () => expect.fail("a comment"),
        onprocessinginstruction: () => expect.fail("an instruction"),
      });
      parser.end(html);
    }),
    { numRuns: 1000 },
  );
});
