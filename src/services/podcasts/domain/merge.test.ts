/** Dates of episodes that have none that can be read. */
import { expect, it } from "vitest";
import { bare, ENCLOSURE, item, read, rss } from "../../../../tests/support/feed-documents.ts";
import { mergeEpisodes } from "./merge.ts";

const assumed = (document: string) => {
  const { episodes, dateMs } = read(document);
  return mergeEpisodes("p", [], episodes, dateMs).changed.map(({ assumedDateMs }) => assumedDateMs);
};
const dated = (guid: string, date: string) =>
  `<item><guid>${guid}</guid><pubDate>${date}</pubDate>${ENCLOSURE.replace("1.mp3", `${guid}.mp3`)}</item>`;
const second = (day: number) => Date.UTC(2026, 0, day);

it("is that of the next episode that has one, else of the last that has", () => {
  const feed = rss(
    dated("a", "soon") + dated("b", "2026-01-05") + dated("c", "2026-01-04") + dated("d", "?"),
  );
  expect(assumed(feed)).toEqual([second(5), second(5), second(4), second(4)]);
});
it("is the feed's own where no episode has one, in the feed's order, and never the present", () => {
  const channel = "<lastBuildDate>2026-01-02</lastBuildDate>";
  expect(assumed(rss(channel + dated("a", "") + dated("b", "")))).toEqual([second(2) + 2, second(2) + 1]);
  expect(assumed(bare(`<guid>a</guid>${ENCLOSURE}`))).toEqual([1]);
  expect(assumed(item(""))).toHaveLength(1);
});
