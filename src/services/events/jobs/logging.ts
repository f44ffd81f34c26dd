/** Sends log entries of detectors to the account's log group, according to the logging options. */
import { arnOf, makersName } from "#kernel/arn";
import { isoOf } from "#kernel/clock";
import type { LogEntry } from "../domain/index.ts";
import type { EventsContext } from "../state.ts";
import { findLogging } from "../store/index.ts";
import type { LogRow } from "../tables.ts";

export type LoggingOptions = {
  readonly roleArn: string;
  readonly level: "ERROR" | "INFO" | "DEBUG";
  readonly enabled: boolean;
  readonly detectorDebugOptions?:
    | readonly {
        readonly detectorModelName: string;
        readonly keyValue?: string | undefined;
      }[]
    | undefined;
};
/** With the dialect in which the options were set. */
export type Logging =
  | { readonly options: LoggingOptions; readonly spelling?: string | undefined }
  | undefined;

const RANK: Readonly<Record<string, number>> = { ERROR: 0, INFO: 1, DEBUG: 2 };
const LEVELS: Readonly<Record<LogEntry["kind"], string>> = {
  error: "ERROR",
  warning: "INFO",
  created: "INFO",
  transition: "INFO",
  timer: "INFO",
  event: "DEBUG",
};
export const levelOf = (kind: LogEntry["kind"]): string => LEVELS[kind];

export async function loggingOf({ db, account }: EventsContext, region: string): Promise<Logging> {
  const kept = await findLogging(db, account, region);
  return kept === undefined ? undefined : (JSON.parse(kept) as Logging);
}

/** At level DEBUG every event is logged, for the named detectors or for all if none is named. */
export function isDebugged(logging: Logging, model: string, key: string): boolean {
  if (!logging?.options.enabled || logging.options.level !== "DEBUG") return false;
  const chosen = logging.options.detectorDebugOptions ?? [];
  if (chosen.length === 0) return true;
  return chosen.some(
    ({ detectorModelName, keyValue }) =>
      detectorModelName === model && (keyValue === undefined || keyValue === key),
  );
}

export async function publishLogs(
  context: EventsContext,
  loggings: ReadonlyMap<string, Logging>,
  rows: readonly LogRow[],
): Promise<void> {
  for (const row of rows) {
    const logging = loggings.get(row.region);
    if (!logging?.options.enabled) continue;
    if ((RANK[row.level] ?? 0) > (RANK[logging.options.level] ?? 0)) continue;
    const group = arnOf({
      service: "logs",
      region: row.region,
      account: context.account,
      resource: "log-group:IoTEvents",
    });
    await context.outbox.send({
      kind: "log",
      target: logging.spelling === undefined ? group : makersName(group),
      subject: `${row.level} ${row.model}`,
      body: {
        timestamp: isoOf(row.at),
        level: row.level,
        type: row.kind,
        model: row.model,
        ...(row.key !== "" && { keyValue: row.key }),
        ...(row.from_state !== null && { from: row.from_state }),
        ...(row.to_state !== null && { to: row.to_state }),
        message: row.text,
      },
    });
  }
}
