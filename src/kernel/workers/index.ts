/** Worker threads for work that would block the main thread. */
export { WorkerError } from "./errors.ts";
export { FairQueue, type FairQueueLimits } from "./fair-queue.ts";
export { handOver, ownBytes } from "./hand-over.ts";
export { MemoryBudget } from "./memory-budget.ts";
export { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from "./pool.ts";
export { createReader, type Metered, type Read } from "./reader.ts";
export { meteredMs, newThreadMeter, startThreadMeter, type ThreadMeter } from "./thread-meter.ts";
export { workerFile } from "./worker-file.ts";
export { Pauses } from "./yielding.ts";
