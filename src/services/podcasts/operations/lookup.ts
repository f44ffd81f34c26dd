/** Shared steps of handlers: find the resource of an id or throw. */
import { errors } from "../errors.ts";
import type { PodcastsContext } from "../state.ts";
import { findEpisode } from "../store/episodes.ts";
import { findPodcast } from "../store/podcasts.ts";
import type { EpisodeRow, PodcastRow } from "../tables.ts";

export async function getPodcast({ db, account }: PodcastsContext, id: string): Promise<PodcastRow> {
  const podcast = await findPodcast(db, account, id);
  if (!podcast) throw errors.notFound(`There is no podcast ${id.slice(0, 64)}.`);
  return podcast;
}
export async function getEpisode({ db, account }: PodcastsContext, id: string): Promise<EpisodeRow> {
  const episode = await findEpisode(db, account, id);
  if (!episode) throw errors.notFound(`There is no episode ${id.slice(0, 64)}.`);
  return episode;
}

/** Maximum number of ids in a comma-separated list. */
const BULK_MAX = 10;
export function bulkOf(name: string, list: string | undefined): string[] {
  const all = [
    ...new Set(
      (list ?? "")
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== ""),
    ),
  ];
  if (all.length > BULK_MAX)
    throw errors.badRequest(`${name} names more than ${BULK_MAX}.`, { target: name });
  return all;
}

/** Paging fields. The caller reads one extra row to find out if there is a next page. */
export const pageFacts = (page: number, hasNext: boolean) => ({
  has_next: hasNext,
  has_previous: page > 1,
  page_number: page,
  next_page_number: hasNext ? page + 1 : page,
  previous_page_number: Math.max(1, page - 1),
});
