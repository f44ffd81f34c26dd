/** Matches the episodes of a feed with stored episodes: unchanged, edited, moved or new. */
import { createHash } from "node:crypto";
import type { FeedEpisode } from "./feeds/feed.ts";

/** Columns that identify a stored episode. */
export type KnownEpisode = {
  readonly id: string;
  readonly guid: string;
  readonly audio: string;
  readonly link: string;
  readonly title: string;
  readonly pubDateMs: number;
  readonly contentHash: string;
  readonly isListed: boolean;
};
export type ChangedEpisode = {
  readonly id: string;
  readonly episode: FeedEpisode;
  readonly contentHash: string;
  /** The stored date, for an episode whose date in the feed is missing. */
  readonly earlierDateMs: number | undefined;
  /** The date for an episode that never had one. */
  readonly assumedDateMs: number;
};
export type Merge = {
  /** In feed order, with stored or new ids. */
  readonly changed: readonly ChangedEpisode[];
  readonly withdrawn: readonly string[];
  readonly count: { readonly added: number; readonly edited: number; readonly kept: number };
};

export function contentHashOf(episode: FeedEpisode): string {
  return createHash("sha256").update(JSON.stringify(episode)).digest("base64url");
}
const ID_LETTERS = 32;
/**
 * Length of the prefix that episodes share with their podcast id. It clusters the episodes of a feed in the
 * index, so inserts touch few pages.
 */
const SHARED_LETTERS = 12;
/** Deterministic, so that reading a feed twice creates no duplicates. */
function idOf(podcastId: string, guid: string): string {
  const own = createHash("sha256").update(`${podcastId}\n${guid}`).digest("hex");
  return (podcastId.slice(0, SHARED_LETTERS) + own).slice(0, ID_LETTERS);
}

/** Finds a stored episode by guid, then by audio URL, then by link and title. */
class Known {
  readonly #byGuid = new Map<string, KnownEpisode>();
  readonly #byAudio = new Map<string, KnownEpisode>();
  readonly #byPage = new Map<string, KnownEpisode>();
  readonly #taken = new Set<string>();
  readonly #ids = new Set<string>();

  constructor(all: readonly KnownEpisode[]) {
    for (const one of all) {
      this.#ids.add(one.id);
      this.#byGuid.set(one.guid, one);
      if (one.audio !== "") this.#byAudio.set(one.audio, one);
      if (one.link !== "") this.#byPage.set(`${one.link}\n${one.title}`, one);
    }
  }
  byGuid(episode: FeedEpisode): KnownEpisode | undefined {
    return this.#take(this.#byGuid.get(episode.guid));
  }
  byLooks({ audio, link, title }: FeedEpisode): KnownEpisode | undefined {
    return this.#take(this.#byAudio.get(audio)) ?? this.#take(this.#byPage.get(`${link}\n${title}`));
  }
  #take(found: KnownEpisode | undefined): KnownEpisode | undefined {
    if (!found || this.#taken.has(found.id)) return undefined;
    this.#taken.add(found.id);
    return found;
  }
  /** Avoids the id of an earlier episode with the same guid. */
  freshId(podcastId: string, guid: string): string {
    let id = idOf(podcastId, guid);
    while (this.#ids.has(id)) id = idOf(podcastId, id);
    this.#ids.add(id);
    return id;
  }
  isTaken(id: string): boolean {
    return this.#taken.has(id);
  }
}

/**
 * An episode without a valid date gets the date of the next dated episode in the feed. Without a next one,
 * it gets the date of the last dated episode. If no episode has a date, all get the feed's date or 1970,
 * one millisecond apart in feed order.
 */
function assumedDatesOf(episodes: readonly FeedEpisode[], feedDateMs = 0): readonly number[] {
  const dates = episodes.map(({ pubDateMs }) => pubDateMs);
  const known = dates.findLast((date) => date !== undefined);
  if (known === undefined) return dates.map((_, at) => feedDateMs + dates.length - at);
  let next = known;
  return dates
    .toReversed()
    .map((date) => {
      next = date ?? next;
      return next;
    })
    .toReversed();
}

/**
 * Ids survive edits and reordering in the feed. An episode missing from the feed counts as withdrawn unless
 * it is older than every episode in the feed. Older ones only fell off the end of a feed that shows its
 * latest episodes.
 */
export function mergeEpisodes(
  podcastId: string,
  known: readonly KnownEpisode[],
  episodes: readonly FeedEpisode[],
  feedDateMs?: number,
): Merge {
  const index = new Known(known);
  const matches = episodes.map((episode) => index.byGuid(episode));
  const assumed = assumedDatesOf(episodes, feedDateMs);
  const changed: ChangedEpisode[] = [];
  const count = { added: 0, edited: 0, kept: 0 };
  for (const [at, episode] of episodes.entries()) {
    const before = matches[at] ?? index.byLooks(episode);
    const contentHash = contentHashOf(episode);
    if (before?.contentHash === contentHash && before.isListed) {
      count.kept += 1;
      continue;
    }
    count[before ? "edited" : "added"] += 1;
    changed.push({
      id: before?.id ?? index.freshId(podcastId, episode.guid),
      episode,
      contentHash,
      earlierDateMs: before?.pubDateMs,
      assumedDateMs: assumed[at] ?? 0,
    });
  }
  const oldestMs = Math.min(...episodes.map(({ pubDateMs }) => pubDateMs ?? Number.POSITIVE_INFINITY));
  const withdrawn = known
    .filter((one) => one.isListed && !index.isTaken(one.id) && one.pubDateMs >= oldestMs)
    .map(({ id }) => id);
  return { changed, withdrawn, count };
}
