/** What the parts of a context share: whose work it is, and the handle it runs on. */
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
  /** What the work causes, told to those who look into it once it is committed. */
  note?(effect: Effect): void;
};

/** Throws where the work may no longer change anything; asked at the beginning of each of its transactions. */
export type Guard = (db: AnyDb) => Promise<void>;
