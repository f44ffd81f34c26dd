/** Podcasts as OPML, and episodes as RSS. */
import { httpDateOf } from "#kernel/clock";
import { escapeHtml } from "#kernel/html";
import type { EpisodeRow, PodcastRow } from "../tables.ts";
import { audioOf, type Links, picturesOf } from "./views.ts";

const attribute = (name: string, value: string): string =>
  value === "" ? "" : ` ${name}="${escapeHtml(value)}"`;
const outline = (podcast: PodcastRow): string =>
  `<outline type="rss"${attribute("text", podcast.title)}${attribute("title", podcast.title)}${attribute(
    "xmlUrl",
    podcast.rss,
  )}${attribute("htmlUrl", podcast.website)}${attribute("language", podcast.language)}/>\n`;

/** Streams the document, because there can be many podcasts. */
export async function* opmlOf(
  batches: AsyncIterable<readonly PodcastRow[]>,
  nowMs: number,
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n<head><title>Podcasts</title><dateCreated>${httpDateOf(nowMs)}</dateCreated></head>\n<body>\n`;
  for await (const podcasts of batches) yield podcasts.map(outline).join("");
  yield "</body>\n</opml>\n";
}

type Found = { readonly episode: EpisodeRow; readonly podcast: PodcastRow };
const element = (name: string, text: string): string =>
  text === "" ? "" : `<${name}>${escapeHtml(text)}</${name}>`;
function itemOf({ episode, podcast }: Found, links: Links): string {
  const seconds = Number(episode.audio_length_sec);
  return [
    "<item>",
    element("title", `${episode.title} (${podcast.title})`),
    `<guid isPermaLink="false">${escapeHtml(episode.id)}</guid>`,
    element("link", links.episode(episode.id)),
    element("description", episode.description),
    element("pubDate", httpDateOf(Number(episode.pub_date_ms))),
    `<enclosure${attribute("url", audioOf(episode, links))}${attribute("type", episode.audio_type || "audio/mpeg")} length="${Number(episode.audio_bytes)}"/>`,
    element("itunes:author", podcast.publisher),
    seconds > 0 ? element("itunes:duration", String(seconds)) : "",
    `<itunes:image${attribute("href", picturesOf(episode, links).image)}/>`,
    `<itunes:explicit>${Number(episode.explicit_content) === 1}</itunes:explicit>`,
    "</item>\n",
  ].join("");
}

export type Channel = { readonly title: string; readonly self: string; readonly nowMs: number };
export const rssOf = (episodes: readonly Found[], { title, self, nowMs }: Channel, links: Links): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
${element("title", title)}
${element("link", self)}
<atom:link rel="self" type="application/rss+xml"${attribute("href", self)}/>
${element("description", "Episodes that a search finds, the latest first.")}
${element("lastBuildDate", httpDateOf(nowMs))}
${episodes.map((one) => itemOf(one, links)).join("")}</channel>
</rss>
`;
