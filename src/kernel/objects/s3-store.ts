/** A store that speaks the S3 protocol: signed requests, a time limit for each, retries with backoff. */
import { setTimeout as pause } from "node:timers/promises";
import { readAuthorities } from "../config/authorities.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import type { Log } from "../observe/log.ts";
import { kernelErrors, type ServiceError } from "../operation/errors.ts";
import { createOutbound, type Outbound, type OutboundResponse } from "../outbound/index.ts";
import { signSigV4 } from "../protocols/sigv4/sign.ts";
import { readObjectsAddress } from "./address.ts";

/** No object is larger: those who store cut their bytes into chunks. */
const OBJECT_BYTES_MAX = 4 * 1024 * 1024;
export const KEYS_PER_PAGE = 1000;
const RETRY_AFTER_SECONDS = 5;
const FIRST_WAIT_MS = 50;
const WAIT_GROWS = 4;
const ATTEMPTS_MAX = 5;
const SECOND_MS = 1000;
/** At a time, from one node. Others wait their turn, which counts as their time. */
export const REQUESTS_MAX = 32;

export type ListedObject = { readonly key: string; readonly size: number };
/** `isLast`: no keys follow. */
export type ListedPage = { readonly objects: readonly ListedObject[]; readonly isLast: boolean };

type Sent = {
  readonly method: string;
  readonly key: string;
  readonly query?: string;
  readonly body?: Uint8Array;
};
type S3Settings = Pick<
  Config,
  | "objects"
  | "objectsEndpoint"
  | "objectsRegion"
  | "objectsPathStyle"
  | "objectsKeyId"
  | "objectsSecret"
  | "objectsTimeoutSeconds"
>;

const NOTHING = new Uint8Array();
const isPassing = ({ status }: OutboundResponse): boolean =>
  status >= 500 || status === 429 || status === 408;
/** Keys are plain characters, and codes of errors are words, so nothing is escaped. */
const textIn = (xml: string, name: string): string | undefined => {
  const start = xml.indexOf(`<${name}>`);
  const end = xml.indexOf(`</${name}>`, start);
  return start < 0 || end < 0 ? undefined : xml.slice(start + name.length + 2, end);
};

/** Undefined without `--objects`. Throws a ConfigError if something is missing. */
export function openS3(config: Config, log: Log): S3Store | undefined {
  if (config.objects === undefined) return undefined;
  const { hostname } = new URL(placeOf(config).origin);
  // The operator names this host, so it may be private.
  const outbound = createOutbound({
    listensOnLoopbackOnly: true,
    allowedNetworks: [...config.allowedNetworks, hostname.replace(/^\[(.*)\]$/, "$1")],
    certificateAuthorities: readAuthorities(config.outboundAuthorities),
    userAgent: "medley",
  });
  return new S3Store(config, outbound, log);
}

/** The origin and the path before keys. */
function placeOf(settings: S3Settings): { readonly origin: string; readonly path: string } {
  const { objectsEndpoint, objectsRegion, objectsKeyId, objectsSecret } = settings;
  const { bucket, prefix } = readObjectsAddress(settings.objects ?? "");
  if (objectsKeyId === undefined || objectsSecret === undefined)
    throw new ConfigError("--objects needs MEDLEY_OBJECTS_KEY_ID and MEDLEY_OBJECTS_SECRET");
  const endpoint = new URL(objectsEndpoint ?? `https://s3.${objectsRegion}.amazonaws.com`);
  if (settings.objectsPathStyle ?? objectsEndpoint !== undefined)
    return { origin: endpoint.origin, path: `/${bucket}/${prefix}` };
  return { origin: `${endpoint.protocol}//${bucket}.${endpoint.host}`, path: `/${prefix}` };
}

export class S3Store {
  readonly #settings: S3Settings;
  readonly #outbound: Outbound;
  readonly #log: Log;
  readonly #origin: string;
  readonly #path: string;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(settings: S3Settings, outbound: Outbound, log: Log) {
    this.#settings = settings;
    this.#outbound = outbound;
    this.#log = log;
    const { origin, path } = placeOf(settings);
    this.#origin = origin;
    this.#path = path;
  }
  async put(key: string, body: Uint8Array): Promise<void> {
    const answer = await this.#send({ method: "PUT", key, body });
    if (answer.status !== 200) throw this.#refused("PUT", answer);
  }
  async find(key: string): Promise<Buffer | undefined> {
    const answer = await this.#send({ method: "GET", key });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw this.#refused("GET", answer);
    return answer.body;
  }
  async has(key: string): Promise<boolean> {
    const answer = await this.#send({ method: "HEAD", key });
    if (answer.status !== 200 && answer.status !== 404) throw this.#refused("HEAD", answer);
    return answer.status === 200;
  }
  async remove(key: string): Promise<void> {
    const answer = await this.#send({ method: "DELETE", key });
    if (![200, 204, 404].includes(answer.status)) throw this.#refused("DELETE", answer);
  }
  /** Keys in the order of their bytes, after the key `after`. */
  async list(prefix: string, after: string): Promise<ListedPage> {
    const start = this.#keyPrefix;
    const query = new URLSearchParams({
      "list-type": "2",
      "max-keys": String(KEYS_PER_PAGE),
      prefix: start + prefix,
      ...(after !== "" && { "start-after": start + after }),
    });
    const answer = await this.#send({ method: "GET", key: "", query: String(query) });
    if (answer.status !== 200) throw this.#refused("LIST", answer);
    const xml = answer.body.toString("utf8");
    const [, ...entries] = xml.split("<Contents>");
    const objects = entries.map((entry) => ({
      key: (textIn(entry, "Key") ?? "").slice(start.length),
      size: Number(textIn(entry, "Size") ?? 0),
    }));
    return { objects, isLast: textIn(xml, "IsTruncated") !== "true" };
  }

  get #keyPrefix(): string {
    return readObjectsAddress(this.#settings.objects ?? "").prefix;
  }
  async #send(sent: Sent): Promise<OutboundResponse> {
    const untilMs = performance.now() + this.#settings.objectsTimeoutSeconds * SECOND_MS;
    while (this.#running >= REQUESTS_MAX) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await this.#sendUntil(sent, untilMs);
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
  /** Passing failures are retried until the time is over. What is answered then is not one of them. */
  async #sendUntil(sent: Sent, untilMs: number): Promise<OutboundResponse> {
    for (let attempt = 1, waitMs = FIRST_WAIT_MS; ; attempt += 1, waitMs *= WAIT_GROWS) {
      const answer = await this.#attempt(sent, Math.max(1, untilMs - performance.now()));
      if (!(answer instanceof Error) && !isPassing(answer)) return answer;
      const isOver = attempt >= ATTEMPTS_MAX || performance.now() + waitMs >= untilMs;
      if (isOver) throw this.#silent(sent.method, answer);
      await pause(waitMs * (1 + Math.random()) * 0.75);
    }
  }
  async #attempt(
    { method, key, query = "", body }: Sent,
    timeoutMs: number,
  ): Promise<OutboundResponse | Error> {
    const { objectsRegion: region, objectsKeyId: keyId = "", objectsSecret: secret = "" } = this.#settings;
    const rawPath =
      key === "" ? this.#path.slice(0, this.#path.length - this.#keyPrefix.length) : this.#path + key;
    const { host } = new URL(this.#origin);
    const headers = signSigV4(
      { method, rawPath, rawQuery: query, host, body: body ?? NOTHING },
      { service: "s3", region, keyId, secret, nowMs: Date.now() },
    );
    const url = `${this.#origin}${rawPath}${query === "" ? "" : `?${query}`}`;
    const limits = { timeoutMs, redirectsMax: 0, responseBytesMax: OBJECT_BYTES_MAX };
    return this.#outbound
      .request({ method, url, headers, ...(body && { body }), ...limits })
      .catch((error: Error) => error);
  }
  #silent(method: string, answer: OutboundResponse | Error): ServiceError {
    const reason = answer instanceof Error ? answer.message : `it answered ${answer.status}`;
    this.#log.error("the object store does not work", { method, reason });
    return unavailable("The store of large objects does not answer now; try again.");
  }
  #refused(method: string, answer: OutboundResponse): ServiceError {
    const reason =
      `it answered ${answer.status} ${textIn(answer.body.toString("utf8"), "Code") ?? ""}`.trim();
    this.#log.error("the object store refuses", { method, reason });
    return unavailable(`The store of large objects refuses: ${reason}.`);
  }
}

export const unavailable = (message: string): ServiceError =>
  kernelErrors.unavailable(message, { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
