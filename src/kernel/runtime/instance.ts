/** The parts of the running instance that contexts need. */
import type { Accounts } from "../auth/accounts.ts";
import type { ByteBudget } from "../blobs/byte-budget.ts";
import type { Clock } from "../clock/clock.ts";
import type { Ids } from "../clock/ids.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { Jobs } from "../jobs/queue.ts";
import type { ObjectStore } from "../objects/objects.ts";
import type { Effects } from "../observe/effects.ts";
import type { Log } from "../observe/log.ts";
import type { Port } from "../operation/port.ts";
import type { Outbound } from "../outbound/index.ts";
import type { PageTokens } from "../paging/page-tokens.ts";
import type { OwnerCache } from "./owners.ts";

export type RunningInstance = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly effects: Effects;
  readonly accounts: Accounts;
  readonly owners: OwnerCache;
  readonly jobs: Jobs;
  readonly outbound: Outbound;
  readonly objects: ObjectStore;
  readonly pageTokens: PageTokens;
  /** For files that end with the process, and the budget for their size. */
  readonly temporaryFolder: string;
  readonly bytesOnDisk: ByteBudget;
  stateOf(service: string): unknown;
  port<T, Offer>(port: Port<T, Offer>): T;
};
