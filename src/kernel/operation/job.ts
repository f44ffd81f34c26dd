/** Durable work: declared like operations, run by the kernel's queue. */
import type { Static, TSchema } from "@sinclair/typebox";
import type { Context } from "./context.ts";
import type { WorkKind } from "./work.ts";

/** How a job repeats by itself, from the first start of the process on. */
export type Repeat = { readonly everySeconds: number } | { readonly cron: string };

export type Job<P = unknown> = Omit<WorkKind, "run"> & {
  /** `write` (default): effect and completion commit together. `manual`: slow work, at least once. */
  readonly transaction?: "write" | "manual";
  readonly repeat?: Repeat;
  /** One at a time of an account on a node: for work that several at once would only do in each other's way. */
  readonly alone?: boolean;
  /** A chore whose only effect is to forget what is old: one run does what many missed ones would have, so a journey in time runs it once, at its end. */
  readonly housekeeping?: boolean;
  run(payload: P, context: Context, attempt: JobAttempt): Promise<void>;
};
export type JobAttempt = {
  readonly id: string;
  readonly attempt: number;
  readonly lastAttempt: boolean;
  /** When the work fell due on the kernel clock. */
  readonly dueAtMs: number;
  /** A repeating job that has nothing to do before then leaves out the occurrences until it. */
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
    attemptsMax?: number;
    repeat?: Repeat;
    alone?: boolean;
    housekeeping?: boolean;
    run(payload: Static<S>, context: Context<Db, State>, attempt: JobAttempt): Promise<void>;
  }): Job<Static<S>> => job as unknown as Job<Static<S>>;
}
