/** Reads feeds. Long ones are read in worker threads, because a hostile one may take seconds. */
import { deserialize } from "node:v8";
import { sha256Of } from "#kernel/bytes";
import { kernelErrors } from "#kernel/operation";
import { createWorkerPool, meteredMs, newThreadMeter, WorkerError, workerFile } from "#kernel/workers";
import { FeedProblem } from "../domain/feeds/feed.ts";
import { type OpenFeed, openFeed } from "../domain/feeds/read-feed.ts";
import type { FeedResult, FeedTask } from "./tasks.ts";

/** Limit of processor time. */
const PROCESSOR_MS_MAX = 60_000;
/** Enough for the tree of the largest document. */
const HEAP_MB_MAX = 1536;
const THREADS_MAX = 2;
/** Shorter documents take no longer to read than to send to a thread. */
const SHORT_BYTES_MAX = 16 * 1024;

const workers = createWorkerPool<FeedTask, FeedResult>({
  file: workerFile(import.meta.url, "services/podcasts/reading/worker.js"),
  name: "run",
  timeoutMs: PROCESSOR_MS_MAX,
  threadsMax: THREADS_MAX,
  heapMbMax: HEAP_MB_MAX,
  spentMs: ({ meter }, elapsedMs) => meteredMs(meter, elapsedMs),
});

/** `address` is the URL of the document, for relative links. Throws FeedProblem. */
export async function readFeed(
  bytes: Uint8Array,
  { contentType = "", address = "" } = {},
): Promise<OpenFeed> {
  if (bytes.length <= SHORT_BYTES_MAX) return openFeed(bytes, { contentType, address });
  const task = { bytes, contentType, address, meter: newThreadMeter() };
  const result = await workers.run(task).catch((error: unknown) => {
    if (!(error instanceof WorkerError) || error.reason === "closed") throw error;
    if (error.reason === "busy")
      throw kernelErrors.unavailable("Too many feeds wait.", { headers: { "retry-after": "2" } });
    throw new FeedProblem("The document takes too much time or memory.");
  });
  if ("problem" in result) throw new FeedProblem(result.problem);
  const { feed, itemCount, batches } = result;
  const batch: OpenFeed["batch"] = (index) => deserialize(batches[index] ?? new Uint8Array());
  return { feed, itemCount, batchCount: batches.length, batch };
}

export const hashOf = async (bytes: Uint8Array): Promise<string> =>
  (await sha256Of(bytes)).toString("base64url");
