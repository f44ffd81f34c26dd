/** Worker entry: reads a feed. Its episodes are returned in batches, which the main thread decodes one at a time. */
import { serialize } from "node:v8";
import { handOver, ownBytes, startThreadMeter } from "#kernel/workers";
import { FeedProblem } from "../domain/feeds/feed.ts";
import { openFeed } from "../domain/feeds/read-feed.ts";
import type { FeedResult, FeedTask } from "./tasks.ts";

export async function run({ bytes, contentType, address, meter }: FeedTask): Promise<FeedResult> {
  startThreadMeter(meter);
  try {
    const { feed, itemCount, batchCount, batch } = openFeed(bytes, { contentType, address });
    const batches = Array.from({ length: batchCount }, (_, index) => ownBytes(serialize(batch(index))));
    return handOver({ feed, itemCount, batches }, ...batches.map(({ buffer }) => buffer));
  } catch (error) {
    if (error instanceof FeedProblem) return { problem: error.message };
    throw error;
  }
}
