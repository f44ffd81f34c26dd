/** Descriptions of members that many schemas share. */
import type { SharedWords } from "#kernel/operation";

const podcast: SharedWords = {
  id: { description: "Its id.", example: "4d3fe717742d4963a85562e9f84d8c79" },
  title: { description: "What it is called.", example: "Slow Soil" },
  publisher: { description: "Who publishes it.", example: "Marrow Lane Audio" },
  image: { description: "Address of its picture.", example: "https://example.org/cover.jpg" },
  thumbnail: { description: "Address of a small picture.", example: "https://example.org/cover.jpg" },
  vendor_url: {
    description: "Address of its page for people.",
    example:
      "http://127.0.0.1:4020/podcasts/api/v2/listen/123456789012/podcasts/4d3fe717742d4963a85562e9f84d8c79",
  },
  vendor_edit_url: {
    description: "Where its page can be changed.",
    example:
      "http://127.0.0.1:4020/podcasts/api/v2/listen/123456789012/episodes/6b6d65930c5a4f71b254465871fed370#edit",
  },
  listen_score: { description: "How well known it is here, from 0 to 100.", example: 47 },
  listen_score_global_rank: { description: "Among how many of the best known it is.", example: "2.5%" },
  description: { description: "What it is about, as cleaned HTML.", example: "<p>Two gardeners talk.</p>" },
  email: { description: "How its owner can be reached.", example: "ann@example.org" },
  website: { description: "Its website.", example: "https://example.org/" },
  rss: { description: "Address of the feed.", example: "https://example.org/feed.xml" },
  language: { description: "Its language, by name.", example: "English" },
  country: { description: "Its country, by code.", example: "us" },
  type: { description: "Of which kind it is." },
  genre_ids: { description: "Its genres.", example: [67, 82, 206] },
  storeone_id: { description: "Its number in the first store; 0 where it has none.", example: 659155419 },
  is_claimed: { description: "Whether its owner submitted it." },
  explicit_content: { description: "Whether it has strong language." },
  has_guest_interviews: { description: "Whether guests are interviewed." },
  has_sponsors: { description: "Whether it names sponsors." },
  total_episodes: { description: "How many episodes there are.", example: 212 },
  audio_length_sec: {
    description: "How long it is, in seconds; of a podcast, on the average.",
    example: 2520,
  },
  update_frequency_hours: { description: "How many hours usually lie between two episodes.", example: 168 },
  earliest_pub_date_ms: {
    description: "When its first episode was published, in milliseconds since 1970.",
    example: 1_479_154_463_000,
  },
  latest_pub_date_ms: {
    description: "When its latest episode was published, in milliseconds since 1970.",
    example: 1_779_154_463_000,
  },
  latest_episode_id: { description: "Its latest episode.", example: "6b6d65930c5a4f71b254465871fed370" },
  extra: {
    description: "Where else it can be found: a link or handle per platform.",
    example: { url1: "https://example.org/support" },
  },
  looking_for: { description: "What it says it is looking for." },
  cohosts: { description: "Whether it is looking for co-hosts." },
  cross_promotion: { description: "Whether it is looking for cross-promotion." },
  guests: { description: "Whether it is looking for guests." },
  sponsors: { description: "Whether it is looking for sponsors." },
  podcasts: { description: "The podcasts." },
  podcast: { description: "The podcast." },
};

const episode: SharedWords = {
  link: { description: "Address of its own page.", example: "https://example.org/episodes/12" },
  audio: { description: "Address of its audio.", example: "https://example.org/12.mp3" },
  pub_date_ms: {
    description: "When it was published, in milliseconds since 1970.",
    example: 1_779_154_463_000,
  },
  maybe_audio_invalid: { description: "Whether the audio may be gone." },
  transcript: {
    description: "What is said in it; null where nobody wrote it down.",
    example: "Welcome back.",
  },
  episodes: { description: "The episodes." },
  latest_episodes: { description: "The latest episodes of all of them." },
  next_episode_pub_date: {
    description: "Where the next page of episodes begins; null where this was the last.",
    example: 1_479_154_463_000,
  },
  title_original: { description: "What it is called.", example: "Slow Soil" },
  title_highlighted: {
    description: "The same as HTML, with what was found marked.",
    example: 'Slow <span class="vendor-search-highlight">Soil</span>',
  },
  description_original: { description: "What it is about.", example: "Two gardeners talk." },
  description_highlighted: {
    description: "Part of it as HTML, with what was found marked.",
    example: 'Two <span class="vendor-search-highlight">gardeners</span> talk.',
  },
  publisher_original: { description: "Who publishes it.", example: "Marrow Lane Audio" },
  publisher_highlighted: {
    description: "The same as HTML, with what was found marked.",
    example: "Marrow Lane Audio",
  },
  transcripts_highlighted: {
    description: "Parts of the transcript as HTML, with what was found marked.",
    example: ["Welcome back."],
  },
};

const pages: SharedWords = {
  has_next: { description: "Whether there is another page." },
  has_previous: { description: "Whether there is a page before." },
  page_number: { description: "This page.", example: 1 },
  next_page_number: { description: "The next page.", example: 2 },
  previous_page_number: { description: "The page before.", example: 1 },
  total: { description: "How many there are on all pages.", example: 34 },
  count: { description: "How many this page has.", example: 10 },
  next_offset: { description: "The offset of the next page.", example: 10 },
  took: { description: "How long it took, in seconds.", example: 0.008 },
  results: { description: "What was found." },
  terms: { description: "The words.", example: ["star wars"] },
  genres: { description: "The genres." },
  tokens: { description: "The words that are spelt otherwise." },
  recommendations: { description: "What is like it, the most alike first." },
  by_regions: { description: "Where it is listened to, the most first." },
  name: { description: "What it is called.", example: "Home & Garden" },
  parent_id: { description: "The genre above it; null for the root.", example: 82 },
  regions: { description: "Countries and regions by code.", example: { us: "United States" } },
  languages: { description: "Languages by name.", example: ["English", "German"] },
};

const lists: SharedWords = {
  curated_lists: { description: "The curated lists." },
  source_url: { description: "Where the list was published.", example: "https://example.org/gardens" },
  source_domain: { description: "Host name of where it was published.", example: "example.org" },
  playlists: { description: "The playlists." },
  visibility: { description: "Who may see its page." },
  last_timestamp_ms: { description: "Where the next page goes on.", example: 1_779_154_463_000 },
  total_audio_length_sec: { description: "How long all of it is, in seconds.", example: 7_560 },
  items: { description: "What is on it." },
  data: { description: "The episode, podcast or audio itself." },
  notes: { description: "Notes on it.", example: "From minute 12 on." },
  added_at_ms: { description: "When it was added, in milliseconds since 1970.", example: 1_779_154_463_000 },
  episode_count: { description: "How many episodes are on it.", example: 12 },
  podcast_count: { description: "How many podcasts are on it.", example: 3 },
  error: { description: "Why it is not shown.", example: "It is no longer listed." },
};

const feeds: SharedWords = {
  status: { description: "What became of it.", example: "found" },
  reason: { description: "Why.", example: "The feed was read and is listed." },
  submissions: { description: "What was submitted." },
  podcast_id: { description: "The podcast.", example: "4d3fe717742d4963a85562e9f84d8c79" },
  submitted_at_ms: {
    description: "When it was submitted, in milliseconds since 1970.",
    example: 1_779_154_463_000,
  },
  decided_at_ms: {
    description: "When it was decided, in milliseconds since 1970; null while it is in review.",
    example: 1_779_154_463_000,
  },
  kind: { description: "`remote`, or `local` for a file that was handed over.", example: "remote" },
  failures: { description: "How often in a row it could not be read.", example: 0 },
  last_problem: { description: "What went wrong last.", example: "" },
  last_checked_at_ms: {
    description: "When it was looked at last, in milliseconds since 1970.",
    example: 1_779_154_463_000,
  },
  last_refreshed_at_ms: {
    description: "When it was read last, in milliseconds since 1970.",
    example: 1_779_154_463_000,
  },
  next_check_at_ms: {
    description: "When it is looked at next, in milliseconds since 1970.",
    example: 1_779_175_463_000,
  },
  podcasting: {
    description: "What its Podcasting 2.0 tags say.",
    example: { medium: "podcast", locked: { isLocked: true, owner: "ann@example.org" } },
  },
};

const plans: SharedWords = {
  default_plan: { description: "What keys have that nobody set a plan for." },
  plans: { description: "The plans that were set." },
  usage: { description: "What was used, by key and month." },
  key_name: { description: "The key's public name; `*` for all others.", example: "*" },
  month: { description: "The month.", example: "2026-11" },
  requests: { description: "How many requests were made.", example: 421 },
};

export const sharedWords: SharedWords = { ...podcast, ...episode, ...pages, ...lists, ...feeds, ...plans };
