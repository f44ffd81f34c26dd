/** Row types of this service. */
/** 1 is yes, 0 is no. */
export type Flag = number;

export type PodcastRow = {
  account: string;
  id: string;
  title: string;
  /** Sanitized HTML. */
  description: string;
  publisher: string;
  email: string;
  website: string;
  /** Host name of the website. */
  domain: string;
  /** Current URL of the feed. */
  rss: string;
  image: string;
  thumbnail: string;
  /** A name from `/languages`, such as `English`. */
  language: string;
  /** A code from `/regions`, such as `us`; empty if unknown. */
  country: string;
  /** JSON: an array of numbers. */
  genre_ids: string;
  /** `episodic` or `serial`. */
  type: string;
  explicit_content: Flag;
  is_claimed: Flag;
  storeone_id: number;
  storetwo_id: string;
  /** Podcasting 2.0 tags as JSON: guid, medium, locked, funding, value, podroll, persons. */
  podcasting: string;
  /** JSON: a link or handle per platform. */
  extra: string;
  /** JSON: cohosts, cross_promotion, guests, sponsors. */
  looking_for: string;
  total_episodes: number;
  /** Average length of an episode. */
  audio_length_sec: number;
  earliest_pub_date_ms: number;
  latest_pub_date_ms: number;
  latest_episode_id: string;
  update_frequency_hours: number;
  listen_score: number;
  listen_score_global_rank: string;
  has_guest_interviews: Flag;
  has_sponsors: Flag;
  added_at: number;
  updated_at: number;
};

export type GenreOfPodcastRow = { account: string; genre_id: number; podcast_id: string };

export type EpisodeRow = {
  account: string;
  id: string;
  podcast_id: string;
  /** The feed's guid; derived from audio or link if the feed has none. */
  guid: string;
  title: string;
  /** Sanitized HTML. */
  description: string;
  link: string;
  audio: string;
  audio_type: string;
  audio_bytes: number;
  audio_length_sec: number;
  pub_date_ms: number;
  image: string;
  thumbnail: string;
  explicit_content: Flag;
  season: number;
  number: number;
  /** `full`, `trailer` or `bonus`. */
  type: string;
  /** JSON: [{ startSeconds, title, url, image }]. */
  chapters: string;
  chapters_url: string;
  transcript_url: string;
  transcript_type: string;
  /** JSON: [{ name, role, url }]. */
  persons: string;
  has_guest_interviews: Flag;
  has_sponsors: Flag;
  /** Hash of the columns above, to detect changes in the feed. */
  content_hash: string;
  /** 1 while the feed contains it. A withdrawn episode has 0 and is found only by id. */
  is_listed: Flag;
  added_at: number;
  updated_at: number;
};

export type TranscriptRow = {
  account: string;
  episode_id: string;
  podcast_id: string;
  /** JSON: [{ startSeconds, endSeconds, speaker, text }]; empty if the file has no times. */
  cues: string;
  text: string;
  /** URL that was fetched, and the error if it failed. */
  url: string;
  problem: string;
  fetched_at: number;
};

export type FeedRow = {
  account: string;
  podcast_id: string;
  url: string;
  /** `remote`, or `local` for a feed from a file. */
  kind: string;
  etag: string;
  last_modified: string;
  body_hash: string;
  /** `active`, `broken`, or `gone`. */
  status: string;
  failures: number;
  last_problem: string;
  checked_at: number;
  refreshed_at: number;
  next_at: number;
};

/** Every current and former URL of a feed. */
export type FeedAddressRow = { account: string; address: string; podcast_id: string };

export type SubmissionRow = {
  account: string;
  address: string;
  url: string;
  email: string;
  /** `in review`, `found` or `rejected`. */
  status: string;
  reason: string;
  podcast_id: string;
  attempts: number;
  submitted_at: number;
  decided_at: number | null;
};

export type RemovalRow = {
  account: string;
  podcast_id: string;
  title: string;
  address: string;
  reason: string;
  removed_at: number;
};

export type CuratedRow = {
  account: string;
  id: string;
  title: string;
  description: string;
  source_url: string;
  source_domain: string;
  pub_date_ms: number;
};
export type CuratedEntryRow = { account: string; list_id: string; position: number; podcast_id: string };

export type PlaylistRow = {
  account: string;
  id: string;
  name: string;
  description: string;
  image: string;
  /** `public`, `unlisted` or `private`. */
  visibility: string;
  created_at: number;
  changed_at: number;
};
export type PlaylistEntryRow = {
  account: string;
  playlist_id: string;
  number: number;
  /** `episode`, `podcast` or `custom_audio`. */
  type: string;
  target_id: string;
  /** JSON: custom audio, or the title at the time the entry was added. */
  details: string;
  notes: string;
  added_at: number;
  pub_date_ms: number;
  audio_length_sec: number;
};

export type PlanRow = {
  account: string;
  /** Public name of the key; `*` for the default plan. */
  key_name: string;
  monthly_max: number;
  per_second_max: number;
};
export type UsageRow = { account: string; key_name: string; month: string; requests: number };

/**
 * Search document with normalized text. Triggers maintain the full-text index, so that loaded state is
 * searchable too.
 */
export type DocumentRow = {
  account: string;
  /** Row id that sorts newer documents first; see domain/search/order.ts. */
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
  /** 1 if the dictionary learnt title and description; 0 if only the title, as in earlier releases. */
  is_description_learnt: number;
};

/** Spelling dictionary. */
export type WordRow = { account: string; word: string; skeleton: string; count: number };
/** Queue of index work: words to learn and podcasts to reindex. */
export type IndexWorkRow = {
  account: string;
  id: string;
  /** `words` or `podcast`. */
  kind: string;
  /** JSON of count changes by word, or the podcast's id. */
  detail: string;
};

/** Suffixes of titles from each word, for prefix search. */
export type PhraseRow = { account: string; phrase: string; podcast_id: string };

/** Searches. `heat` is the logarithm of a decaying count, so that decay never changes the order. */
export type TermRow = { account: string; term: string; shown: string; heat: number };
/** Searches of each key by day, because a key counts once a day. */
export type TermKeyRow = { account: string; day: number; key_name: string; term: string };
/** Consecutive searches of one key. */
export type TermPairRow = { account: string; term: string; other: string; heat: number };

/** Decaying count of requests for a podcast by region. */
export type InterestRow = { account: string; podcast_id: string; region: string; heat: number };

/** Characteristic words of a podcast. */
export type VectorRow = { account: string; term: string; podcast_id: string; weight: number };

type SearchTables = {
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
const searchTables: readonly (keyof SearchTables)[] = [
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

type DirectoryTables = {
  podcasts_podcast: PodcastRow;
  podcasts_podcast_genre: GenreOfPodcastRow;
  podcasts_episode: EpisodeRow;
  podcasts_transcript: TranscriptRow;
  podcasts_feed: FeedRow;
  podcasts_feed_address: FeedAddressRow;
  podcasts_submission: SubmissionRow;
  podcasts_removal: RemovalRow;
  podcasts_curated: CuratedRow;
  podcasts_curated_entry: CuratedEntryRow;
  podcasts_playlist: PlaylistRow;
  podcasts_playlist_entry: PlaylistEntryRow;
  podcasts_plan: PlanRow;
  podcasts_usage: UsageRow;
};
export type Tables = DirectoryTables & SearchTables;

export const tables: readonly (keyof Tables)[] = [
  "podcasts_podcast",
  "podcasts_podcast_genre",
  "podcasts_episode",
  "podcasts_transcript",
  "podcasts_feed",
  "podcasts_feed_address",
  "podcasts_submission",
  "podcasts_removal",
  "podcasts_curated",
  "podcasts_curated_entry",
  "podcasts_playlist",
  "podcasts_playlist_entry",
  "podcasts_plan",
  "podcasts_usage",
  ...searchTables,
];
