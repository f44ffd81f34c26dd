/** How much is read of a feed: the last that is kept, and the first that is not. */
import { expect, it } from "vitest";
import { AUDIO, bare, ENCLOSURE, item, read, rss } from "../../../../../tests/support/feed-documents.ts";
import { isFirstPart } from "../../../../../tests/support/test-part.ts";
import { detectorTextOf, hasGuestInterview } from "../detectors.ts";
import { parseFeedDate } from "./dates.ts";
import { withDeclaredEntities } from "./declared-entities.ts";
import { FeedProblem } from "./feed.ts";
import { cleanHtml } from "./html.ts";
import { readChapters, readTranscript } from "./transcripts.ts";
import { readXml } from "./xml-tree.ts";

const timesOf = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join("");

it("twenty thousand items of a feed", () => {
  const reading = (count: number) => () => read(rss("<item/>".repeat(count)));
  expect(reading(20_000)).not.toThrow();
  expect(reading(20_001)).toThrow(new FeedProblem("The feed has more than 20000 episodes."));
});

it("a hundred elements in one another", () => {
  const reading = (count: number) => () => read(rss(`${"<a>".repeat(count)}${"</a>".repeat(count)}`));
  expect(reading(98)).not.toThrow();
  expect(reading(99)).toThrow("nested too deeply");
});

it("twenty categories", () => {
  const categories = (count: number) =>
    read(rss(timesOf(count, (index) => `<category>c${index}</category>`))).categories.length;
  expect([19, 20, 21].map(categories)).toEqual([19, 20, 20]);
});

it("fifty persons, pages to give at, podcasts to recommend, and recipients of value", () => {
  const counts = (count: number) => {
    const { podcasting } = read(
      rss(
        [
          timesOf(count, (index) => `<podcast:person>p${index}</podcast:person>`),
          timesOf(
            count,
            (index) => `<podcast:funding url="https://give.example/${index}">Give</podcast:funding>`,
          ),
          `<podcast:podroll>${timesOf(count, (index) => `<podcast:remoteItem feedGuid="g-${index}"/>`)}</podcast:podroll>`,
          `<podcast:value type="a" method="b">${timesOf(count, (index) => `<podcast:valueRecipient address="${index}" split="1"/>`)}</podcast:value>`,
        ].join(""),
      ),
    );
    const { persons, funding, podroll, value } = podcasting;
    return [persons, funding, podroll, value?.recipients].map((all) => all?.length);
  };
  expect([49, 50, 51].map(counts)).toEqual([Array(4).fill(49), Array(4).fill(50), Array(4).fill(50)]);
});

it("identifiers of five hundred characters, and hashes of longer ones", () => {
  const lengthOf = (length: number) => {
    const guid = read(bare(`<guid isPermaLink="false">${"g".repeat(length)}</guid>${ENCLOSURE}`)).episodes[0]
      ?.guid;
    return guid?.startsWith("sha256:") ? "hash" : guid?.length;
  };
  expect([499, 500, 501].map(lengthOf)).toEqual([499, 500, "hash"]);
});

it("sizes of audio up to the last whole number", () => {
  const bytesOf = (length: string) =>
    read(bare(`<enclosure url="${AUDIO}" type="audio/mpeg" length="${length}"/>`)).episodes[0]?.audioBytes;
  expect(["9007199254740991", "9007199254740993"].map(bytesOf)).toEqual([9007199254740991, 0]);
});

it("five hundred chapters, in the feed and in a file", () => {
  const inFeed = (count: number) =>
    read(
      item(
        `<psc:chapters>${timesOf(count, (index) => `<psc:chapter start="${index}" title="c"/>`)}</psc:chapters>`,
      ),
    ).episodes[0]?.chapters?.length;
  expect([499, 500, 501].map(inFeed)).toEqual([499, 500, 500]);
  const inFile = (count: number) => {
    const chapters = Array.from({ length: count }, (_, startTime) => ({ startTime, title: "c" }));
    return readChapters(Buffer.from(JSON.stringify({ chapters })), "application/json", "")?.length;
  };
  expect([499, 500, 501].map(inFile)).toEqual([499, 500, 500]);
});

it("fifty thousand cues of a transcript", () => {
  const timed = (count: number) => `WEBVTT\n\n${"00:00.000 --> 00:01.000\na\n\n".repeat(count)}`;
  const cuesOf = (text: string, type: string) => readTranscript(Buffer.from(text), type)?.cues.length;
  expect([50_000, 50_001].map((count) => cuesOf(timed(count), "text/vtt"))).toEqual([50_000, 50_000]);
  const listed = (count: number) => {
    const segments = Array.from({ length: count }, () => ({ startTime: 0, endTime: 1, body: "a" }));
    return cuesOf(JSON.stringify({ segments }), "application/json");
  };
  expect([50_000, 50_001].map(listed)).toEqual([50_000, 50_000]);
});

it("fifty tags in one another, of those that are kept", () => {
  const tagsOf = (count: number) =>
    cleanHtml(`${"<b>".repeat(count)}deep${"</b>".repeat(count)}`).html.match(/<b>/g)?.length;
  expect([49, 50, 51].map(tagsOf)).toEqual([49, 50, 50]);
});

it("a hundred thousand characters of entities that a document declares", () => {
  const declared = `<!DOCTYPE rss [<!ENTITY a "${"a".repeat(1000)}"><!ENTITY b "b">]>`;
  const left = (references: string) => withDeclaredEntities(`${declared}<t>${references}</t>`).match(/&\w;/g);
  expect(left(`${"&a;".repeat(99)}${"&b;".repeat(1000)}`)).toBeNull();
  expect(left(`${"&a;".repeat(100)}&b;`)).toEqual(["&b;"]);
  expect(left(`${"&a;".repeat(99)}&b;&a;`)).toEqual(["&a;"]);
});

it("a hundred characters of a date", () => {
  const date = (spaces: number) => parseFeedDate(`5 Jan 2026${" ".repeat(spaces)}10:30:00 +0100`);
  const written = Date.UTC(2026, 0, 5, 9, 30);
  expect([100, 101].map((length) => date(length - 24) === written)).toEqual([true, false]);
});

it("twenty thousand characters of a description, to tell what it says of an episode", () => {
  const told = (before: number) => hasGuestInterview(detectorTextOf("", `${" ".repeat(before)}guest:`));
  expect([told(20_000 - 6), told(20_000 - 5)]).toEqual([true, false]);
});

it.skipIf(isFirstPart())("two million elements of a document", () => {
  const reading = (count: number) => () => readXml(`<a>${"<b/>".repeat(count - 1)}</a>`);
  expect(reading(2_000_000)).not.toThrow();
  expect(reading(2_000_001)).toThrow("has too many parts");
});
