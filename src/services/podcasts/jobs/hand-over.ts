/** Ingests a feed from a file, sent by a caller or found in the watched folder. */
import { addressKey, localAddress } from "../domain/feeds/addresses.ts";
import { FeedProblem } from "../domain/feeds/feed.ts";
import type { OpenFeed } from "../domain/feeds/read-feed.ts";
import { hashOf, readFeed } from "../reading/index.ts";
import type { PodcastsContext } from "../state.ts";
import * as feeds from "../store/feeds.ts";
import { findRemovalByAddress } from "../store/podcasts.ts";
import { ingest } from "./ingest.ts";
import { findObjection } from "./review.ts";

const ID_BYTES = 16;
export const nextPodcastId = ({ ids }: Pick<PodcastsContext, "ids">): string =>
  ids.bytes(ID_BYTES).toString("hex");

export type HandedOver = {
  readonly status: "found" | "rejected";
  readonly reason: string;
  readonly podcastId: string;
};

/** The parsed feed, or the reason why it is invalid. */
async function opened(account: string, bytes: Buffer): Promise<OpenFeed | string> {
  try {
    return await readFeed(account, bytes);
  } catch (error) {
    if (error instanceof FeedProblem) return error.message;
    throw error;
  }
}

/** The key is the feed's declared URL, or the file name if it declares none. */
export async function takeDocument(
  context: PodcastsContext,
  bytes: Buffer,
  name: string,
): Promise<HandedOver> {
  const { db, account } = context;
  const open = await opened(account, bytes);
  const objection = typeof open === "string" ? open : findObjection(open);
  if (typeof open === "string" || objection !== undefined)
    return { status: "rejected", reason: objection ?? "", podcastId: "" };
  const url = open.feed.selfAddress || localAddress(name);
  const removal = await findRemovalByAddress(db, account, addressKey(url));
  if (removal)
    return { status: "rejected", reason: "The podcast was removed.", podcastId: removal.podcast_id };
  const podcastId = (await feeds.findIdByAddress(db, account, url)) ?? nextPodcastId(context);
  const bodyHash = await hashOf(bytes);
  const before = await feeds.findFeed(db, account, podcastId);
  if (before?.body_hash === bodyHash)
    return { status: "found", reason: "Nothing has changed since it was read last.", podcastId };
  const source = { url, kind: "local", etag: "", lastModified: "", bodyHash, email: "" } as const;
  const { count, withdrawn } = await ingest(context, podcastId, open, source);
  const reason = `${count.added} episodes added, ${count.edited} edited, ${withdrawn} withdrawn.`;
  return { status: "found", reason, podcastId };
}
