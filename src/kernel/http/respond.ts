/** Writes an answer: JSON, text, bytes or a stream. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { mediaTypesOf } from "../operation/answers.ts";
import type { Operation } from "../operation/operation.ts";
import { EndlessStreams } from "./endless-streams.ts";
import type { SlowReaders } from "./slow-readers.ts";

type Streamed = AsyncIterable<string | Uint8Array>;
type Headers = Record<string, string | readonly string[]>;
export type Outgoing = {
  readonly status: number;
  /** The handler's own headers override it. */
  readonly contentType: string | undefined;
  readonly headers: Readonly<Headers>;
  readonly body: string | Uint8Array | Streamed | undefined;
};

export const isStreamed = (body: unknown): body is Streamed =>
  body !== null && typeof body === "object" && Symbol.asyncIterator in body;

export function renderAnswer(
  operation: Operation,
  status: number,
  body: unknown,
  headers: Outgoing["headers"],
): Outgoing {
  if (body === undefined || body === null || status === 204 || status === 304)
    return { status, contentType: undefined, headers, body: undefined };
  const schema = operation.answers[status];
  const media = schema && mediaTypesOf(schema);
  if (!media) return { status, contentType: "application/json", headers, body: JSON.stringify(body) };
  return {
    status,
    contentType: media[0] ?? "application/octet-stream",
    headers,
    body: body as string | Uint8Array | Streamed,
  };
}

const BEYOND_ASCII = /[\u0080-\uffff]/g;
const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
/** JSON stays equal if all characters beyond ASCII are escaped. */
export function inAscii(outgoing: Outgoing): Outgoing {
  const { contentType, body } = outgoing;
  if (contentType !== "application/json" || typeof body !== "string") return outgoing;
  return { ...outgoing, body: body.replace(BEYOND_ASCII, escaped) };
}

/** All headers of an answer in one object. Spreading several objects would cost more than writing them. */
export function gatherHeaders(
  general: Readonly<Record<string, string>> | undefined,
  declared: Readonly<Record<string, string>> | undefined,
  { contentType, headers }: Outgoing,
): Headers {
  const gathered: Headers = {};
  for (const name in general) gathered[name] = general[name] as string;
  for (const name in declared) gathered[name] = declared[name] as string;
  if (contentType !== undefined) gathered["content-type"] = contentType;
  for (const name in headers) gathered[name] = headers[name] as string;
  return gathered;
}

/** Of an unwanted body, so many bytes are read and dropped to keep the connection usable. */
const FORGOTTEN_BYTES_MAX = 64 * 1024;
/** A caller that is still sending has so long to read the answer. */
export const LINGER_MS = 1000;

/** True if the rest of the body may never come, or is too much to wait for before the next request. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  if (headers["transfer-encoding"] !== undefined || headers.expect !== undefined) return true;
  return Number(headers["content-length"] ?? 0) > FORGOTTEN_BYTES_MAX;
}
const lengthOf = (body: string | Uint8Array | undefined): number =>
  typeof body === "string" ? Buffer.byteLength(body) : (body?.length ?? 0);

/** The part of an answer for the request log; undefined for a stream. */
export const keptBodyOf = ({ body }: Outgoing): Uint8Array | string | undefined =>
  isStreamed(body) ? undefined : body;

type Ready = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Headers;
  readonly outgoing: Outgoing;
};

type Ending = { readonly response: ServerResponse; readonly end: () => void };

type OpenStream = { readonly stream: Readable; readonly response: ServerResponse };

export const isEndless = ({ contentType, body }: Outgoing): boolean =>
  isStreamed(body) && contentType === "text/event-stream";

/**
 * The first answer of an event-loop turn is written at once, and the others together at the end of the turn. Single
 * writes would wake the peer each time, and that costs more than writing.
 */
export class AnswerWriter {
  readonly #failed: (error: unknown) => void;
  readonly #slowReaders: SlowReaders;
  readonly #streams = new Set<OpenStream>();
  readonly endless = new EndlessStreams();
  readonly #endTurn = () => this.#writeReady();
  #turnBegan = false;
  #ready: (Ready | Ending)[] = [];

  constructor(slowReaders: SlowReaders, failed: (error: unknown) => void) {
    this.#slowReaders = slowReaders;
    this.#failed = failed;
  }
  /** Streams do not end by themselves. */
  endStreams(): void {
    for (const { stream, response } of this.#streams) {
      stream.unpipe(response);
      stream.destroy();
      response.end();
    }
  }
  /** Adds to the given headers. */
  write(ready: Ready): void {
    if (this.#waits(ready)) return;
    this.#writeSafely(ready);
  }
  /** For an answer that `end` writes. */
  writeBy(ending: Ending): void {
    if (!this.#waits(ending)) this.#endSafely(ending);
  }
  /** False for the first of a turn. */
  #waits(ready: Ready | Ending): boolean {
    if (this.#turnBegan) {
      this.#ready.push(ready);
      return true;
    }
    this.#turnBegan = true;
    setImmediate(this.#endTurn);
    return false;
  }
  #writeReady(): void {
    this.#turnBegan = false;
    if (this.#ready.length === 0) return;
    const ready = this.#ready;
    this.#ready = [];
    for (const one of ready)
      if ("end" in one) this.#endSafely(one);
      else this.#writeSafely(one);
  }
  /** Streams are written over time. */
  watchStreams(): void {
    for (const { response } of this.#streams) if (response.socket) this.#slowReaders.watch(response.socket);
  }
  #keepStream(stream: Readable, response: ServerResponse): void {
    const open = { stream, response };
    this.#streams.add(open);
    response.once("close", () => this.#streams.delete(open));
  }
  #endSafely({ response, end }: Ending): void {
    try {
      end();
    } catch (error) {
      response.destroy();
      this.#failed(error);
    }
  }
  #writeSafely(ready: Ready): void {
    try {
      const stream = writeNow(ready);
      if (stream) this.#keepStream(stream, ready.response);
      // The system takes most answers at once.
      else if (ready.request.socket.writableLength > 0) this.#slowReaders.watch(ready.request.socket);
    } catch (error) {
      if (!ready.response.headersSent) ready.response.writeHead(500, { "content-length": 0 }).end();
      this.#failed(error);
    }
  }
}

/** Returns the stream if one was begun. Adds to the given headers. */
export function writeNow({
  request,
  response,
  headers,
  outgoing: { status, body },
}: Ready): Readable | undefined {
  if (response.headersSent || response.destroyed) {
    discardBody({ body });
    return undefined;
  }
  if (isUnread(request)) headers.connection = "close";
  if (isStreamed(body)) {
    response.writeHead(status, headers as Record<string, string>);
    if (request.method !== "HEAD") return pipeStream(body, response);
    discardBody({ body });
    response.end();
    return undefined;
  }
  if (status !== 204 && status !== 304) headers["content-length"] = String(lengthOf(body));
  response.writeHead(status, headers as Record<string, string>);
  const content = request.method === "HEAD" ? undefined : body;
  if (headers.connection === "close" && !request.complete) endUnread(request, response, content);
  else response.end(content);
  return undefined;
}

/**
 * A caller who is still sending can read the answer only if the connection stays open. So a little more of the body
 * is read, then reading stops. The connection ends when the other side closes it, or after a timeout.
 */
function endUnread(
  request: IncomingMessage,
  response: ServerResponse,
  content: string | Uint8Array | undefined,
): void {
  if (content === undefined || content.length === 0) response.flushHeaders();
  else response.write(content);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS).unref();
  let left = FORGOTTEN_BYTES_MAX;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  });
  for (const event of ["end", "close", "error"]) request.once(event, end);
  request.resume();
}

/** Destroys a stream that nobody will read, so that it frees its resources. */
export function discardBody({ body }: Pick<Outgoing, "body">): void {
  if (isStreamed(body)) void body[Symbol.asyncIterator]().return?.();
}

function pipeStream(body: Streamed, response: ServerResponse): Readable {
  const stream = Readable.from(body, { objectMode: false });
  response.on("close", () => stream.destroy());
  stream.on("error", () => response.destroy());
  stream.pipe(response);
  return stream;
}
