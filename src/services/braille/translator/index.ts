/** Main-thread side of translation: passes tasks to worker threads and maps their failures to errors. */

import { availableParallelism } from "node:os";
import { kernelErrors, type ServiceError } from "#kernel/operation";
import { createWorkerPool, FairQueue, WorkerError, workerFile } from "#kernel/workers";
import { errors } from "../errors.ts";
import { IDLE_SECONDS_MAX, type Result, type Task } from "./tasks.ts";

export { type Engines, findEngines } from "./engines.ts";

/** The longest text takes some seconds on an idle core, and much longer on a slow, busy one. */
const TIMEOUT_MS = 90_000;
/** Longer than the idle time of the engine's process. The thread must outlive that process to reap it. */
const IDLE_MS = 2 * IDLE_SECONDS_MAX * 1000;
/** Timeout of a request, including the time in the queue. */
export const TRANSLATION_SECONDS_MAX = 100;

/** One core stays free. */
const THREADS_MAX = Math.max(2, availableParallelism() - 1);
/** Queue limits: of one caller, and of all callers with a key or all without one. */
const WAITING_PER_CALLER_MAX = 100;
const WAITING_MAX = 400;

/** `isKnown`: the caller has a key, and takes precedence over callers without one. */
export type Asker = { readonly name: string; readonly isKnown: boolean };

/** One pool for all instances of the process, because workers keep no state of callers. */
const workers = createWorkerPool<Task, Result>({
  file: workerFile(import.meta.url, "services/braille/translator/worker.js"),
  name: "run",
  timeoutMs: TIMEOUT_MS,
  threadsMax: THREADS_MAX,
  idleMs: IDLE_MS,
  staysAwake: true,
  // Table rules are matched by functions that recurse for each character.
  stackMbMax: 16,
});

const queue = new FairQueue({
  placesMax: THREADS_MAX,
  waitingPerCallerMax: WAITING_PER_CALLER_MAX,
  waitingMax: WAITING_MAX,
});

type Made = Extract<Result, { readonly bytes: unknown }>;

/** Bytes of the response, and the engine that made it. */
export async function runTask(task: Task, { name, isKnown }: Asker): Promise<Made> {
  const work = () =>
    workers.run(task).catch((error: unknown) => {
      throw error instanceof WorkerError ? explain(error) : error;
    });
  const result = await queue.run(name, work, isKnown);
  if (result === undefined)
    throw kernelErrors.unavailable("Too many texts are waiting to be translated.", {
      headers: { "retry-after": "2" },
    });
  if ("bytes" in result) return result;
  throw errors[result.problem](result.message);
}

function explain(error: WorkerError): ServiceError | WorkerError {
  return error.reason === "timedOut"
    ? errors.untranslatable(
        `The text could not be translated within ${TIMEOUT_MS / 1000} seconds. Send it in smaller parts.`,
      )
    : error;
}
