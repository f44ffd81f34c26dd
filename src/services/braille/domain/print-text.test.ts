/** Any string becomes clean lines; only absurd runs of symbols are cut. */
import { describe, expect, it } from "vitest";
import { linesOf, partsOf } from "./print-text.ts";

describe("lines", () => {
  it("end at every kind of line end", () => {
    expect(linesOf("a\nb\r\nc\rd\u2028e\u2029f\u0085g\vh\fi")).toEqual([..."abcdefghi"]);
  });
  it("are as many as there are line ends between them", () => {
    expect(linesOf("a\n\nb\n")).toEqual(["a", "", "b"]);
    expect(linesOf("")).toEqual([""]);
  });
  it("hold no tabs, no ends, no escapes and no half characters", () => {
    expect(linesOf("a\u001bb\u0000\u0007c\td\u00ade")).toEqual(["ab\u0007c d\u00ade"]);
    expect(linesOf("\ud800x\udc00")).toEqual(["\ufffdx\ufffd"]);
    expect(linesOf("😀")).toEqual(["😀"]);
  });
  it("are composed, so that a letter and its accent are one", () => {
    expect(linesOf("e\u0301")).toEqual(["é"]);
  });
});

describe("parts", () => {
  it("of a sentence are the sentence", () => {
    const sentence = `${"The end, at last… ".repeat(500)}${"-".repeat(80)} and so on`;
    expect(partsOf(sentence).join("")).toBe(sentence);
    expect(partsOf("The quick brown fox. ".repeat(1000))).toHaveLength(1);
  });
  it("of a very long word are short, and nothing is lost", () => {
    const address = `https://example.org/${"a".repeat(470)}`;
    expect(partsOf(`see ${address} and more`)).toHaveLength(1);
    const line = `see ${address.repeat(5)} and ${"😀".repeat(10)}`;
    expect(partsOf(line).join("")).toBe(line);
    for (const part of partsOf(line)) expect(part).not.toMatch(/\S{501}/u);
  });
  it("of a run of symbols are short, and nothing is lost", () => {
    const line = `Contents ${".".repeat(500)} 12 ${"😀".repeat(200)}`;
    const parts = partsOf(line);
    expect(parts.join("")).toBe(line);
    for (const part of parts) expect(part).not.toMatch(/[^\p{L}\p{N}]{81}/u);
  });
});
