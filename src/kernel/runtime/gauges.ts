/** Gauges that are read from the database every minute. */

import type { Database } from "../db/database.ts";
import { databaseBytes } from "../db/database-bytes.ts";
import { countWaiting } from "../jobs/queue-store.ts";
import type { StoredGauges } from "../observe/minutes.ts";

export const readGauges = async ({ read, standby, kind }: Database): Promise<StoredGauges> => ({
  databaseBytes: await databaseBytes(standby?.read ?? read, kind),
  jobsWaiting: await countWaiting(standby?.read ?? read),
});
