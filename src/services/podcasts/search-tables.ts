/** The tables that searching, scores and recommendations keep, as rows. */

/** What is searched: text as the index spells it. The full-text index beside it is kept by triggers, so that loaded state is searched as well. */
export type DocumentRow = {
  account: string;
  /** Tells the newest from older ones; see domain/search/order.ts. */
  search_id: number;
  /** `e`pisode, `p`odcast or `c`urated list. */
  kind: string;
  id: string;
  /** Empty for a curated list. */
  podcast_id: string;
  language: string;
  pub_date_ms: number;
  title: string;
  author: string;
  description: string;
  audio: string;
  facets: string;
};

/** Words of titles and names, as people spell them. */
export type WordRow = { account: string; word: string; skeleton: string; count: number };
/** What an index still has to do for words and for episodes whose podcast has changed. */
export type IndexWorkRow = {
  account: string;
  id: string;
  /** `words` or `podcast`. */
  kind: string;
  /** JSON: how often each word came or went; or the podcast's id. */
  detail: string;
};

/** Titles from each of their words on, for finding them by their beginnings. */
export type PhraseRow = { account: string; phrase: string; podcast_id: string };

/** What was searched for; `heat` is the logarithm of a count that fades, so that its order never changes by itself. */
export type TermRow = { account: string; term: string; shown: string; heat: number };
/** Which keys have searched for it on which day: a key counts once a day. */
export type TermKeyRow = { account: string; day: number; key_name: string; term: string };
/** Searches by one key that followed each other. */
export type TermPairRow = { account: string; term: string; other: string; heat: number };

/** How often a podcast was asked for, by the region of those who asked. */
export type InterestRow = { account: string; podcast_id: string; region: string; heat: number };

/** The words that tell a podcast from others. */
export type VectorRow = { account: string; term: string; podcast_id: string; weight: number };

export type SearchTables = {
  podcasts_document: DocumentRow;
  podcasts_word: WordRow;
  podcasts_index_work: IndexWorkRow;
  podcasts_phrase: PhraseRow;
  podcasts_term: TermRow;
  podcasts_term_key: TermKeyRow;
  podcasts_term_pair: TermPairRow;
  podcasts_interest: InterestRow;
  podcasts_vector: VectorRow;
};
export const searchTables: readonly (keyof SearchTables)[] = [
  "podcasts_document",
  "podcasts_word",
  "podcasts_index_work",
  "podcasts_phrase",
  "podcasts_term",
  "podcasts_term_key",
  "podcasts_term_pair",
  "podcasts_interest",
  "podcasts_vector",
];
