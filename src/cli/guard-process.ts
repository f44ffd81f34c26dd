/**
 * Handles uncaught errors. An unhandled rejection affects only its own work: it is logged, and the server
 * continues. After an uncaught exception, the state is unknown: it is logged, and the server stops
 * gracefully. The process then ends with code 1, so that a supervisor restarts it.
 */
import type { Config } from "#kernel/config";
import { createLog } from "#kernel/observe";

export function guardProcess(level: Config["logLevel"], stop: () => void): { readonly exitCode: number } {
  const log = createLog(level);
  const guard = { exitCode: 0 };
  const textOf = (error: unknown) =>
    error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.on("unhandledRejection", (reason) =>
    log.error("a rejection was not handled", { error: textOf(reason) }),
  );
  process.on("uncaughtException", (error) => {
    log.error("an exception was not handled: stopping", { error: textOf(error) });
    guard.exitCode = 1;
    process.exitCode = 1;
    stop();
  });
  return guard;
}
