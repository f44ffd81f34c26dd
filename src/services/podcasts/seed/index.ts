/** Demo data: podcasts from generated feeds, a curated list and a playlist. Seeding is idempotent. */
import { createHash } from "node:crypto";
import { httpDateOf } from "#kernel/clock";
import { escapeHtml } from "#kernel/html";
import { showInCatalog } from "../actions/lists.ts";
import { type OpenFeed, openFeed } from "../domain/feeds/read-feed.ts";
import { TUNE_PREFIX, TUNE_TYPE, tuneBytes } from "../domain/tune.ts";
import { ingest, within } from "../jobs/ingest.ts";
import { scheduleScores } from "../jobs/work.ts";
import { hashOf } from "../reading/index.ts";
import type { PodcastsContext } from "../state.ts";
import { putCurated } from "../store/curated.ts";
import { listByDate, putTranscript } from "../store/episodes.ts";
import { addInterest, addSearch } from "../store/interest.ts";
import { insertItem, insertPlaylist } from "../store/playlists.ts";
import { findPodcast } from "../store/podcasts.ts";
import { indexCurated, indexTranscript } from "../store/search-index.ts";
import { DEMO_SHOWS, type DemoShow } from "./shows.ts";

const DAY_MS = 86_400_000;
const SITE = "https://podcasts.example.org";
const idOf = (slug: string): string => createHash("sha256").update(`demo ${slug}`).digest("hex").slice(0, 32);

const chapters = (minutes: number): string =>
  `<psc:chapters version="1.2">${["Hello", "The story", "Questions", "Goodbye"]
    .map((title, at) => `<psc:chapter start="${Math.floor((minutes * 60 * at) / 4)}" title="${title}"/>`)
    .join("")}</psc:chapters>`;

const secondsOf = (show: DemoShow, at: number): number => show.minutes * 60 + at * 37;

function feedOf(show: DemoShow, nowMs: number): string {
  const category = (name: string) => `<itunes:category text="${escapeHtml(name)}"/>`;
  const items = show.episodes.map(
    (
      [title, about],
      at,
    ) => `<item><title>${escapeHtml(title)}</title><guid isPermaLink="false">${show.slug}-${at}</guid>
<link>${SITE}/${show.slug}/${at}</link><description>${escapeHtml(`<p>${about}</p>`)}</description>
<pubDate>${httpDateOf(nowMs - (at * show.everyDays + 1) * DAY_MS)}</pubDate>
<enclosure url="${SITE}/${show.slug}/${at}.wav" type="${TUNE_TYPE}" length="${tuneBytes(secondsOf(show, at))}"/>
<itunes:duration>${secondsOf(show, at)}</itunes:duration><itunes:episode>${show.episodes.length - at}</itunes:episode>${chapters(show.minutes)}</item>`,
  );
  const isSerial = show.categories.includes("True Crime");
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:psc="http://podlove.org/simple-chapters">
<channel><title>${escapeHtml(show.title)}</title><link>${SITE}/${show.slug}</link><language>${show.language}</language>
<description>${escapeHtml(show.about)}</description><itunes:author>${escapeHtml(show.publisher)}</itunes:author>
<itunes:owner><itunes:name>${escapeHtml(show.publisher)}</itunes:name><itunes:email>hello@podcasts.example.org</itunes:email></itunes:owner>
<itunes:type>${isSerial ? "serial" : "episodic"}</itunes:type><itunes:explicit>false</itunes:explicit>
<podcast:funding url="${SITE}/${show.slug}/support">Support the show</podcast:funding>
${show.categories.map(category).join("")}${items.join("\n")}</channel></rss>`;
}

/** The service generates the audio, so that demo episodes play without a network. */
const withTunes = (open: OpenFeed): OpenFeed => ({
  ...open,
  batch: (index) =>
    open.batch(index).map((episode) => ({ ...episode, audio: `${TUNE_PREFIX}${episode.guid}` })),
});

const LINES = [
  ["Host", "Welcome back. It is good to have you here."],
  ["Host", "Today we take our time with one question."],
  ["Guest", "And I have brought more than one answer."],
  ["Host", "Then let us begin with the one you believe in."],
] as const;
const CUE_SECONDS = 6;

async function seedTranscript({ db, account, clock }: PodcastsContext, podcastId: string): Promise<void> {
  const [episode] = await listByDate(db, account, podcastId, { sort: "recent_first", limit: 1 });
  if (!episode) return;
  const cues = LINES.map(([speaker, text], at) => ({
    startSeconds: at * CUE_SECONDS,
    endSeconds: (at + 1) * CUE_SECONDS,
    speaker,
    text,
  }));
  const text = LINES.map(([speaker, line]) => `${speaker}: ${line}`).join("\n");
  await putTranscript(db, account, {
    account,
    episode_id: episode.id,
    podcast_id: podcastId,
    cues: JSON.stringify(cues),
    text,
    url: episode.transcript_url,
    problem: "",
    fetched_at: clock.nowMs(),
  });
  await indexTranscript(db, account, episode, text);
}

async function seedLists(context: PodcastsContext): Promise<void> {
  const { db, account, clock } = context;
  const nowMs = clock.nowMs();
  const chosen = ["slow-soil", "orbit-weekly", "the-quiet-ledger"].map(idOf);
  const list = {
    account,
    id: "DemoGardens",
    title: "Podcasts for a long train ride",
    description: "Three shows that nobody has to hurry through.",
    source_url: `${SITE}/lists/train`,
    source_domain: "podcasts.example.org",
    pub_date_ms: nowMs,
  };
  await putCurated(db, account, list, chosen);
  await showInCatalog(context, "curated", { id: list.id, name: list.title });
  await indexCurated(db, account, list, ["Slow Soil", "Orbit Weekly", "The Quiet Ledger"]);
  const playlist = {
    account,
    id: "DemoSundays",
    name: "Sunday walks",
    description: "Long talks for long walks.",
  };
  await showInCatalog(context, "playlist", playlist);
  await insertPlaylist(db, account, {
    ...playlist,
    image: "",
    visibility: "public",
    created_at: nowMs,
    changed_at: nowMs,
  });
  const episodes = await listByDate(db, account, idOf("build-night"), { sort: "recent_first", limit: 3 });
  for (const [at, episode] of episodes.entries())
    await insertItem(db, account, {
      account,
      playlist_id: playlist.id,
      number: at + 1,
      type: "episode",
      target_id: episode.id,
      details: JSON.stringify({ title: episode.title }),
      notes: "",
      added_at: nowMs + at,
      pub_date_ms: episode.pub_date_ms,
      audio_length_sec: episode.audio_length_sec,
    });
}

/** Search history of two demo users. */
const SEARCHES: readonly (readonly [key: string, ...terms: string[]])[] = [
  ["demo-1", "slow soil", "gardening", "night train"],
  ["demo-2", "night train", "parsing feeds", "slow soil"],
];
async function seedSearches({ db, account, clock }: PodcastsContext): Promise<void> {
  for (const [keyName, ...terms] of SEARCHES)
    for (const [at, term] of terms.entries())
      await addSearch(db, account, {
        keyName,
        term,
        shown: term,
        before: terms[at - 1],
        atMs: clock.nowMs(),
      });
}

/** Interest in the first shows: points by region. */
const INTEREST: readonly (readonly [slug: string, regions: Readonly<Record<string, number>>])[] = [
  ["slow-soil", { gb: 9, ie: 4, us: 3, nz: 2 }],
  ["orbit-weekly", { us: 12, ca: 5, gb: 4, de: 2 }],
];
async function seedInterest({ db, account, clock }: PodcastsContext): Promise<void> {
  for (const [slug, regions] of INTEREST)
    for (const [region, points] of Object.entries(regions))
      await addInterest(db, account, { podcastId: idOf(slug), region, points, atMs: clock.nowMs() });
}

export async function seed(context: PodcastsContext): Promise<void> {
  const { db, account, clock } = context;
  const [first] = DEMO_SHOWS;
  if (!first || (await findPodcast(db, account, idOf(first.slug)))) return;
  for (const show of DEMO_SHOWS) {
    const bytes = Buffer.from(feedOf(show, clock.nowMs()));
    const source = {
      url: `${SITE}/${show.slug}/feed.xml`,
      kind: "local",
      etag: "",
      lastModified: "",
      bodyHash: await hashOf(bytes),
      email: "",
    } as const;
    await ingest(
      within(context),
      idOf(show.slug),
      withTunes(openFeed(bytes, { address: source.url })),
      source,
    );
    await seedTranscript(context, idOf(show.slug));
  }
  await seedLists(context);
  await seedSearches(context);
  await seedInterest(context);
  await scheduleScores(context, clock.nowMs());
}
