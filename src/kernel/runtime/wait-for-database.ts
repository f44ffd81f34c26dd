/** A start waits for a database that goes away. */
import { isDatabaseAway } from "../db/database.ts";
import type { Log } from "../observe/log.ts";
import { kernelErrors, ServiceError } from "../operation/errors.ts";

/** A server that restarts or fails over is back within this time. A longer start would look as if it hung. */
const WAIT_MS = 60_000;
const PAUSE_MS = 1000;

const isAway = (error: unknown): boolean =>
  isDatabaseAway(error) || (error instanceof ServiceError && error.kind === kernelErrors.unavailable);

/** `step` must be idempotent, because it may be retried. */
export async function waitingForDatabase<T>(log: Log, step: () => Promise<T>): Promise<T> {
  for (const untilMs = performance.now() + WAIT_MS; ; )
    try {
      return await step();
    } catch (error) {
      if (!isAway(error) || performance.now() > untilMs) throw error;
      log.error("the database went away during the start: waiting for it", { error: String(error) });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
}
