/** How many words of each text are found: PostgreSQL has places for so many. */
import { expect, it } from "vitest";
import type { EpisodeRow, PodcastRow } from "../tables.ts";
import { documentOfPodcast, episodeDocuments } from "./search-documents.ts";

const words = (count: number): string => "word ".repeat(count);
const countIn = (text: string): number => (text === "" ? 0 : text.split(" ").length);

const podcastOf = (more: Partial<PodcastRow>): PodcastRow =>
  ({
    id: "p",
    genre_ids: "[]",
    title: "",
    publisher: "",
    description: "",
    language: "English",
    country: "",
    latest_pub_date_ms: 0,
    audio_length_sec: 0,
    ...more,
  }) as PodcastRow;

it("150 words of a podcast's title and publisher, 2,000 of its description", () => {
  const counts = (count: number) => {
    const { title, author } = documentOfPodcast(
      "a",
      podcastOf({ title: words(count), publisher: words(count) }),
    );
    return [title, author].map(countIn);
  };
  expect([149, 150, 151].map(counts)).toEqual([
    [149, 149],
    [150, 150],
    [150, 150],
  ]);
  const described = (count: number) =>
    countIn(documentOfPodcast("a", podcastOf({ description: words(count) })).description);
  expect([1999, 2000, 2001].map(described)).toEqual([1999, 2000, 2000]);
});

it("12,000 words of what is said in an episode, and 75 of each name of its podcast", () => {
  const podcast = podcastOf({ title: words(76), publisher: words(76) });
  const documentOf = (said: number) => {
    const episode = { id: "e", title: "", description: "", audio_length_sec: 0, pub_date_ms: 0 };
    return episodeDocuments("a", podcast, new Map([["e", words(said)]]))(episode as EpisodeRow);
  };
  expect(countIn(documentOf(1).author)).toBe(150);
  expect([11_999, 12_000, 12_001].map((count) => countIn(documentOf(count).audio))).toEqual([
    11_999, 12_000, 12_000,
  ]);
});
