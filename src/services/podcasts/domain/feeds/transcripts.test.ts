/** The most that is kept of a transcript. */
import { expect, it } from "vitest";
import { readTranscript } from "./transcripts.ts";

const MOST = 2_000_000;
const lengthKept = (text: string, contentType: string): number | undefined =>
  readTranscript(Buffer.from(text), contentType)?.text.length;

it.each([
  [MOST - 1, MOST - 1],
  [MOST, MOST],
  [MOST + 1, MOST],
])("of %d characters of plain text %d are kept", (given, kept) => {
  expect(lengthKept("a".repeat(given), "text/plain")).toBe(kept);
});

it("two million characters of cues are kept", () => {
  const cue = `00:00.000 --> 00:01.000\n${"a".repeat(999)}\n\n`;
  const of = (count: number) => lengthKept(`WEBVTT\n\n${cue.repeat(count)}`, "text/vtt");
  expect(of(1_999)).toBe(1_999_000 - 1);
  expect(of(2_001)).toBe(MOST);
});
