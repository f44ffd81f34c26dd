/** Worker entry: reads a feed. Its episodes are returned in batches, which the main thread decodes one at a time. */
import { serialize } from "node:v8";
import { handOver, type Metered, ownBytes, type Read, startThreadMeter } from "#kernel/workers";
import { FeedProblem } from "../domain/feeds/feed.ts";
import { openFeed } from "../domain/feeds/read-feed.ts";
import type { FeedDocument, FeedParts } from "./tasks.ts";

export async function run(task: Metered<FeedDocument>): Promise<Read<FeedParts>> {
  const { bytes, contentType, address, meter } = task;
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
