/** Converts rows to the public API. */
import type { Static } from "@sinclair/typebox";
import type { Context } from "#kernel/operation";
import { TUNE_PREFIX } from "../domain/tune.ts";
import type { EpisodeRow, PodcastRow } from "../tables.ts";
import type * as shapes from "./shapes.ts";

/** URLs of pages. */
export type Links = {
  podcast(id: string): string;
  /** Generated cover for a podcast without an image. */
  cover(podcastId: string): string;
  /** Generated audio for demo episodes. */
  tune(episodeId: string): string;
  episode(id: string): string;
  curated(id: string): string;
  playlist(id: string): string;
  genre(id: number): string;
};
export function linksOf({ request, account }: Pick<Context, "request" | "account">): Links {
  const listen = `${request.mountUrl}/listen/${account}`;
  return {
    podcast: (id) => `${listen}/podcasts/${id}`,
    cover: (podcastId) => `${listen}/covers/${podcastId}`,
    tune: (episodeId) => `${listen}/tunes/${episodeId}`,
    episode: (id) => `${listen}/episodes/${id}`,
    curated: (id) => `${listen}/curated/${id}`,
    playlist: (id) => `${listen}/playlists/${id}`,
    genre: (id) => `${listen}/genres/${id}`,
  };
}

/** Database drivers return large numbers as text. */
const numberOf = (value: number | string): number => Number(value);
const flagOf = (value: number): boolean => Number(value) === 1;

/** The image of the feed, or a generated one. */
export const picturesOf = (row: PodcastRow | EpisodeRow, links: Links) => {
  const drawn = row.image === "" ? links.cover("podcast_id" in row ? row.podcast_id : row.id) : "";
  return { image: row.image || drawn, thumbnail: row.thumbnail || drawn };
};

/** Generated audio is stored without a host, so its full URL is built for each request. */
export const audioOf = ({ id, audio }: Pick<EpisodeRow, "id" | "audio">, links: Links): string =>
  audio.startsWith(TUNE_PREFIX) ? links.tune(id) : audio;

export const podcastMinimumOf = (row: PodcastRow, links: Links): Static<typeof shapes.PodcastMinimum> => ({
  id: row.id,
  title: row.title,
  publisher: row.publisher,
  ...picturesOf(row, links),
  vendor_url: links.podcast(row.id),
  listen_score: numberOf(row.listen_score),
  listen_score_global_rank: row.listen_score_global_rank,
});

export const podcastSimpleOf = (row: PodcastRow, links: Links): Static<typeof shapes.PodcastSimple> => ({
  ...podcastMinimumOf(row, links),
  description: row.description,
  email: row.email,
  website: row.website,
  rss: row.rss,
  language: row.language,
  country: row.country,
  type: row.type === "serial" ? "serial" : "episodic",
  genre_ids: JSON.parse(row.genre_ids),
  storeone_id: numberOf(row.storeone_id),
  is_claimed: flagOf(row.is_claimed),
  explicit_content: flagOf(row.explicit_content),
  has_guest_interviews: flagOf(row.has_guest_interviews),
  has_sponsors: flagOf(row.has_sponsors),
  total_episodes: numberOf(row.total_episodes),
  audio_length_sec: numberOf(row.audio_length_sec),
  update_frequency_hours: numberOf(row.update_frequency_hours),
  earliest_pub_date_ms: numberOf(row.earliest_pub_date_ms),
  latest_pub_date_ms: numberOf(row.latest_pub_date_ms),
  latest_episode_id: row.latest_episode_id,
  extra: JSON.parse(row.extra),
  looking_for: JSON.parse(row.looking_for),
});

/** `maybe_audio_invalid` marks withdrawn episodes, because their audio is often deleted too. */
export const episodeMinimumOf = (row: EpisodeRow, links: Links) => ({
  id: row.id,
  title: row.title,
  description: row.description,
  link: row.link,
  audio: audioOf(row, links),
  audio_length_sec: numberOf(row.audio_length_sec),
  pub_date_ms: numberOf(row.pub_date_ms),
  ...picturesOf(row, links),
  explicit_content: flagOf(row.explicit_content),
  maybe_audio_invalid: !flagOf(row.is_listed) || row.audio === "",
  vendor_url: links.episode(row.id),
  vendor_edit_url: `${links.episode(row.id)}#edit`,
});

export const episodeSimpleOf = (
  row: EpisodeRow,
  podcast: PodcastRow,
  links: Links,
): Static<typeof shapes.EpisodeSimple> => ({
  ...episodeMinimumOf(row, links),
  podcast: podcastMinimumOf(podcast, links),
});
