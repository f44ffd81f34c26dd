/** Messages between the main thread and the threads that read feeds. */
import type { ThreadMeter } from "#kernel/workers";
import type { Feed } from "../domain/feeds/feed.ts";

export type FeedTask = {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** URL of the document. */
  readonly address: string;
  readonly meter: ThreadMeter;
};
/** `batches`: serialized episodes. `problem`: why the document is no feed. */
export type FeedResult =
  | { readonly feed: Omit<Feed, "episodes">; readonly itemCount: number; readonly batches: Uint8Array[] }
  | { readonly problem: string };
