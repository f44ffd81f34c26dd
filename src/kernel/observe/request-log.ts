/** The most recent requests, in memory, for `/_medley/requests`; secrets are taken out when they are read. */
import { isoOf } from "../clock/clock.ts";
import { redactBody, redactHeaders, redactUrl } from "./redact.ts";

const BODY_KEPT_BYTES_MAX = 8192;
const URL_KEPT_LENGTH_MAX = 8192;
const STREAMS_MAX = 20;
const QUEUED_MAX = 1000;
const SIGN_OF_LIFE_MS = 15_000;

export type RequestRecord = {
  readonly id: string;
  readonly atMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly url: string;
  readonly service: string;
  readonly operation: string | undefined;
  readonly account: string | undefined;
  readonly status: number;
  readonly requestHeaders: Readonly<Record<string, unknown>>;
  readonly requestBody: Uint8Array;
  readonly answerHeaders: Readonly<Record<string, unknown>>;
  readonly answerBody: Uint8Array | string | undefined;
};

export type ShownRequest = Record<string, unknown>;

const cut = (body: Uint8Array): Uint8Array =>
  body.length > BODY_KEPT_BYTES_MAX ? Buffer.from(body.subarray(0, BODY_KEPT_BYTES_MAX)) : body;
/** A copy: what `slice` gives would keep the whole text in memory. */
const cutText = (text: string, lengthMax: number): string =>
  text.length > lengthMax ? Buffer.from(text.slice(0, lengthMax), "utf16le").toString("utf16le") : text;
const cutAnswer = (body: Uint8Array | string | undefined): Uint8Array | string | undefined =>
  typeof body === "string" ? cutText(body, BODY_KEPT_BYTES_MAX) : body && cut(body);

export class RequestLog {
  readonly #ring: (RequestRecord | undefined)[];
  readonly #listeners = new Set<(shown: ShownRequest) => void>();
  #next = 0;

  constructor(size: number) {
    this.#ring = new Array(Math.max(1, size));
  }
  add(record: RequestRecord): void {
    const kept: RequestRecord = {
      id: record.id,
      atMs: record.atMs,
      durationMs: record.durationMs,
      method: record.method,
      url: cutText(record.url, URL_KEPT_LENGTH_MAX),
      service: record.service,
      operation: record.operation,
      account: record.account,
      status: record.status,
      requestHeaders: record.requestHeaders,
      requestBody: cut(record.requestBody),
      answerHeaders: record.answerHeaders,
      answerBody: cutAnswer(record.answerBody),
    };
    this.#ring[this.#next % this.#ring.length] = kept;
    this.#next += 1;
    if (this.#listeners.size === 0) return;
    const shown = show(kept);
    for (const listener of this.#listeners) listener(shown);
  }
  /** Newest first. */
  recent(limit: number, wanted: (record: RequestRecord) => boolean = () => true): ShownRequest[] {
    const found: ShownRequest[] = [];
    for (let back = 1; back <= this.#ring.length && found.length < limit; back += 1) {
      const record = this.#ring[(this.#next - back + this.#ring.length * 2) % this.#ring.length];
      if (record === undefined || this.#next - back < 0) break;
      if (wanted(record)) found.push(show(record));
    }
    return found;
  }
  /** Requests as they come, and `undefined` now and then as a sign of life. Undefined when too many listen already. */
  stream(): AsyncGenerator<ShownRequest | undefined> | undefined {
    if (this.#listeners.size >= STREAMS_MAX) return undefined;
    return this.#live();
  }
  /** Listens only once somebody reads: a stream that is never read would never end. */
  async *#live(): AsyncGenerator<ShownRequest | undefined> {
    const queue = new LiveQueue();
    const listener = (shown: ShownRequest) => queue.push(shown);
    this.#listeners.add(listener);
    try {
      yield undefined;
      for (;;) yield await queue.next();
    } finally {
      this.#listeners.delete(listener);
    }
  }
  clear(): void {
    this.#ring.fill(undefined);
    this.#next = 0;
  }
}

/** What a reader has not taken yet; the oldest of too many stay, the rest is left out. */
class LiveQueue {
  readonly #waiting: ShownRequest[] = [];
  #wake = () => {};

  push(shown: ShownRequest): void {
    if (this.#waiting.length < QUEUED_MAX) this.#waiting.push(shown);
    this.#wake();
  }
  /** Undefined when nothing came for a while, which also lets a reader's absence be noticed. */
  async next(): Promise<ShownRequest | undefined> {
    if (this.#waiting.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, SIGN_OF_LIFE_MS).unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#waiting.shift();
  }
}

function show(record: RequestRecord): ShownRequest {
  const answer = record.answerBody;
  return {
    id: record.id,
    at: isoOf(record.atMs),
    durationMs: Math.round(record.durationMs * 100) / 100,
    method: record.method,
    url: redactUrl(record.url),
    service: record.service,
    operation: record.operation ?? null,
    account: record.account ?? null,
    status: record.status,
    request: {
      headers: redactHeaders(record.requestHeaders),
      body: redactBody(record.requestBody, String(record.requestHeaders["content-type"] ?? "")),
    },
    answer: {
      headers: redactHeaders(record.answerHeaders),
      body: redactBody(
        typeof answer === "string" ? Buffer.from(answer) : (answer ?? new Uint8Array()),
        String(record.answerHeaders["content-type"] ?? ""),
      ),
    },
  };
}
