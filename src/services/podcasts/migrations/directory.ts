/** Tables for podcasts, episodes, feeds, lists and plans. */
import { type Columns, createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

const PODCAST: Columns = {
  account: "text",
  id: "text",
  title: "text",
  description: "text",
  publisher: "text",
  email: "text",
  website: "text",
  domain: "text",
  rss: "text",
  image: "text",
  thumbnail: "text",
  language: "text",
  country: "text",
  genre_ids: "text",
  type: "text",
  explicit_content: "integer",
  is_claimed: "integer",
  storeone_id: "integer",
  storetwo_id: "text",
  podcasting: "text",
  extra: "text",
  looking_for: "text",
  total_episodes: "integer",
  audio_length_sec: "integer",
  earliest_pub_date_ms: "integer",
  latest_pub_date_ms: "integer",
  latest_episode_id: "text",
  update_frequency_hours: "integer",
  listen_score: "integer",
  listen_score_global_rank: "text",
  has_guest_interviews: "integer",
  has_sponsors: "integer",
  added_at: "integer",
  updated_at: "integer",
};
const EPISODE: Columns = {
  account: "text",
  id: "text",
  podcast_id: "text",
  guid: "text",
  title: "text",
  description: "text",
  link: "text",
  audio: "text",
  audio_type: "text",
  audio_bytes: "integer",
  audio_length_sec: "integer",
  pub_date_ms: "integer",
  image: "text",
  thumbnail: "text",
  explicit_content: "integer",
  season: "integer",
  number: "integer",
  type: "text",
  chapters: "text",
  chapters_url: "text",
  transcript_url: "text",
  transcript_type: "text",
  persons: "text",
  has_guest_interviews: "integer",
  has_sponsors: "integer",
  content_hash: "text",
  is_listed: "integer",
  added_at: "integer",
  updated_at: "integer",
};
const FEED: Columns = {
  account: "text",
  podcast_id: "text",
  url: "text",
  kind: "text",
  etag: "text",
  last_modified: "text",
  body_hash: "text",
  status: "text",
  failures: "integer",
  last_problem: "text",
  checked_at: "integer",
  refreshed_at: "integer",
  next_at: "integer",
};
const OTHERS: readonly (readonly [name: string, columns: Columns, key: readonly string[]])[] = [
  [
    "podcasts_podcast_genre",
    { account: "text", genre_id: "integer", podcast_id: "text" },
    ["account", "genre_id", "podcast_id"],
  ],
  [
    "podcasts_transcript",
    {
      account: "text",
      episode_id: "text",
      podcast_id: "text",
      cues: "text",
      text: "text",
      url: "text",
      problem: "text",
      fetched_at: "integer",
    },
    ["account", "episode_id"],
  ],
  ["podcasts_feed_address", { account: "text", address: "text", podcast_id: "text" }, ["account", "address"]],
  [
    "podcasts_submission",
    {
      account: "text",
      address: "text",
      url: "text",
      email: "text",
      status: "text",
      reason: "text",
      podcast_id: "text",
      attempts: "integer",
      submitted_at: "integer",
      decided_at: "integer?",
    },
    ["account", "address"],
  ],
  [
    "podcasts_removal",
    {
      account: "text",
      podcast_id: "text",
      title: "text",
      address: "text",
      reason: "text",
      removed_at: "integer",
    },
    ["account", "podcast_id"],
  ],
  [
    "podcasts_curated",
    {
      account: "text",
      id: "text",
      title: "text",
      description: "text",
      source_url: "text",
      source_domain: "text",
      pub_date_ms: "integer",
    },
    ["account", "id"],
  ],
  [
    "podcasts_curated_entry",
    { account: "text", list_id: "text", position: "integer", podcast_id: "text" },
    ["account", "list_id", "position"],
  ],
  [
    "podcasts_playlist",
    {
      account: "text",
      id: "text",
      name: "text",
      description: "text",
      image: "text",
      visibility: "text",
      created_at: "integer",
      changed_at: "integer",
    },
    ["account", "id"],
  ],
  [
    "podcasts_playlist_entry",
    {
      account: "text",
      playlist_id: "text",
      number: "integer",
      type: "text",
      target_id: "text",
      details: "text",
      notes: "text",
      added_at: "integer",
      pub_date_ms: "integer",
      audio_length_sec: "integer",
    },
    ["account", "playlist_id", "number"],
  ],
  [
    "podcasts_plan",
    { account: "text", key_name: "text", monthly_max: "integer", per_second_max: "integer" },
    ["account", "key_name"],
  ],
  [
    "podcasts_usage",
    { account: "text", key_name: "text", month: "text", requests: "integer" },
    ["account", "key_name", "month"],
  ],
];

export const directory: Migration = {
  async up(db) {
    await createTable(db, "podcasts_podcast", PODCAST, ["account", "id"]);
    await createIndex(db, "podcasts_podcast", "by_domain", ["account", "domain", "id"]);
    await createIndex(db, "podcasts_podcast", "by_storeone", ["account", "storeone_id"]);
    await createIndex(db, "podcasts_podcast", "by_storetwo", ["account", "storetwo_id"]);
    await createIndex(db, "podcasts_podcast", "by_added", ["account", "added_at", "id"]);
    await createTable(db, "podcasts_episode", EPISODE, ["account", "id"]);
    await createIndex(db, "podcasts_episode", "by_date", [
      "account",
      "podcast_id",
      "is_listed",
      "pub_date_ms",
      "id",
    ]);
    await createTable(db, "podcasts_feed", FEED, ["account", "podcast_id"]);
    for (const [name, columns, key] of OTHERS) await createTable(db, name, columns, key);
    await createIndex(db, "podcasts_podcast_genre", "by_podcast", ["account", "podcast_id"]);
    await createIndex(db, "podcasts_feed_address", "by_podcast", ["account", "podcast_id"]);
    await createIndex(db, "podcasts_transcript", "by_podcast", ["account", "podcast_id"]);
    await createIndex(db, "podcasts_curated_entry", "by_podcast", ["account", "podcast_id"]);
    await createIndex(db, "podcasts_playlist_entry", "by_target", ["account", "target_id"]);
  },
};
