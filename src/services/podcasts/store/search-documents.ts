/** Builds search documents of podcasts, episodes and curated lists. */

import { ancestorsOf } from "../domain/genres.ts";
import {
  ANYTHING,
  EXPLICIT,
  genreFacet,
  INTERVIEW,
  languageFacet,
  lengthFacets,
  podcastFacet,
  regionFacet,
  SPONSORED,
} from "../domain/search/facets.ts";
import { plainTextOf } from "../domain/search/highlight.ts";
import { orderOf } from "../domain/search/order.ts";
import { stemmedWordsOf } from "../domain/search/stems.ts";
import type { CuratedRow, DocumentRow, EpisodeRow, PodcastRow } from "../tables.ts";

/** PostgreSQL limits word positions to 16,383. The migration has the start positions of the fields. */
const TITLE_WORDS_MAX = 150;
const AUTHOR_WORDS_MAX = 150;
const DESCRIPTION_WORDS_MAX = 2_000;
const AUDIO_WORDS_MAX = 12_000;

const textOf = (text: string, language: string, wordsMax: number): string =>
  stemmedWordsOf(text, language, wordsMax).join(" ");
const authorOf = (names: readonly string[], language: string): string =>
  names.flatMap((name) => stemmedWordsOf(name, language, AUTHOR_WORDS_MAX / names.length)).join(" ");
const isSet = (flag: number): boolean => Number(flag) === 1;

/** Computed once for each batch of episodes. */
export function podcastFacets(podcast: PodcastRow): string[] {
  const genres: number[] = JSON.parse(podcast.genre_ids);
  const withParents = new Set(genres.flatMap((id) => [id, ...ancestorsOf(id)]));
  return [
    ANYTHING,
    podcastFacet(podcast.id),
    languageFacet(podcast.language),
    ...(podcast.country === "" ? [] : [regionFacet(podcast.country)]),
    ...[...withParents].map(genreFacet),
  ];
}

export function documentOfPodcast(account: string, podcast: PodcastRow): DocumentRow {
  const { id, language } = podcast;
  const pubDateMs = Number(podcast.latest_pub_date_ms);
  return {
    account,
    search_id: orderOf(pubDateMs, `${account}p${id}`),
    kind: "p",
    id,
    podcast_id: id,
    language,
    pub_date_ms: pubDateMs,
    title: textOf(podcast.title, language, TITLE_WORDS_MAX),
    author: authorOf([podcast.publisher], language),
    description: textOf(plainTextOf(podcast.description), language, DESCRIPTION_WORDS_MAX),
    audio: "",
    facets: [
      ...podcastFacets(podcast),
      ...lengthFacets(Number(podcast.audio_length_sec)),
      ...(isSet(podcast.explicit_content) ? [EXPLICIT] : []),
      ...(isSet(podcast.has_guest_interviews) ? [INTERVIEW] : []),
      ...(isSet(podcast.has_sponsors) ? [SPONSORED] : []),
    ].join(" "),
    is_description_learnt: 1,
  };
}

/** Shared parts are computed once. `audio` has transcript texts by episode id. */
export function episodeDocuments(account: string, podcast: PodcastRow, audio: ReadonlyMap<string, string>) {
  const { language } = podcast;
  const author = authorOf([podcast.title, podcast.publisher], language);
  const shared = podcastFacets(podcast);
  const isExplicit = isSet(podcast.explicit_content);
  return (episode: EpisodeRow): DocumentRow => {
    const pubDateMs = Number(episode.pub_date_ms);
    return {
      account,
      search_id: orderOf(pubDateMs, `${account}e${episode.id}`),
      kind: "e",
      id: episode.id,
      podcast_id: podcast.id,
      language,
      pub_date_ms: pubDateMs,
      title: textOf(episode.title, language, TITLE_WORDS_MAX),
      author,
      description: textOf(plainTextOf(episode.description), language, DESCRIPTION_WORDS_MAX),
      audio: textOf(audio.get(episode.id) ?? "", language, AUDIO_WORDS_MAX),
      facets: [
        ...shared,
        ...lengthFacets(Number(episode.audio_length_sec)),
        ...(isExplicit || isSet(episode.explicit_content) ? [EXPLICIT] : []),
        ...(isSet(episode.has_guest_interviews) ? [INTERVIEW] : []),
        ...(isSet(episode.has_sponsors) ? [SPONSORED] : []),
      ].join(" "),
      is_description_learnt: 1,
    };
  };
}

/** A search for the title of one of its podcasts also finds the list. */
export function documentOfCurated(
  account: string,
  list: CuratedRow,
  podcastTitles: readonly string[],
  language: string,
): DocumentRow {
  const pubDateMs = Number(list.pub_date_ms);
  return {
    account,
    search_id: orderOf(pubDateMs, `${account}c${list.id}`),
    kind: "c",
    id: list.id,
    podcast_id: "",
    language,
    pub_date_ms: pubDateMs,
    title: textOf(list.title, language, TITLE_WORDS_MAX),
    author: textOf(list.source_domain, language, AUTHOR_WORDS_MAX),
    description: textOf(
      [plainTextOf(list.description), ...podcastTitles].join("\n"),
      language,
      DESCRIPTION_WORDS_MAX,
    ),
    audio: "",
    facets: ANYTHING,
    is_description_learnt: 0,
  };
}
