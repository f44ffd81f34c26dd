/** Main-thread side of recognition: a fair queue by account, and worker threads. */
import { availableParallelism } from "node:os";
import { kernelErrors } from "#kernel/operation";
import {
  createWorkerPool,
  FairQueue,
  type FairQueueLimits,
  type MemoryBudget,
  WorkerError,
  workerFile,
} from "#kernel/workers";
import { errors } from "../errors.ts";
import { decodedBytesOf } from "./pictures/declared.ts";
import type { Looked, Result, Task } from "./tasks.ts";

export type { FoundFace } from "./found-face.ts";

/** The largest picture with a hundred faces takes half a minute on an idle core. */
const TIMEOUT_MS = 180_000;
/** Loading the networks takes a second. They use 150 MB in each thread. */
const IDLE_MS = 60_000;
/** A decoded picture of 64 megapixels must fit. Network memory is outside of the heap. */
const HEAP_MB_MAX = 1024;
const THREADS_MAX = Math.min(4, Math.max(2, availableParallelism()));
const WAITING_PER_ACCOUNT_MAX = 200;
/** Limit for all accounts, because each queued picture is held in memory. */
const WAITING_MAX = 2_000;

const RETRY_AFTER_SECONDS = 5;

export type Recognizer = {
  /** Throws the public errors for unreadable pictures. */
  look(account: string, task: Task): Promise<Looked>;
  close(): Promise<void>;
};

const LIMITS: FairQueueLimits = {
  placesMax: THREADS_MAX,
  waitingPerCallerMax: WAITING_PER_ACCOUNT_MAX,
  waitingMax: WAITING_MAX,
};

/** Threads start with the first picture. */
export function createRecognizer(memory: MemoryBudget, limits = LIMITS): Recognizer {
  const workers = createWorkerPool<Task, Result>({
    file: workerFile(import.meta.url, "services/face/recognizer/worker.js"),
    name: "run",
    timeoutMs: TIMEOUT_MS,
    threadsMax: THREADS_MAX,
    idleMs: IDLE_MS,
    heapMbMax: HEAP_MB_MAX,
  });
  const queue = new FairQueue(limits);
  return {
    async look(account, task) {
      const bytes = decodedBytesOf(task.picture);
      const work = () => memory.run(bytes, () => workers.run(task).catch(explain));
      const result = await queue.run(account, work);
      if (!result) throw refusal(queue);
      return looked(result);
    },
    close: () => workers.close(),
  };
}

const headers = { "retry-after": String(RETRY_AFTER_SECONDS) };
const refusal = ({ isFull }: FairQueue) =>
  isFull
    ? kernelErrors.unavailable("Too many pictures are waiting to be looked at; try again.", { headers })
    : kernelErrors.throttled("Too many of your pictures are waiting to be looked at.", { headers });
function looked(result: Result): Looked {
  if ("problem" in result) throw errors[result.problem](result.message);
  return result;
}
function explain(error: unknown): never {
  if (error instanceof WorkerError && error.reason === "timedOut")
    throw kernelErrors.timedOut(`The picture could not be looked at within ${TIMEOUT_MS / 1000} seconds.`);
  throw error;
}
