/** Writes records to loggers in batches, one transaction each, so that calls do not wait. */
import { createHmac } from "node:crypto";
import type { Context, Instance } from "#kernel/operation";
import { makersDialect } from "../dialect.ts";
import type { Logger } from "./served.ts";

export type LogRecord = Readonly<Record<string, unknown>>;
/** Measurements of calls, if a diagnostic enables metrics. */
export type Measured = {
  readonly api: string;
  readonly status: number;
  readonly ms: number;
  readonly backendMs: number;
};

type Waiting = {
  readonly account: string;
  readonly logger: Logger;
  readonly records: LogRecord[];
  readonly measured: Measured[];
};
const WAIT_MS = 100;
const TOGETHER_MAX = 100;
/** Queue limit of one logger while the database is slow. Records beyond it are dropped and counted. */
const WAITING_MAX = 10_000;
const TOKEN_SECONDS = 3600;

const connectionOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(";").flatMap((pair) => {
      const end = pair.indexOf("=");
      return end < 0 ? [] : [[pair.slice(0, end).trim().toLowerCase(), pair.slice(end + 1).trim()] as const];
    }),
  );
type Endpoint = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly asTelemetry: boolean;
};

/** Shared access signature of an event hub: an HMAC over address and expiry. */
function hubToken(resource: string, keyName: string, key: string, nowMs: number): string {
  const ends = Math.floor(nowMs / 1000) + TOKEN_SECONDS;
  const signed = createHmac("sha256", key)
    .update(`${encodeURIComponent(resource)}\n${ends}`)
    .digest("base64");
  const members = { sr: resource, sig: signed, se: String(ends), skn: keyName };
  return `SharedAccessSignature ${new URLSearchParams(members)}`;
}
/** Undefined if the logger has no endpoint. Its records are stored only locally. */
function endpointOf({ type, credentials }: Logger, machineNowMs: number): Endpoint | undefined {
  const connection = connectionOf(credentials.connectionString ?? "");
  if (type === "applicationInsights") {
    const base = connection.get("ingestionendpoint");
    return base === undefined
      ? undefined
      : { url: `${base.replace(/\/$/, "")}/v2.1/track`, headers: {}, asTelemetry: true };
  }
  const given = connection.get("endpoint") ?? credentials.endpointAddress;
  if (type !== "azureEventHub" || !given) return undefined;
  const base = given.replace(/^sb:/, "https:").replace(/\/$/, "");
  const resource = `${base}/${encodeURIComponent(credentials.name ?? connection.get("entitypath") ?? "")}`;
  const [keyName, key] = [connection.get("sharedaccesskeyname"), connection.get("sharedaccesskey")];
  return {
    url: `${resource}/messages`,
    headers: keyName && key ? { authorization: hubToken(resource, keyName, key, machineNowMs) } : {},
    asTelemetry: false,
  };
}
const instrumentationKeyOf = ({ credentials }: Logger): string =>
  credentials.instrumentationKey ??
  connectionOf(credentials.connectionString ?? "").get("instrumentationkey") ??
  "";
/** The record as telemetry in the public service's format. */
function telemetryOf(record: LogRecord, logger: Logger): Record<string, unknown> {
  const { time, operationName, correlationId, parentId, durationMs, isRequestSuccess, properties } = record;
  const { url, responseCode } = properties as Record<string, unknown>;
  return {
    name: "Microsoft.ApplicationInsights.Request",
    time,
    iKey: instrumentationKeyOf(logger),
    tags: {
      "ai.operation.id": correlationId,
      ...(parentId !== undefined && { "ai.operation.parentId": parentId }),
      "ai.operation.name": operationName,
      ...(record.callerIpAddress !== undefined && { "ai.location.ip": record.callerIpAddress }),
    },
    data: {
      baseType: "RequestData",
      baseData: {
        ver: 2,
        id: correlationId,
        name: operationName,
        url,
        duration: `00:00:${(Number(durationMs) / 1000).toFixed(7).padStart(10, "0")}`,
        responseCode: String(responseCode),
        success: isRequestSuccess,
        properties,
      },
    },
  };
}
function metricsOf(measured: readonly Measured[]): Record<string, unknown>[] {
  const groups = new Map<string, Measured[]>();
  for (const one of measured) {
    const key = `${one.api} ${Math.floor(one.status / 100)}xx`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups].map(([key, calls]) => {
    const [api, category] = key.split(" ");
    const figures = (values: readonly number[]) => ({
      total: values.reduce((sum, value) => sum + value, 0),
      minimum: values.reduce((least, value) => Math.min(least, value)),
      maximum: values.reduce((most, value) => Math.max(most, value)),
    });
    return {
      dimensions: { ApiId: api, GatewayResponseCodeCategory: category },
      Requests: calls.length,
      Duration: figures(calls.map(({ ms }) => ms)),
      BackendDuration: figures(calls.map(({ backendMs }) => backendMs)),
    };
  });
}

type Writing = Pick<Instance, "log" | "transactAs">;
export class LogWriter {
  readonly #instance: Writing;
  readonly #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  constructor(instance: Writing) {
    this.#instance = instance;
  }
  add(account: string, logger: Logger, record: LogRecord | undefined, measured: Measured | undefined): void {
    const waiting = this.#waitingOf(account, logger);
    if (record) {
      if (waiting.records.length < WAITING_MAX) waiting.records.push(record);
      else this.#instance.log.error("a logger takes too long: a record is lost", { logger: logger.id });
    }
    if (measured && waiting.measured.length < WAITING_MAX) waiting.measured.push(measured);
    if (!logger.isBuffered) void this.flush();
    // biome-ignore lint/style/noRestrictedGlobals: how long records wait for each other is real time, however the kernel clock stands.
    else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS);
  }
  #waitingOf(account: string, logger: Logger): Waiting {
    // Loggers of two accounts may have the same key.
    const key = `${account} ${logger.key}`;
    const waiting = this.#waiting.get(key) ?? { account, logger, records: [], measured: [] };
    this.#waiting.set(key, waiting);
    return waiting;
  }
  /** Writes queued records after the batch in progress. Until then they stay queued, and the limit counts them. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next ??= this.#writing
      .then(() => {
        this.#next = undefined;
        const all = [...this.#waiting.values()];
        this.#waiting.clear();
        return this.#writeAll(all);
      })
      .catch((error: unknown) => {
        this.#instance.log.error("records of a gateway could not be written", { error: String(error) });
      });
    this.#writing = this.#next;
    return this.#next;
  }
  async #writeAll(all: readonly Waiting[]): Promise<void> {
    for (const account of new Set(all.map((one) => one.account)))
      await this.#instance.transactAs("api-diagnostics", account, async (context) => {
        for (const waiting of all) if (waiting.account === account) await write(context, waiting);
      });
  }
}
async function write(context: Context, { logger, records, measured }: Waiting): Promise<void> {
  const endpoint = endpointOf(logger, context.clock.machineNowMs());
  const message = {
    kind: logger.type,
    target: endpoint?.url ?? logger.id,
    ...(endpoint && { headers: endpoint.headers, deliver: {} }),
  };
  const together = logger.isBuffered ? TOGETHER_MAX : 1;
  for (let start = 0; start < records.length; start += together) {
    // External endpoints get records with the vendor's names.
    const part = records
      .slice(start, start + together)
      .map((record) => (endpoint ? (makersDialect.makersBody("", 200, record) as LogRecord) : record));
    const body = endpoint?.asTelemetry
      ? part.map((record) => telemetryOf(record, logger))
      : { records: part };
    await context.outbox.send({ ...message, subject: "GatewayLogs", body });
  }
  if (measured.length > 0)
    await context.outbox.send({
      kind: logger.type,
      target: logger.id,
      subject: "Metrics",
      body: { metrics: metricsOf(measured) },
    });
}
