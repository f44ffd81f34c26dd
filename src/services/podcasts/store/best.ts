/** Queries for the best podcasts by genre, region and language. */
import type { Kysely } from "kysely";
import type { PodcastRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
export const BEST_SORTS = [
  "recent_added_first",
  "oldest_added_first",
  "recent_published_first",
  "oldest_published_first",
  "listen_score",
] as const;
export type BestSort = (typeof BEST_SORTS)[number];
const ORDERS: Readonly<
  Record<BestSort, readonly [column: "added_at" | "latest_pub_date_ms" | "listen_score", way: "asc" | "desc"]>
> = {
  recent_added_first: ["added_at", "desc"],
  oldest_added_first: ["added_at", "asc"],
  recent_published_first: ["latest_pub_date_ms", "desc"],
  oldest_published_first: ["latest_pub_date_ms", "asc"],
  listen_score: ["listen_score", "desc"],
};
export type BestFilter = {
  /** Undefined means all genres. */
  readonly genreId: number | undefined;
  /** Region of the audience. */
  readonly region: string | undefined;
  /** Region of the publisher. */
  readonly publisherRegion: string | undefined;
  readonly language: string | undefined;
  readonly isSafe: boolean;
};

/**
 * A podcast's audience regions are its country and the regions of requests. Without a country, every region
 * matches.
 */
function filtered(db: Db, account: string, filter: BestFilter) {
  const { genreId, region, publisherRegion, language, isSafe } = filter;
  return db
    .selectFrom("podcasts_podcast as p")
    .where("p.account", "=", account)
    .$if(genreId !== undefined, (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom("podcasts_podcast_genre as g")
            .select("g.genre_id")
            .whereRef("g.account", "=", "p.account")
            .whereRef("g.podcast_id", "=", "p.id")
            .where("g.genre_id", "=", genreId ?? 0),
        ),
      ),
    )
    .$if(region !== undefined, (query) =>
      query.where(({ or, eb, exists, selectFrom }) =>
        or([
          eb("p.country", "in", ["", region ?? ""]),
          exists(
            selectFrom("podcasts_interest as i")
              .select("i.region")
              .whereRef("i.account", "=", "p.account")
              .whereRef("i.podcast_id", "=", "p.id")
              .where("i.region", "=", region ?? ""),
          ),
        ]),
      ),
    )
    .$if(publisherRegion !== undefined, (query) => query.where("p.country", "=", publisherRegion ?? ""))
    .$if(language !== undefined, (query) => query.where("p.language", "=", language ?? ""))
    .$if(isSafe, (query) => query.where("p.explicit_content", "=", 0));
}

export async function pageOfBest(
  db: Db,
  account: string,
  filter: BestFilter,
  { sort, offset, limit }: { sort: BestSort; offset: number; limit: number },
): Promise<PodcastRow[]> {
  const [column, way] = ORDERS[sort];
  return filtered(db, account, filter)
    .selectAll("p")
    .orderBy(`p.${column}`, way)
    .orderBy("p.id", way)
    .offset(offset)
    .limit(limit)
    .execute();
}
export async function countBest(db: Db, account: string, filter: BestFilter): Promise<number> {
  const row = await filtered(db, account, filter)
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
