/** Reads `.lu` text. Long texts are read in worker threads, because the longest may take ten seconds. */
import { kernelErrors } from "#kernel/operation";
import { createWorkerPool, meteredMs, newThreadMeter, WorkerError, workerFile } from "#kernel/workers";
import { errors } from "../errors.ts";
import { type ReadLu, readLu } from "../transfer/lu-read.ts";
import type { LuResult, LuTask } from "./tasks.ts";

/** Limit of processor time. The longest text takes a sixth of it. */
const PROCESSOR_MS_MAX = 60_000;
/** Shorter texts are read in a few milliseconds. */
const SHORT_LENGTH_MAX = 16 * 1024;

const workers = createWorkerPool<LuTask, LuResult>({
  file: workerFile(import.meta.url, "services/language/reading/worker.js"),
  name: "run",
  timeoutMs: PROCESSOR_MS_MAX,
  threadsMax: 1,
  spentMs: ({ meter }, elapsedMs) => meteredMs(meter, elapsedMs),
});

export async function readLuText(source: string): Promise<ReadLu> {
  if (source.length <= SHORT_LENGTH_MAX) return readLu(source);
  const result = await workers.run({ source, meter: newThreadMeter() }).catch((error: unknown) => {
    if (!(error instanceof WorkerError) || error.reason === "closed") throw error;
    if (error.reason === "busy")
      throw kernelErrors.unavailable("Too many texts wait.", { headers: { "retry-after": "2" } });
    throw errors.badArgument("The text takes too much time or memory.");
  });
  if ("problem" in result) throw errors.badArgument(result.problem);
  return result;
}
