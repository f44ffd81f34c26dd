/** Writes an answer: JSON, text, bytes or a stream. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { mediaTypesOf } from "../operation/answers.ts";
import type { Operation } from "../operation/operation.ts";

type Streamed = AsyncIterable<string | Uint8Array>;
export type Outgoing = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array | Streamed | undefined;
};

const isStreamed = (body: unknown): body is Streamed =>
  body !== null && typeof body === "object" && Symbol.asyncIterator in body;

export function renderAnswer(
  operation: Operation,
  status: number,
  body: unknown,
  headers: Outgoing["headers"],
): Outgoing {
  if (body === undefined || body === null || status === 204 || status === 304)
    return { status, headers, body: undefined };
  const schema = operation.answers[status];
  const media = schema && mediaTypesOf(schema);
  if (media) {
    const ready = body as string | Uint8Array | Streamed;
    return {
      status,
      headers: { "content-type": media[0] ?? "application/octet-stream", ...headers },
      body: ready,
    };
  }
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** What is left of an unread body must not be taken for the next request. */
const isUnread = (request: IncomingMessage): boolean =>
  !request.complete && (request.headers["content-length"] ?? "0") !== "0";
const lengthOf = (body: string | Uint8Array | undefined): number =>
  typeof body === "string" ? Buffer.byteLength(body) : (body?.length ?? 0);

/** Answers what was sent, as far as it is worth keeping for the request log. */
export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Outgoing,
): Uint8Array | string | undefined {
  if (response.headersSent || response.destroyed) return undefined;
  const closing = isUnread(request) ? { connection: "close" } : undefined;
  if (isStreamed(body)) {
    response.writeHead(status, { ...headers, ...closing } as Record<string, string>);
    if (request.method === "HEAD") response.end();
    else pipeStream(body, response);
    return undefined;
  }
  const sized = status === 204 || status === 304 ? undefined : { "content-length": String(lengthOf(body)) };
  response.writeHead(status, { ...headers, ...sized, ...closing } as Record<string, string>);
  response.end(request.method === "HEAD" ? undefined : body);
  return body;
}

function pipeStream(body: Streamed, response: ServerResponse): void {
  const stream = Readable.from(body, { objectMode: false });
  response.on("close", () => stream.destroy());
  stream.on("error", () => response.destroy());
  stream.pipe(response);
}
