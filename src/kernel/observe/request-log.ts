/** The last requests, in memory, for `/_medley/requests`. Secrets are removed on reading. */
import { isMedia, MEDIA_KEPT_BYTES_MAX } from "./media.ts";
import { isTextType } from "./redact.ts";
import type { KeptRequest, RequestRecord } from "./request-record.ts";
import { type ShownRequest, showRequest } from "./shown-request.ts";

/** About 32 KB of a request are kept, and more of a picture or sound. */
const BODY_KEPT_BYTES_MAX = 8192;
const URL_KEPT_LENGTH_MAX = 8192;
const HEADERS_KEPT_LENGTH_MAX = 4096;
/** The size of a record without texts, and of each header. */
const RECORD_BYTES = 500;
const HEADER_BYTES = 32;
/** The limit of one answer: a larger one would block others. */
const SHOWN_BYTES_MAX = 2 * 1024 * 1024;
const STREAMS_MAX = 20;
/** One account must not take all streams. */
const STREAMS_OF_ACCOUNT_MAX = 5;
const QUEUED_MAX = 1000;
const SIGN_OF_LIFE_MS = 15_000;

type Headers = RequestRecord["requestHeaders"];
const NOTHING = new Uint8Array();
type Kept = {
  /** In the order of arrival. */
  readonly number: number;
  readonly record: KeptRequest;
  readonly bytes: number;
};
/** An open console polls every few seconds. Its own requests have a small separate part of the log. */
const OWN_SIZE_MAX = 100;
const OWN_PART = 8;

/** A copy: a slice would keep the whole buffer or string in memory. */
const cut = (body: Uint8Array, bytesMax = BODY_KEPT_BYTES_MAX): Uint8Array =>
  body.length > bytesMax || body.buffer.byteLength > 2 * body.length + BODY_KEPT_BYTES_MAX
    ? new Uint8Array(body.subarray(0, bytesMax))
    : body;
/** A cache for answers that are sent repeatedly: each is cut once. */
const piecesKept = new WeakMap<Uint8Array, Uint8Array>();
function cutOnce(body: Uint8Array, contentType: unknown): Uint8Array {
  if (body.length <= BODY_KEPT_BYTES_MAX) return cut(body);
  if (body.length <= MEDIA_KEPT_BYTES_MAX && isMedia(String(contentType), body))
    return cut(body, MEDIA_KEPT_BYTES_MAX);
  const piece = piecesKept.get(body) ?? cut(body);
  piecesKept.set(body, piece);
  return piece;
}
const cutText = (text: string, lengthMax: number): string =>
  text.length > lengthMax ? Buffer.from(text.slice(0, lengthMax), "utf16le").toString("utf16le") : text;
/** A truncated text is kept as bytes outside the heap, where garbage collection does not copy it. */
const cutAnswer = (
  body: Uint8Array | string | undefined,
  contentType: unknown,
): Uint8Array | string | undefined => {
  if (typeof body !== "string") return body && cutOnce(body, contentType);
  return body.length > BODY_KEPT_BYTES_MAX ? cut(Buffer.from(body.slice(0, BODY_KEPT_BYTES_MAX))) : body;
};

function lengthOf(headers: Headers): number {
  let length = 0;
  for (const name in headers) {
    const value = headers[name];
    length += HEADER_BYTES + name.length + (typeof value === "string" ? value.length : String(value).length);
  }
  return length;
}
/** As many headers as fit; the last one is truncated. */
function cutHeaders(headers: Headers, length: number): Headers {
  if (length <= HEADERS_KEPT_LENGTH_MAX) return headers;
  const kept: Record<string, unknown> = {};
  let room = HEADERS_KEPT_LENGTH_MAX;
  for (const name in headers) {
    room -= HEADER_BYTES + name.length;
    if (room <= 0) break;
    const text = cutText(String(headers[name]), room);
    kept[name] = text;
    room -= text.length;
  }
  return kept;
}

/** `bytes`: the estimated size. */
function keep(record: RequestRecord, number: number): Kept {
  const requestLength = lengthOf(record.requestHeaders);
  const answerLength = lengthOf(record.answerHeaders);
  const url = cutText(record.url, URL_KEPT_LENGTH_MAX);
  const requestBody = isPrivate(record)
    ? NOTHING
    : cutOnce(record.requestBody, record.requestHeaders["content-type"]);
  const answerBody = cutAnswer(record.answerBody, record.answerHeaders["content-type"]);
  return {
    number,
    bytes:
      RECORD_BYTES +
      url.length +
      Math.min(requestLength, HEADERS_KEPT_LENGTH_MAX) +
      Math.min(answerLength, HEADERS_KEPT_LENGTH_MAX) +
      requestBody.length +
      (answerBody?.length ?? 0),
    record: {
      id: record.id,
      atMs: record.atMs,
      durationMs: record.durationMs,
      method: record.method,
      url,
      service: record.service,
      operation: record.operation,
      account: record.account,
      caller: record.caller,
      credentialKind: record.credentialKind,
      isConsole: record.isConsole,
      phases: record.phases,
      status: record.status,
      requestHeaders: cutHeaders(record.requestHeaders, requestLength),
      requestBody,
      answerHeaders: cutHeaders(record.answerHeaders, answerLength),
      answerBody,
      requestLength: record.requestLength ?? record.requestBody.length,
      answerLength: lengthOfBody(record.answerBody),
    },
  };
}
const isPrivate = ({ operation, requestHeaders }: RequestRecord): boolean =>
  operation?.privateBody === true && !isTextType(String(requestHeaders["content-type"] ?? ""));
const lengthOfBody = (body: Uint8Array | string | undefined): number =>
  typeof body === "string" ? Buffer.byteLength(body) : (body?.length ?? 0);

/** The filter, and whether bodies and headers are included. */
export type Wanted = {
  fits(record: KeptRequest): boolean;
  readonly bodies?: boolean;
};
const all: Wanted = { fits: () => true };

/** A ring of the newest records, as many as fit. */
class Ring {
  readonly #slots: (Kept | undefined)[];
  /** Numbers of the oldest record and of the next one. */
  #oldest = 0;
  #next = 0;
  #bytes = 0;

  constructor(size: number) {
    this.#slots = new Array(Math.max(1, size));
  }
  get bytes(): number {
    return this.#bytes;
  }
  add(kept: Kept): void {
    if (this.#next - this.#oldest === this.#slots.length) this.#dropOldest();
    this.#slots[this.#next % this.#slots.length] = kept;
    this.#next += 1;
    this.#bytes += kept.bytes;
  }
  dropBeyond(bytesMax: number): void {
    while (this.#bytes > bytesMax && this.#oldest < this.#next) this.#dropOldest();
  }
  #dropOldest(): void {
    const slot = this.#oldest % this.#slots.length;
    this.#bytes -= this.#slots[slot]?.bytes ?? 0;
    this.#slots[slot] = undefined;
    this.#oldest += 1;
  }
  /** The newest is at 0. */
  at(index: number): Kept | undefined {
    const number = this.#next - 1 - index;
    return number < this.#oldest ? undefined : this.#slots[number % this.#slots.length];
  }
  clear(): void {
    this.#slots.fill(undefined);
    this.#oldest = this.#next;
    this.#bytes = 0;
  }
}

export class RequestLog {
  readonly #asked: Ring;
  readonly #own: Ring;
  readonly #bytesMax: number;
  readonly #queues = new Set<LiveQueue>();
  #next = 0;

  readonly #tell: ((record: RequestRecord) => void) | undefined;

  /** `tell`: also gets each request. */
  constructor(size: number, bytesMax: number, tell?: (record: RequestRecord) => void) {
    this.#asked = new Ring(size);
    this.#own = new Ring(Math.min(size, OWN_SIZE_MAX));
    this.#bytesMax = bytesMax;
    this.#tell = tell;
  }
  /** The total size. Only the newest record alone may exceed the limit. */
  get bytes(): number {
    return this.#asked.bytes + this.#own.bytes;
  }
  add(record: RequestRecord): void {
    this.#tell?.(record);
    const kept = keep(record, this.#next);
    this.#next += 1;
    // The newest is kept, however large it is.
    if (record.isConsole) {
      this.#own.dropBeyond(this.#bytesMax / OWN_PART - kept.bytes);
      this.#own.add(kept);
      this.#asked.dropBeyond(this.#bytesMax - this.#own.bytes);
    } else {
      this.#asked.dropBeyond(this.#bytesMax - this.#own.bytes - kept.bytes);
      this.#asked.add(kept);
    }
    for (const queue of this.#queues) if (queue.wants(kept.record)) queue.push(kept);
  }
  *#newestFirst(): Generator<Kept> {
    let [asked, own] = [0, 0];
    for (;;) {
      const [one, other] = [this.#asked.at(asked), this.#own.at(own)];
      if (!one && !other) return;
      if (one && (!other || one.number > other.number)) {
        asked += 1;
        yield one;
      } else if (other) {
        own += 1;
        yield other;
      }
    }
  }
  /** Newest first, as many as requested and as fit into one answer. */
  recent(limit: number, wanted: Wanted = all): ShownRequest[] {
    const found: ShownRequest[] = [];
    let bytes = 0;
    for (const kept of this.#newestFirst()) {
      if (found.length >= limit) break;
      if (!wanted.fits(kept.record)) continue;
      bytes += wanted.bodies === false ? kept.record.url.length : kept.bytes;
      if (bytes > SHOWN_BYTES_MAX && found.length > 0) break;
      found.push(showRequest(kept.record, wanted));
    }
    return found;
  }
  find(id: string): KeptRequest | undefined {
    return this.#newest((record) => record.id === id);
  }
  findByHeader(name: string, value: string): KeptRequest | undefined {
    return this.#newest(({ requestHeaders }) => requestHeaders[name] === value);
  }
  #newest(isMeant: (record: KeptRequest) => boolean): KeptRequest | undefined {
    for (const { record } of this.#newestFirst()) if (isMeant(record)) return record;
    return undefined;
  }
  /**
   * Live requests, with `undefined` now and then as a heartbeat. Returns undefined if there are too many listeners,
   * in all or of this account.
   */
  stream(listener: string, wanted: Wanted = all): LiveRequests | undefined {
    const ofAccount = [...this.#queues].filter((queue) => queue.listener === listener).length;
    if (this.#queues.size >= STREAMS_MAX || ofAccount >= STREAMS_OF_ACCOUNT_MAX) return undefined;
    const queue = new LiveQueue(listener, wanted);
    const end = { done: true, value: undefined } as const;
    return {
      next: async () => {
        if (queue.isClosed) return end;
        // Listens only after the first read: a stream that is never read would never end.
        const isFirst = !this.#queues.has(queue);
        this.#queues.add(queue);
        const record = isFirst ? undefined : await queue.next();
        return queue.isClosed ? end : { value: record && showRequest(record, wanted) };
      },
      // A generator would wait for the next request before it ends.
      return: async () => {
        this.#queues.delete(queue);
        queue.close();
        return end;
      },
    };
  }
  clear(): void {
    this.#asked.clear();
    this.#own.clear();
  }
}

export type LiveRequests = {
  readonly next: () => Promise<IteratorResult<ShownRequest | undefined, undefined>>;
  readonly return: () => Promise<IteratorReturnResult<undefined>>;
};

/** Requests that a reader has not taken yet. If there are too many, the oldest stay and the rest is dropped. */
class LiveQueue {
  readonly listener: string;
  readonly wants: Wanted["fits"];
  readonly #waiting: Kept[] = [];
  #bytes = 0;
  #wake = () => {};
  #isClosed = false;

  constructor(listener: string, wanted: Wanted) {
    this.listener = listener;
    this.wants = wanted.fits;
  }
  get isClosed(): boolean {
    return this.#isClosed;
  }
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }
  push(kept: Kept): void {
    if (this.#waiting.length < QUEUED_MAX && this.#bytes < SHOWN_BYTES_MAX) {
      this.#waiting.push(kept);
      this.#bytes += kept.bytes;
    }
    this.#wake();
  }
  /** Undefined after a quiet time, so that an absent reader is noticed. */
  async next(): Promise<KeptRequest | undefined> {
    if (this.#waiting.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, SIGN_OF_LIFE_MS).unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const kept = this.#waiting.shift();
    this.#bytes -= kept?.bytes ?? 0;
    return kept?.record;
  }
}
