/**
 * What happens to errors that no code handles. A rejected promise concerns its own piece of work alone: it is logged, and
 * the server goes on. After an exception outside every request nobody knows what is half done: it is logged, the server
 * stops in order, and the process ends with code 1 for its supervisor to start again.
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
