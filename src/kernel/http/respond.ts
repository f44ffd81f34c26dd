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
  /** The handler's own headers may say otherwise. */
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
/** JSON says the same with all letters beyond ASCII escaped. */
export function inAscii(outgoing: Outgoing): Outgoing {
  const { contentType, body } = outgoing;
  if (contentType !== "application/json" || typeof body !== "string") return outgoing;
  return { ...outgoing, body: body.replace(BEYOND_ASCII, escaped) };
}

/** All headers of an answer, in one object. Spreading several would cost more than writing them. */
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

/** Of a body nobody wants, so much is read and forgotten for the sake of the connection. */
const FORGOTTEN_BYTES_MAX = 64 * 1024;
const LINGER_MS = 1000;

/** True where what is left of the body might never come, or be too much to wait for before the next request. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  if (headers["transfer-encoding"] !== undefined || headers.expect !== undefined) return true;
  return Number(headers["content-length"] ?? 0) > FORGOTTEN_BYTES_MAX;
}
const lengthOf = (body: string | Uint8Array | undefined): number =>
  typeof body === "string" ? Buffer.byteLength(body) : (body?.length ?? 0);

/** What of an answer is worth keeping for the request log: a stream is not. */
export const keptBodyOf = ({ body }: Outgoing): Uint8Array | string | undefined =>
  isStreamed(body) ? undefined : body;

type Ready = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Headers;
  readonly outgoing: Outgoing;
};

type OpenStream = { readonly stream: Readable; readonly response: ServerResponse };

export const isEndless = ({ contentType, body }: Outgoing): boolean =>
  isStreamed(body) && contentType === "text/event-stream";

/**
 * The first answer of a turn of the event loop is written at once, those that follow it together at the turn's end.
 * Written one by one, each would wake the peer anew, and waking costs more than writing.
 */
export class AnswerWriter {
  readonly #failed: (error: unknown) => void;
  readonly #slowReaders: SlowReaders;
  readonly #streams = new Set<OpenStream>();
  readonly endless = new EndlessStreams();
  readonly #endTurn = () => this.#writeReady();
  #turnBegan = false;
  #ready: Ready[] = [];

  constructor(slowReaders: SlowReaders, failed: (error: unknown) => void) {
    this.#slowReaders = slowReaders;
    this.#failed = failed;
  }
  /** Streams have no end of their own. */
  endStreams(): void {
    for (const { stream, response } of this.#streams) {
      stream.unpipe(response);
      stream.destroy();
      response.end();
    }
  }
  /** Adds to the headers given. */
  write(ready: Ready): void {
    if (this.#turnBegan) {
      this.#ready.push(ready);
      return;
    }
    this.#turnBegan = true;
    setImmediate(this.#endTurn);
    this.#writeSafely(ready);
  }
  #writeReady(): void {
    this.#turnBegan = false;
    if (this.#ready.length === 0) return;
    const ready = this.#ready;
    this.#ready = [];
    for (const one of ready) this.#writeSafely(one);
  }
  /** Streams are written to as they go. */
  watchStreams(): void {
    for (const { response } of this.#streams) if (response.socket) this.#slowReaders.watch(response.socket);
  }
  #keepStream(stream: Readable, response: ServerResponse): void {
    const open = { stream, response };
    this.#streams.add(open);
    response.once("close", () => this.#streams.delete(open));
  }
  #writeSafely(ready: Ready): void {
    try {
      const stream = writeNow(ready);
      if (stream) this.#keepStream(stream, ready.response);
      // Most answers are taken by the system at once.
      else if (ready.request.socket.writableLength > 0) this.#slowReaders.watch(ready.request.socket);
    } catch (error) {
      if (!ready.response.headersSent) ready.response.writeHead(500, { "content-length": 0 }).end();
      this.#failed(error);
    }
  }
}

/** Answers the stream where one was begun. Adds to the headers given. */
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
 * Whoever is still sending reads the answer only if the connection is not closed under it. So what comes is let in a
 * little, then held up, and the connection ends when the other side has ended it or has had its time.
 */
function endUnread(
  request: IncomingMessage,
  response: ServerResponse,
  content: string | Uint8Array | undefined,
): void {
  if (content === undefined || content.length === 0) response.flushHeaders();
  else response.write(content);
  const end = () => {
    clearTimeout(patience);
    response.end();
  };
  const patience = setTimeout(end, LINGER_MS).unref();
  let left = FORGOTTEN_BYTES_MAX;
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  });
  for (const event of ["end", "close", "error"]) request.once(event, end);
  request.resume();
}

/** Tells a stream that nobody will read it, so that it lets go of what it holds. */
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
