/** Schemas of podcasts, episodes and genres in the public API. */
import { Type } from "@sinclair/typebox";

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });
const Instant = Type.Integer({ description: "Milliseconds since 1970." });
const Flag = Type.Boolean();

export const PodcastId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The podcast's id.",
  examples: ["4d3fe717742d4963a85562e9f84d8c79"],
});
export const EpisodeId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "The episode's id.",
  examples: ["6b6d65930c5a4f71b254465871fed370"],
});
/** A boolean parameter of the public API. */
export const zeroOrOne = (description: string) =>
  Type.Union([Type.Literal(0), Type.Literal(1)], { default: 0, description, examples: [0] });
export const PageNumber = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  default: 1,
  description: "Which page, the first being 1.",
  examples: [1],
});

export const Genre = Type.Object({
  id: Type.Integer({ description: "The genre's id.", examples: [206] }),
  name: Text,
  parent_id: Type.Union([Type.Integer(), Type.Null()]),
});

const Extra = Type.Record(Type.String(), Type.String());
const LookingFor = Type.Object({ cohosts: Flag, cross_promotion: Flag, guests: Flag, sponsors: Flag });

const minimum = {
  id: Text,
  title: Text,
  publisher: Text,
  image: Text,
  thumbnail: Text,
  vendor_url: Text,
  listen_score: Type.Integer(),
  listen_score_global_rank: Text,
};
/** The short summary. */
export const PodcastMinimum = Type.Object(minimum);

const simple = {
  ...minimum,
  description: Text,
  email: Text,
  website: Text,
  rss: Text,
  language: Text,
  country: Text,
  type: Type.Union([Type.Literal("episodic"), Type.Literal("serial")]),
  genre_ids: Type.Array(Type.Integer()),
  storeone_id: Type.Integer(),
  is_claimed: Flag,
  explicit_content: Flag,
  has_guest_interviews: Flag,
  has_sponsors: Flag,
  total_episodes: Count,
  audio_length_sec: Count,
  update_frequency_hours: Count,
  earliest_pub_date_ms: Instant,
  latest_pub_date_ms: Instant,
  latest_episode_id: Text,
  extra: Extra,
  looking_for: LookingFor,
};
export const PodcastSimple = Type.Object(simple);

const episodeMinimum = {
  id: Text,
  title: Text,
  description: Text,
  link: Text,
  audio: Text,
  audio_length_sec: Count,
  pub_date_ms: Instant,
  image: Text,
  thumbnail: Text,
  explicit_content: Flag,
  maybe_audio_invalid: Flag,
  vendor_url: Text,
  vendor_edit_url: Text,
};
const EpisodeMinimum = Type.Object(episodeMinimum);
export const EpisodeSimple = Type.Object({ ...episodeMinimum, podcast: PodcastMinimum });
export const EpisodeFull = Type.Object({
  ...episodeMinimum,
  podcast: PodcastSimple,
  transcript: Type.Optional(Type.Union([Text, Type.Null()])),
});
export const PodcastFull = Type.Object({
  ...simple,
  episodes: Type.Array(EpisodeMinimum),
  next_episode_pub_date: Type.Union([Instant, Type.Null()]),
});

/** Fields of an answer with numbered pages. */
export const numberedPage = {
  has_next: Flag,
  has_previous: Flag,
  page_number: Type.Integer(),
  next_page_number: Type.Integer(),
  previous_page_number: Type.Integer(),
};

const resultPodcast = Type.Object({
  id: Text,
  image: Text,
  thumbnail: Text,
  genre_ids: Type.Array(Type.Integer()),
  vendor_url: Text,
  listen_score: Type.Integer(),
  listen_score_global_rank: Text,
  title_original: Text,
  title_highlighted: Text,
  publisher_original: Text,
  publisher_highlighted: Text,
});
export const EpisodeSearchResult = Type.Object({
  id: Text,
  rss: Text,
  link: Text,
  audio: Text,
  image: Text,
  thumbnail: Text,
  storeone_id: Type.Integer(),
  pub_date_ms: Instant,
  audio_length_sec: Count,
  explicit_content: Flag,
  vendor_url: Text,
  title_original: Text,
  title_highlighted: Text,
  description_original: Text,
  description_highlighted: Text,
  transcripts_highlighted: Type.Array(Text),
  podcast: resultPodcast,
});
export const PodcastSearchResult = Type.Object({
  id: Text,
  rss: Text,
  email: Text,
  image: Text,
  thumbnail: Text,
  website: Text,
  storeone_id: Type.Integer(),
  genre_ids: Type.Array(Type.Integer()),
  vendor_url: Text,
  listen_score: Type.Integer(),
  listen_score_global_rank: Text,
  total_episodes: Count,
  audio_length_sec: Count,
  update_frequency_hours: Count,
  explicit_content: Flag,
  earliest_pub_date_ms: Instant,
  latest_pub_date_ms: Instant,
  latest_episode_id: Text,
  title_original: Text,
  title_highlighted: Text,
  publisher_original: Text,
  publisher_highlighted: Text,
  description_original: Text,
  description_highlighted: Text,
});
export const CuratedListSearchResult = Type.Object({
  id: Text,
  source_url: Text,
  source_domain: Text,
  pub_date_ms: Instant,
  vendor_url: Text,
  total: Count,
  podcasts: Type.Array(PodcastMinimum),
  title_original: Text,
  title_highlighted: Text,
  description_original: Text,
  description_highlighted: Text,
});
export const PodcastTypeaheadResult = Type.Object({
  id: Text,
  image: Text,
  thumbnail: Text,
  explicit_content: Flag,
  title_original: Text,
  title_highlighted: Text,
  publisher_original: Text,
  publisher_highlighted: Text,
});

const curated = {
  id: Text,
  title: Text,
  description: Text,
  source_url: Text,
  source_domain: Text,
  pub_date_ms: Instant,
  vendor_url: Text,
  total: Count,
};
export const CuratedListSimple = Type.Object({ ...curated, podcasts: Type.Array(PodcastMinimum) });
export const CuratedListFull = Type.Object({ ...curated, podcasts: Type.Array(PodcastSimple) });
