/** One request and its answer in a function's process. It builds the objects of node:http from frames. */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket, type SocketConstructorOpts } from "node:net";
import { CHARACTER_BYTES_MAX, type Content, FRAME, type FrameWriter, WINDOW_BYTES } from "./frames.ts";

class Answer extends ServerResponse {}
Object.defineProperties(Answer.prototype, {
  // Frames mark the end of an answer, so chunked encoding is not needed.
  chunkedEncoding: { get: () => false, set: () => {} },
  writableNeedDrain: {
    get(this: ServerResponse) {
      return this.socket?.writableNeedDrain ?? false;
    },
  },
});

type Part = { readonly chunk: Content; readonly encoding: BufferEncoding };
const bytesOf = ({ chunk, encoding }: Part): Uint8Array =>
  typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;

/** A socket that carries one request after another. */
class FrameSocket extends Socket {
  readonly #writer: FrameWriter;
  #exchange: Exchange | undefined;
  #room = 0;
  #held: { readonly bytes: Uint8Array; readonly done: () => void } | undefined;

  constructor(writer: FrameWriter) {
    super({ decodeStrings: false } as SocketConstructorOpts);
    this.#writer = writer;
    this.on("drain", () => this.#exchange?.response.emit("drain"));
    this.on("error", () => {});
  }
  begin(exchange: Exchange): void {
    this.#exchange = exchange;
    this.#room = WINDOW_BYTES;
  }
  override _read(): void {}
  override _write(chunk: Content, encoding: BufferEncoding, done: () => void): void {
    this._writev([{ chunk, encoding }], done);
  }
  override _writev(parts: readonly Part[], done: () => void): void {
    const left = parts.findIndex((part) => !this.#sendText(part));
    if (left < 0) done();
    else this.#send(Buffer.concat(parts.slice(left).map(bytesOf)), done);
  }
  /** A short text goes as it is; most answers are one. */
  #sendText({ chunk, encoding }: Part): boolean {
    if (typeof chunk !== "string" || (encoding !== "latin1" && encoding !== "utf8")) return false;
    if (chunk.length * CHARACTER_BYTES_MAX > this.#room) return false;
    if (chunk !== "") this.#room -= this.#add(FRAME.data, chunk, encoding);
    return true;
  }
  #send(bytes: Uint8Array, done: () => void): void {
    const now = Math.min(bytes.length, this.#room);
    this.#room -= now > 0 ? this.#add(FRAME.data, bytes.subarray(0, now)) : 0;
    if (now === bytes.length) done();
    else this.#held = { bytes: bytes.subarray(now), done };
  }
  credit(bytes: number): void {
    this.#room += bytes;
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#send(held.bytes, held.done);
  }
  #add(kind: number, content?: Content, encoding?: "latin1" | "utf8"): number {
    return this.#exchange ? this.#writer.add(kind, this.#exchange.id, content, encoding) : 0;
  }
  /** The answer is complete, so the socket is free for the next request. */
  finish(): void {
    this.#add(FRAME.end);
    this.#exchange = undefined;
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#add(FRAME.stop);
    const exchange = this.#exchange;
    this.#exchange = undefined;
    super._destroy(error, done);
    exchange?.close();
  }
}

/** Sockets that are free. Making a new one costs more than answering a request. */
const FREE_MAX = 128;
const free: FrameSocket[] = [];

/** By this Node's own parser hands over headers. */
type Parsed = IncomingMessage & { _addHeaderLines(headers: readonly string[], count: number): void };

export class Exchange {
  readonly id: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bodyParts: Buffer[] = [];
  bodyBytes = 0;
  readonly #socket: FrameSocket;
  readonly #whenOver: (id: number) => void;

  constructor(id: number, head: string, writer: FrameWriter, whenOver: (id: number) => void) {
    this.id = id;
    this.#whenOver = whenOver;
    this.#socket = free.pop() ?? new FrameSocket(writer);
    this.#socket.begin(this);
    const [method = "GET", url = "/", ...rawHeaders] = head.split("\n");
    const request = new IncomingMessage(this.#socket) as Parsed;
    request._addHeaderLines(rawHeaders, rawHeaders.length);
    this.request = request;
    this.request.httpVersion = "1.1";
    this.request.httpVersionMajor = 1;
    this.request.httpVersionMinor = 1;
    this.request.method = method;
    this.request.url = url;
    this.response = new Answer(this.request);
    this.response.sendDate = false;
    this.response.assignSocket(this.#socket);
    this.response.once("finish", () => this.#finish());
  }
  #finish(): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    this.response.detachSocket(socket);
    socket.finish();
    if (free.length < FREE_MAX) free.push(socket);
    this.close();
  }
  close(): void {
    this.#whenOver(this.id);
    this.response.destroyed = true;
    this.response.emit("close");
  }
  credit(bytes: number): void {
    this.#socket.credit(bytes);
  }
  /** The caller is gone. */
  stop(): void {
    this.#socket.destroy();
    if (!this.request.complete) this.request.destroy();
  }
}
