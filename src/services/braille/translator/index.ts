/** The main thread's side of translation: passes tasks to worker threads and maps their failures to errors. */

import { availableParallelism } from "node:os";
import { kernelErrors, type ServiceError } from "#kernel/operation";
import { createWorkerPool, FairQueue, WorkerError, workerFile } from "#kernel/workers";
import { errors } from "../errors.ts";
import { IDLE_SECONDS_MAX, type Result, type Task } from "./tasks.ts";

export { type Engines, findEngines } from "./engines.ts";

/** The longest text takes some seconds on one core, and much longer on one that is slow and busy. */
const TIMEOUT_MS = 90_000;
/** Longer than its engine's process stays: a thread sees the end of that process, which nobody else could. */
const IDLE_MS = 2 * IDLE_SECONDS_MAX * 1000;
/** For a request, which may have to wait for a worker as well. */
export const TRANSLATION_SECONDS_MAX = 100;

/** One core stays free. */
const THREADS_MAX = Math.max(2, availableParallelism() - 1);
/** Of one caller; and of all callers with a key, as of all without one. */
const WAITING_PER_CALLER_MAX = 100;
const WAITING_MAX = 400;

/** `isKnown`: it has a key, and is never behind those without one. */
export type Asker = { readonly name: string; readonly isKnown: boolean };

/** One for all instances in the process: a worker keeps nothing of a caller. */
const workers = createWorkerPool<Task, Result>({
  file: workerFile(import.meta.url, "services/braille/translator/worker.js"),
  name: "run",
  timeoutMs: TIMEOUT_MS,
  threadsMax: THREADS_MAX,
  idleMs: IDLE_MS,
  staysAwake: true,
  // Rules of tables are matched by functions that call themselves for each character.
  stackMbMax: 16,
});

const queue = new FairQueue({
  placesMax: THREADS_MAX,
  waitingPerCallerMax: WAITING_PER_CALLER_MAX,
  waitingMax: WAITING_MAX,
});

type Made = Extract<Result, { readonly bytes: unknown }>;

/** The bytes of the answer, and who spoke. */
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
