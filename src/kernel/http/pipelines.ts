/**
 * Pipelined requests of one connection. They run one at a time, each after the caller has taken the previous
 * answer. So a connection holds one answer in memory, however many requests it sends.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { LINGER_MS } from "./respond.ts";

const WAITING_MAX = 100;

type Start = (request: IncomingMessage, response: ServerResponse) => void;
type Taken = { readonly request: IncomingMessage; readonly response: ServerResponse };
type Pipeline = { last: Taken; readonly waiting: Taken[]; end: (() => void) | undefined };

export class Pipelines {
  readonly #pipelines = new WeakMap<Duplex, Pipeline>();
  readonly #ending = new WeakSet<Duplex>();
  readonly #start: Start;

  constructor(start: Start) {
    this.#start = start;
  }
  /** Starts at once if no request of this connection is under way. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const pipeline = this.#pipelines.get(socket);
    const taken = { request, response };
    if (!pipeline) this.#pipelines.set(socket, { last: taken, waiting: [], end: undefined });
    else if (pipeline.waiting.length > 0 || !isTaken(pipeline.last)) {
      this.#wait(socket, pipeline, taken);
      return;
    } else pipeline.last = taken;
    this.#start(request, response);
  }
  /**
   * Ends a connection after bytes that are no request. Earlier requests are answered first. The given answer is
   * sent only if the broken request has no answer yet.
   */
  end(socket: Duplex, answer: string | undefined): void {
    if (this.#ending.has(socket)) return;
    this.#ending.add(socket);
    const pipeline = this.#pipelines.get(socket);
    if (!pipeline) {
      endWith(socket, answer);
      return;
    }
    const { waiting } = pipeline;
    if (waiting.at(-1)?.request.complete === false) waiting.pop();
    const { request, response } = pipeline.last;
    const isOwn = waiting.length === 0 && !request.complete;
    if (isOwn) endWith(socket, response.headersSent ? undefined : answer);
    else if (waiting.length === 0 && isTaken(pipeline.last)) endWith(socket, answer);
    // An answer that is streamed may never end.
    else if (response.headersSent && !response.writableEnded) endWith(socket, undefined);
    else {
      pipeline.end = () => endWith(socket, answer);
      if (waiting.length === 0) response.once("close", () => this.#next(socket, pipeline));
    }
  }
  #wait(socket: Duplex, pipeline: Pipeline, taken: Taken): void {
    if (pipeline.waiting.length >= WAITING_MAX) {
      socket.destroy();
      return;
    }
    pipeline.waiting.push(taken);
    if (pipeline.waiting.length === 1)
      pipeline.last.response.once("close", () => this.#next(socket, pipeline));
  }
  #next(socket: Duplex, pipeline: Pipeline): void {
    if (socket.destroyed || !socket.writable) {
      pipeline.waiting.length = 0;
      return;
    }
    const next = pipeline.waiting.shift();
    if (!next) {
      pipeline.end?.();
      return;
    }
    pipeline.last = next;
    if (pipeline.waiting.length > 0 || pipeline.end)
      next.response.once("close", () => this.#next(socket, pipeline));
    this.#start(next.request, next.response);
  }
}

const isTaken = ({ response }: Taken): boolean => response.writableFinished || response.destroyed;

/** A connection that is closed while bytes arrive may lose the answer on its way, so they are read for a while. */
function endWith(socket: Duplex, answer: string | undefined): void {
  if (socket.writable) socket.end(answer);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
}
