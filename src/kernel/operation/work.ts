/** A durable job as its callers know it: its name and payload, not how it runs. */
import type { TSchema } from "@sinclair/typebox";

export type EnqueueOptions = {
  /** Epoch milliseconds on the kernel clock; default now. */
  readonly runAtMs?: number;
  /** At most one waiting job per key of a service and account. Enqueueing again replaces its payload and time. */
  readonly key?: string;
  /** A waiting job of the same key keeps its time, so that frequent calls cannot postpone it again and again. */
  readonly keepsTime?: boolean;
  /** The account of the job if it is not the caller's, for parts of the kernel that act across accounts. */
  readonly account?: string;
};

/** A job that has not ended, as it was enqueued. */
export type PlannedJob = {
  readonly name: string;
  readonly key: string;
  readonly payload: unknown;
  readonly runAtMs: number;
};

export type WorkKind<P = unknown> = {
  readonly name: string;
  /** Checked on enqueue. A payload that does not fit is our own bug. */
  readonly payload: TSchema;
  readonly attemptsMax?: number;
  /** Binds the name to its payload type. Only the queue runs it. */
  run?(payload: P, context: never, attempt: never): Promise<void>;
};
