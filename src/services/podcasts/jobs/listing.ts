/** Builds rows from a parsed feed. */

import { detectorTextOf, hasGuestInterview, hasSponsor, isExplicit } from "../domain/detectors.ts";
import { hostOf } from "../domain/feeds/addresses.ts";
import type { Feed } from "../domain/feeds/feed.ts";
import { genreIdsOf } from "../domain/genres.ts";
import { languageOf } from "../domain/languages.ts";
import type { ChangedEpisode } from "../domain/merge.ts";
import { countryOf } from "../domain/places.ts";
import type { EpisodeRow, PodcastRow } from "../tables.ts";

type Head = Omit<Feed, "episodes">;
const flag = (value: boolean): number => (value ? 1 : 0);

const WANTED: Readonly<Record<string, RegExp>> = {
  guests: /\b(?:looking for|want|seeking|book(?:ing)?|be a|apply to be a)\s(?:new\s|our\s)?guests?\b/i,
  cohosts: /\b(?:looking for|seeking)\s(?:a\s)?(?:new\s)?co-?hosts?\b/i,
  sponsors: /\b(?:looking for|seeking|become (?:a|our))\s(?:new\s)?sponsors?\b/i,
  cross_promotion: /\bcross[\s-]promot(?:e|ion|ions)\b/i,
};
const lookingForOf = (text: string) =>
  Object.fromEntries(Object.entries(WANTED).map(([member, pattern]) => [member, pattern.test(text)]));

/** Whether the submitter's e-mail address is the owner's address in the feed. */
const isOwners = (feed: Head, email: string): boolean =>
  email !== "" && feed.email.toLowerCase() === email.trim().toLowerCase();

/** Columns from the feed itself. Columns computed from episodes follow later. */
export function podcastChangesOf(
  feed: Head,
  { rss, email }: { readonly rss: string; readonly email: string },
) {
  const domain = hostOf(feed.website);
  const sample = `${feed.title}. ${feed.text}`;
  return {
    title: feed.title,
    description: feed.description,
    publisher: feed.publisher,
    email: feed.email,
    website: feed.website,
    domain,
    rss,
    image: feed.image,
    thumbnail: feed.image,
    language: languageOf(feed.languageTag, sample),
    country: countryOf(feed.languageTag, domain),
    genre_ids: JSON.stringify(genreIdsOf(feed.categories)),
    type: feed.type,
    explicit_content: flag(feed.isExplicit ?? isExplicit(detectorTextOf(feed.title, feed.text))),
    storeone_id: feed.storeOneId,
    storetwo_id: feed.storeTwoId,
    podcasting: JSON.stringify(feed.podcasting),
    extra: JSON.stringify(feed.extra),
    looking_for: JSON.stringify(lookingForOf(feed.text)),
    ...(isOwners(feed, email) && { is_claimed: 1 }),
  } satisfies Partial<PodcastRow>;
}

export function newPodcastRow(
  account: string,
  id: string,
  changes: ReturnType<typeof podcastChangesOf>,
  nowMs: number,
): PodcastRow {
  return {
    account,
    id,
    is_claimed: 0,
    total_episodes: 0,
    audio_length_sec: 0,
    earliest_pub_date_ms: 0,
    latest_pub_date_ms: 0,
    latest_episode_id: "",
    update_frequency_hours: 0,
    listen_score: 0,
    listen_score_global_rank: "",
    has_guest_interviews: 0,
    has_sponsors: 0,
    added_at: nowMs,
    updated_at: nowMs,
    ...changes,
  };
}

type Place = {
  readonly account: string;
  readonly podcast: Pick<PodcastRow, "id" | "image" | "explicit_content">;
  readonly nowMs: number;
};
/**
 * An episode without an image has the podcast's image. An episode without a valid date keeps its stored
 * date, or gets one from its position in the feed. It never gets the current time.
 */
export function episodeRowOf(
  { id, episode, contentHash, earlierDateMs, assumedDateMs }: ChangedEpisode,
  { account, podcast, nowMs }: Place,
): EpisodeRow {
  const image = episode.image || podcast.image;
  const { title, text, persons } = episode;
  const detectable = detectorTextOf(title, text);
  const hasGuest = persons.some(({ role }) => role === "guest") || hasGuestInterview(detectable);
  return {
    account,
    id,
    podcast_id: podcast.id,
    guid: episode.guid,
    title,
    description: episode.description,
    link: episode.link,
    audio: episode.audio,
    audio_type: episode.audioType,
    audio_bytes: episode.audioBytes,
    audio_length_sec: episode.audioLengthSeconds,
    pub_date_ms: episode.pubDateMs ?? earlierDateMs ?? assumedDateMs,
    image,
    thumbnail: image,
    explicit_content: flag(episode.isExplicit ?? (podcast.explicit_content === 1 || isExplicit(detectable))),
    season: episode.season,
    number: episode.number,
    type: episode.type,
    chapters: JSON.stringify(episode.chapters),
    chapters_url: episode.chaptersUrl,
    transcript_url: episode.transcript?.url ?? "",
    transcript_type: episode.transcript?.type ?? "",
    persons: JSON.stringify(persons),
    has_guest_interviews: flag(hasGuest),
    has_sponsors: flag(hasSponsor(detectable)),
    content_hash: contentHash,
    is_listed: 1,
    added_at: nowMs,
    updated_at: nowMs,
  };
}
