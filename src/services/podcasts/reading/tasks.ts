/** Messages between the main thread and the threads that read feeds. */
import type { Feed } from "../domain/feeds/feed.ts";

export type FeedDocument = {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** URL of the document. */
  readonly address: string;
};
/** `batches`: serialized episodes. */
export type FeedParts = {
  readonly feed: Omit<Feed, "episodes">;
  readonly itemCount: number;
  readonly batches: Uint8Array[];
};
