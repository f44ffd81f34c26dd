/** The common parts of a context: the account of the work, and its database handle. */
import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import type { AnyDb } from "../db/database.ts";
import type { Effect } from "../observe/effects.ts";
import type { EnqueueOptions, WorkKind } from "../operation/work.ts";

export type Scope = {
  readonly account: string;
  readonly service: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly db: AnyDb;
  enqueue<P>(job: WorkKind<P>, payload: P, options?: EnqueueOptions): Promise<string>;
  /** Records an effect of the work for the request log, once it is committed. */
  note?(effect: Effect): void;
};

/** Throws if the work may no longer change anything. Called at the beginning of each of its transactions. */
export type Guard = (db: AnyDb) => Promise<void>;

export type JobContextOptions = {
  readonly guard?: Guard;
  /** While the clock is advanced: nobody waits for the disk, or not even for the commit. */
  readonly commits?: "soon" | "held";
  /** Reads may be some seconds old. */
  readonly mayBeOld?: boolean | undefined;
};
