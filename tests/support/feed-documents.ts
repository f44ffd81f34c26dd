/** Feeds as documents for tests, and what is read of one. */
import type { Feed, FeedEpisode } from "../../src/services/podcasts/domain/feeds/feed.ts";
import { openFeed, withoutDoubles } from "../../src/services/podcasts/domain/feeds/read-feed.ts";

const ADDRESS = "https://shows.example.org/feeds/main.xml";
export const AUDIO = "https://audio.example.org/1.mp3";
export const DATE = "Mon, 05 Jan 2026 10:30:00 GMT";
export const DATE_MS = Date.UTC(2026, 0, 5, 10, 30);

export function read(document: string | Uint8Array, contentType = ""): Feed {
  const bytes = typeof document === "string" ? Buffer.from(document) : document;
  const { feed, batchCount, batch } = openFeed(bytes, { contentType, address: ADDRESS });
  const episodes = Array.from({ length: batchCount }, (_, index) => batch(index)).flat();
  return { ...feed, episodes: withoutDoubles(episodes) };
}

const NAMESPACES =
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:psc="http://podlove.org/simple-chapters"';
export const rss = (channel: string, declaration = '<?xml version="1.0" encoding="UTF-8"?>') =>
  `${declaration}<rss version="2.0" ${NAMESPACES}><channel><title>Show</title>${channel}</channel></rss>`;
export const ENCLOSURE = `<enclosure url="${AUDIO}" type="audio/mpeg" length="1000"/>`;
export const item = (inside: string) =>
  rss(`<item><title>One</title><guid>g1</guid><pubDate>${DATE}</pubDate>${ENCLOSURE}${inside}</item>`);
export const bare = (inside: string) => rss(`<item>${inside}</item>`);
export const titled = (title: string) => item("").replace("<title>One</title>", `<title>${title}</title>`);

/** What is read of an item that says nothing but the least. */
export const PLAIN: FeedEpisode = {
  guid: "g1",
  title: "One",
  description: "",
  text: "",
  link: "",
  audio: AUDIO,
  audioType: "audio/mpeg",
  audioBytes: 1000,
  audioLengthSeconds: 0,
  pubDateMs: DATE_MS,
  image: "",
  isExplicit: undefined,
  season: 0,
  number: 0,
  type: "full",
  chapters: [],
  chaptersUrl: "",
  transcript: undefined,
  persons: [],
};
