/** The instance as the job queue uses it. */
import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import type { Config } from "../config/config.ts";
import type { AnyDb, Database } from "../db/database.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Context } from "../operation/context.ts";
import type { JobContextOptions } from "../runtime/scope.ts";

/** The context of a transaction that somebody else commits and then reports. */
export type CommittedContext = Context & { readonly waitsForCommit: boolean; committed(): void };

/** The parts of the instance that the queue needs. */
export type QueueHost = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly sharedClock: { leave(): Promise<void> };
  refreshShared(): Promise<boolean>;
  jobContext(service: string, account: string, id: string, options?: JobContextOptions): Context;
  jobContextIn(db: AnyDb, service: string, account: string, id: string): CommittedContext;
};
