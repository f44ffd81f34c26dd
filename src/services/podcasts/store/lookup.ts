/** Finds podcasts by any type of id. */
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { findIdByAddress } from "./feeds.ts";
import { findIdByStoreOne, findIdByStoreTwo, findPodcast } from "./podcasts.ts";

export const ID_TYPES = ["vendor_id", "storeone_id", "storetwo_id", "rss"] as const;
export type IdType = (typeof ID_TYPES)[number];

/** The podcast's id; undefined if there is none. */
export async function findPodcastIdBy(
  db: Kysely<Tables>,
  account: string,
  type: IdType,
  value: string,
): Promise<string | undefined> {
  if (type === "rss") return findIdByAddress(db, account, value);
  if (type === "storetwo_id") return value === "" ? undefined : findIdByStoreTwo(db, account, value);
  if (type === "storeone_id")
    return /^[1-9]\d{0,14}$/.test(value) ? findIdByStoreOne(db, account, Number(value)) : undefined;
  return (await findPodcast(db, account, value))?.id;
}
