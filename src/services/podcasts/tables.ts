/** The tables of this service, as rows. */
/** Yes is 1 and no is 0. */
export type Flag = number;

export type PodcastRow = {
  account: string;
  id: string;
  title: string;
  /** Cleaned HTML. */
  description: string;
  publisher: string;
  email: string;
  website: string;
  /** Host name of the website. */
  domain: string;
  /** The feed's address as it is now. */
  rss: string;
  image: string;
  thumbnail: string;
  /** By name, as `/languages` lists them: `English`. */
  language: string;
  /** By code, as `/regions` lists them: `us`; empty where nothing tells. */
  country: string;
  /** JSON: an array of numbers. */
  genre_ids: string;
  /** `episodic` or `serial`. */
  type: string;
  explicit_content: Flag;
  is_claimed: Flag;
  storeone_id: number;
  storetwo_id: string;
  /** What the Podcasting 2.0 tags say, as JSON: guid, medium, locked, funding, value, podroll, persons. */
  podcasting: string;
  /** JSON: a link or handle per platform. */
  extra: string;
  /** JSON: cohosts, cross_promotion, guests, sponsors. */
  looking_for: string;
  total_episodes: number;
  /** Of an episode, on the average. */
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
  /** What the feed calls it; made of its audio or link where it has no name. */
  guid: string;
  title: string;
  /** Cleaned HTML. */
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
  /** Of everything above: tells whether a feed has changed it. */
  content_hash: string;
  /** 1 while the feed has it; 0 once it was withdrawn, when it is found by its id alone. */
  is_listed: Flag;
  added_at: number;
  updated_at: number;
};

export type TranscriptRow = {
  account: string;
  episode_id: string;
  podcast_id: string;
  /** JSON: [{ startSeconds, endSeconds, speaker, text }]; empty where the file has no times. */
  cues: string;
  text: string;
  /** Address it was read from, and what went wrong with it. */
  url: string;
  problem: string;
  fetched_at: number;
};

export type FeedRow = {
  account: string;
  podcast_id: string;
  url: string;
  /** `remote`, or `local` for what was handed over as a file. */
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

/** Every address a feed has or had. */
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
  /** What custom audio is, and how a thing was called when it was added: JSON. */
  details: string;
  notes: string;
  added_at: number;
  pub_date_ms: number;
  audio_length_sec: number;
};

export type PlanRow = {
  account: string;
  /** Public name of the key; `*` for all that have no plan of their own. */
  key_name: string;
  monthly_max: number;
  per_second_max: number;
};
export type UsageRow = { account: string; key_name: string; month: string; requests: number };

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
  /** 1: spelling learnt its title and its description; 0: its title alone, as earlier releases did. */
  is_description_learnt: number;
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
