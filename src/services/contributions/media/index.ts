/** The main thread's side of pictures and films: calls to the worker threads that make artifacts. */
import { availableParallelism } from "node:os";
import { createWorkerPool, type WorkerPool, workerFile } from "#kernel/workers";
import type { Result, Task } from "./tasks.ts";

export type ArtifactMaker = WorkerPool<Task, Result>;

/** The largest picture takes some seconds on one core, and longer on a busy one. */
const TIMEOUT_MS = 120_000;
const HEAP_MB_MAX = 512;
const THREADS_MAX = Math.min(4, Math.max(2, availableParallelism()));

/** No thread starts before the first picture. */
export const createArtifactMaker = (): ArtifactMaker =>
  createWorkerPool<Task, Result>({
    file: workerFile(import.meta.url, "services/contributions/media/worker.js"),
    name: "run",
    timeoutMs: TIMEOUT_MS,
    threadsMax: THREADS_MAX,
    heapMbMax: HEAP_MB_MAX,
    staysAwake: true,
  });
