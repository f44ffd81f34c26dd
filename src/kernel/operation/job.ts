/** Durable jobs: declared like operations, run by the queue of the kernel. */
import type { Static, TSchema } from "@sinclair/typebox";
import type { Context } from "./context.ts";
import type { WorkKind } from "./work.ts";

/** How a job repeats, from the first start of the process on. */
export type Repeat = { readonly everySeconds: number } | { readonly cron: string };

export type Job<P = unknown> = Omit<WorkKind, "run"> & {
  /** `write` (default): effect and completion commit together. `manual`: slow work, at least once. */
  readonly transaction?: "write" | "manual";
  /**
   * For `manual`: all its effects are in the database, or a repetition does no harm. While the clock is advanced on
   * SQLite, its transactions share a commit with those of other jobs.
   */
  readonly sharesCommits?: boolean;
  readonly repeat?: Repeat;
  /** One at a time for each account on a node, for jobs that would only slow each other down. */
  readonly alone?: boolean;
  /**
   * Only deletes old data. One run does the work of many missed ones, so an advance of the clock runs it once, at
   * the end.
   */
  readonly housekeeping?: boolean;
  run(payload: P, context: Context, attempt: JobAttempt): Promise<void>;
};
export type JobAttempt = {
  readonly id: string;
  readonly attempt: number;
  readonly lastAttempt: boolean;
  /** When the job was due on the kernel clock. */
  readonly dueAtMs: number;
  /** Skips the occurrences of a repeating job until then. */
  restUntil(ms: number): void;
};

// biome-ignore lint/suspicious/noExplicitAny: payload types differ; the queue checks them against the schema.
export type AnyJob = Job<any>;

/** Bound to a service's tables and state: jobs get the same context as operations, minus a caller. */
export function jobsFor<Db, State = undefined>() {
  return <S extends TSchema>(job: {
    name: string;
    payload: S;
    transaction?: "write" | "manual";
    sharesCommits?: boolean;
    attemptsMax?: number;
    repeat?: Repeat;
    alone?: boolean;
    housekeeping?: boolean;
    run(payload: Static<S>, context: Context<Db, State>, attempt: JobAttempt): Promise<void>;
  }): Job<Static<S>> => job as Job<Static<S>>;
}
