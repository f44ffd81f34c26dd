/** Search results with highlighted matches. */
import type { Static } from "@sinclair/typebox";
import { excerpt, highlight, isFoundIn, plainTextOf } from "../domain/search/highlight.ts";
import type { Query } from "../domain/search/query.ts";
import type { CuratedRow, EpisodeRow, PodcastRow } from "../tables.ts";
import type * as shapes from "./shapes.ts";
import { audioOf, type Links, picturesOf, podcastMinimumOf } from "./views.ts";

export function episodeResultOf(
  {
    episode,
    podcast,
    transcript,
  }: { episode: EpisodeRow; podcast: PodcastRow; transcript: string | undefined },
  query: Query,
  links: Links,
): Static<typeof shapes.EpisodeSearchResult> {
  const { language } = podcast;
  const description = plainTextOf(episode.description);
  return {
    id: episode.id,
    rss: podcast.rss,
    link: episode.link,
    audio: audioOf(episode, links),
    ...picturesOf(episode, links),
    storeone_id: Number(podcast.storeone_id),
    pub_date_ms: Number(episode.pub_date_ms),
    audio_length_sec: Number(episode.audio_length_sec),
    explicit_content: Number(episode.explicit_content) === 1,
    vendor_url: links.episode(episode.id),
    title_original: episode.title,
    title_highlighted: highlight(episode.title, language, query),
    description_original: description,
    description_highlighted: excerpt(description, language, query),
    transcripts_highlighted:
      transcript !== undefined && isFoundIn(transcript, language, query)
        ? [excerpt(transcript, language, query)]
        : [],
    podcast: {
      id: podcast.id,
      ...picturesOf(podcast, links),
      genre_ids: JSON.parse(podcast.genre_ids),
      vendor_url: links.podcast(podcast.id),
      listen_score: Number(podcast.listen_score),
      listen_score_global_rank: podcast.listen_score_global_rank,
      title_original: podcast.title,
      title_highlighted: highlight(podcast.title, language, query),
      publisher_original: podcast.publisher,
      publisher_highlighted: highlight(podcast.publisher, language, query),
    },
  };
}

export function podcastResultOf(
  podcast: PodcastRow,
  query: Query,
  links: Links,
): Static<typeof shapes.PodcastSearchResult> {
  const { language } = podcast;
  const description = plainTextOf(podcast.description);
  return {
    id: podcast.id,
    rss: podcast.rss,
    email: podcast.email,
    ...picturesOf(podcast, links),
    website: podcast.website,
    storeone_id: Number(podcast.storeone_id),
    genre_ids: JSON.parse(podcast.genre_ids),
    vendor_url: links.podcast(podcast.id),
    listen_score: Number(podcast.listen_score),
    listen_score_global_rank: podcast.listen_score_global_rank,
    total_episodes: Number(podcast.total_episodes),
    audio_length_sec: Number(podcast.audio_length_sec),
    update_frequency_hours: Number(podcast.update_frequency_hours),
    explicit_content: Number(podcast.explicit_content) === 1,
    earliest_pub_date_ms: Number(podcast.earliest_pub_date_ms),
    latest_pub_date_ms: Number(podcast.latest_pub_date_ms),
    latest_episode_id: podcast.latest_episode_id,
    title_original: podcast.title,
    title_highlighted: highlight(podcast.title, language, query),
    publisher_original: podcast.publisher,
    publisher_highlighted: highlight(podcast.publisher, language, query),
    description_original: description,
    description_highlighted: excerpt(description, language, query),
  };
}

/** Podcasts that a search result shows for each list. */
const LIST_PODCASTS_SHOWN = 5;
/** Language of the stemmer for lists. */
const LIST_LANGUAGE = "English";

export function curatedResultOf(
  list: CuratedRow,
  podcasts: readonly PodcastRow[],
  query: Query,
  links: Links,
): Static<typeof shapes.CuratedListSearchResult> {
  const description = plainTextOf(list.description);
  return {
    id: list.id,
    source_url: list.source_url,
    source_domain: list.source_domain,
    pub_date_ms: Number(list.pub_date_ms),
    vendor_url: links.curated(list.id),
    total: podcasts.length,
    podcasts: podcasts.slice(0, LIST_PODCASTS_SHOWN).map((podcast) => podcastMinimumOf(podcast, links)),
    title_original: list.title,
    title_highlighted: highlight(list.title, LIST_LANGUAGE, query),
    description_original: description,
    description_highlighted: excerpt(description, LIST_LANGUAGE, query),
  };
}
