/** Worker threads for work that would block the main thread. */
export { WorkerError } from "./errors.ts";
export { handOver, ownBytes } from "./hand-over.ts";
export { MemoryTurns } from "./memory-turns.ts";
export { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from "./pool.ts";
export { meteredMs, newThreadMeter, startThreadMeter, type ThreadMeter } from "./thread-meter.ts";
export { type TurnLimits, Turns } from "./turns.ts";
export { workerFile } from "./worker-file.ts";
