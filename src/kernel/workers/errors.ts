/** Why a task has no result. */

/**
 * `busy`: the queue is full. `timedOut`: its thread was ended. `failed`: it threw, or its thread died. `closed`:
 * the pool was closed.
 */
export type WorkerErrorReason = "busy" | "timedOut" | "failed" | "closed";

export class WorkerError extends Error {
  readonly reason: WorkerErrorReason;
  constructor(reason: WorkerErrorReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
