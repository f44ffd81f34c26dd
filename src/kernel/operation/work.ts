/** Durable work as whoever causes it has to know it: its name and what it takes, not how it is done. */
import type { TSchema } from "@sinclair/typebox";

export type EnqueueOptions = {
  /** Epoch milliseconds on the kernel clock; now when absent. */
  readonly runAtMs?: number;
  /** At most one waiting job per key of a service and account; enqueueing again moves its time and replaces what is to be done. */
  readonly key?: string;
  /** A waiting job of the same key keeps its time, so that calls in quick succession cannot postpone it for ever. */
  readonly keepsTime?: boolean;
  /** Whose work it is, where that is not the caller's account: for parts of the kernel that act across accounts. */
  readonly account?: string;
};

export type WorkKind<P = unknown> = {
  readonly name: string;
  /** Checked when the job is enqueued: what does not fit is our own mistake. */
  readonly payload: TSchema;
  readonly attemptsMax?: number;
  /** Ties the name to what it takes; the queue alone runs it. */
  run?(payload: P, context: never, attempt: never): Promise<void>;
};
