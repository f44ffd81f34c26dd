/**
 * Reads documents of accounts in worker threads, because a hostile one may take seconds. The queue is fair: a long
 * queue of one account does not delay the documents of another.
 */
import { kernelErrors } from "../operation/errors.ts";
import { WorkerError } from "./errors.ts";
import { FairQueue } from "./fair-queue.ts";
import { createWorkerPool, THREADS_MAX_DEFAULT } from "./pool.ts";
import { meteredMs, newThreadMeter, type ThreadMeter } from "./thread-meter.ts";

/** The worker starts the meter when it starts the task. */
export type Metered<Task> = Task & { readonly meter: ThreadMeter };
/** `problem`: why the document is refused. */
export type Read<Result> = Result | { readonly problem: string };

type ReaderOptions = {
  /** The built worker file, from `workerFile`. It exports the function `run`. */
  readonly file: string;
  /** Limit of processor time. */
  readonly processorMsMax: number;
  readonly threadsMax?: number;
  readonly heapMbMax?: number;
  /** What is read, for messages: "feeds". */
  readonly documents: string;
  /** The message for a document that takes too much time or memory. */
  readonly tooMuch: string;
  problemOf(message: string): Error;
};
type ReadDocument<Task, Result> = (account: string, task: Task) => Promise<Result>;

const WAITING_PER_ACCOUNT_MAX = 50;
const WAITING_MAX = 200;

export function createReader<Task extends object, Result extends object>(
  options: ReaderOptions,
): ReadDocument<Task, Result> {
  const { threadsMax = THREADS_MAX_DEFAULT, tooMuch, problemOf } = options;
  const workers = createWorkerPool<Metered<Task>, Read<Result>>({
    file: options.file,
    name: "run",
    timeoutMs: options.processorMsMax,
    threadsMax,
    ...(options.heapMbMax !== undefined && { heapMbMax: options.heapMbMax }),
    spentMs: ({ meter }, elapsedMs) => meteredMs(meter, elapsedMs),
  });
  const queue = new FairQueue({
    placesMax: threadsMax,
    waitingPerCallerMax: WAITING_PER_ACCOUNT_MAX,
    waitingMax: WAITING_MAX,
  });
  return async (account, task) => {
    const work = () =>
      workers.run({ ...task, meter: newThreadMeter() }).catch((error: unknown): Read<Result> => {
        if (error instanceof WorkerError && error.reason !== "closed") return { problem: tooMuch };
        throw error;
      });
    const result = await queue.run(account, work);
    if (result === undefined)
      throw kernelErrors.unavailable(`Too many ${options.documents} wait.`, {
        headers: { "retry-after": "2" },
      });
    if ("problem" in result) throw problemOf(result.problem);
    return result;
  };
}
