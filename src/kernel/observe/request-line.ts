/** One line of standard error for each request, for `--log-requests`. Secrets are taken out of the address. */
import { isoOf } from "../clock/clock.ts";
import { secretPartsOf } from "../operation/secrets.ts";
import { redactUrl } from "./redact.ts";
import type { RequestRecord } from "./request-record.ts";

type Format = "text" | "json";

/** Writes the line of a request. */
export const requestLines =
  (format: Format) =>
  (record: RequestRecord): void => {
    process.stderr.write(`${lineOf(record, format)}\n`);
  };

function lineOf(record: RequestRecord, format: Format): string {
  const { method, status, operation, service, account, id } = record;
  const url = redactUrl(record.url, operation && secretPartsOf(operation));
  const time = isoOf(record.atMs);
  const durationMs = Math.round(record.durationMs * 10) / 10;
  const done = operation?.id ?? (service || undefined);
  if (format === "json")
    return JSON.stringify({ time, method, url, status, durationMs, operation: done, account, id });
  return [time, status, method, url, `${durationMs}ms`, done ?? "-", account ?? "-"].join(" ");
}
