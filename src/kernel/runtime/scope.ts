/** What the parts of a context share: whose work it is, and the handle it runs on. */
import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import type { AnyDb } from "../db/database.ts";
import type { EnqueueOptions, Job } from "../operation/job.ts";

export type Scope = {
  readonly account: string;
  readonly service: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly db: AnyDb;
  enqueue<P>(job: Job<P>, payload: P, options?: EnqueueOptions): Promise<string>;
};
