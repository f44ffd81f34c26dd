/** The answer in its three kinds of document. */
import { describe, expect, it } from "vitest";
import { documentOf, writtenPage } from "./document.ts";
import { readPage } from "./notation.ts";

const page = readPage("  ab\nc", "braille display");
const caption = { text: "a<b> & \u0000\ud800\u2028\u2029", source: "english", destination: "braille dots" };

describe("a page", () => {
  it("is one text in the plain form, with an end to each line", () => {
    expect(writtenPage(page, "braille display", "")).toBe("  ab\r\nc\r\n");
  });
  it("is a list of cells in the others, line ends included", () => {
    expect(writtenPage(page, "braille dots", "")).toEqual([
      "none",
      "none",
      "1",
      "12",
      "\r",
      "\n",
      "14",
      "\r",
      "\n",
    ]);
  });
});

describe("a document", () => {
  it("in JSON gives the text back as it came, whatever was in it", () => {
    const json = documentOf("json", "", ["1"], caption);
    expect(JSON.parse(json)).toEqual({
      success: { total: 1 },
      contents: {
        translated: ["1"],
        text: caption.text,
        translation: { source: "english", destination: "braille dots" },
      },
    });
  });
  it("in JavaScript calls the function with the same", () => {
    const script = documentOf("javascript", "window.done", "x", caption);
    const calls: unknown[] = [];
    new Function("window", script)({ done: (value: unknown) => calls.push(value) });
    expect(calls).toEqual([JSON.parse(documentOf("json", "", "x", caption))]);
    expect(script).not.toMatch(/[\u2028\u2029]/);
  });
  it("in XML holds nothing that XML cannot hold, and keeps carriage returns", () => {
    const xml = documentOf("xml", "", ["1", "\r", "\n"], caption);
    expect(xml).toContain("<translated><cell>1</cell><cell>&#13;</cell><cell>&#10;</cell></translated>");
    expect(xml).toContain("<text>a&lt;b&gt; &amp; \ufffd\ufffd\u2028\u2029</text>");
    expect(documentOf("xml", "", "a\r\n", caption)).toContain("<translated>a&#13;&#10;</translated>");
  });
});
