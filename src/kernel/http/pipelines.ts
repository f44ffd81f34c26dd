/**
 * Pipelined requests of one connection. They run one at a time, each after the caller has taken the previous
 * answer. So a connection holds one answer in memory, however many requests it sends.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const WAITING_MAX = 100;

type Start = (request: IncomingMessage, response: ServerResponse) => void;
type Waiting = { readonly request: IncomingMessage; readonly response: ServerResponse };
type Pipeline = { last: ServerResponse; readonly waiting: Waiting[] };

export class Pipelines {
  readonly #pipelines = new WeakMap<Socket, Pipeline>();
  readonly #start: Start;

  constructor(start: Start) {
    this.#start = start;
  }
  /** Starts at once if no request of this connection is under way. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const pipeline = this.#pipelines.get(socket);
    if (!pipeline) this.#pipelines.set(socket, { last: response, waiting: [] });
    else if (pipeline.waiting.length > 0 || !isTaken(pipeline.last)) {
      this.#wait(socket, pipeline, { request, response });
      return;
    } else pipeline.last = response;
    this.#start(request, response);
  }
  #wait(socket: Socket, pipeline: Pipeline, waiting: Waiting): void {
    if (pipeline.waiting.length >= WAITING_MAX) {
      socket.destroy();
      return;
    }
    pipeline.waiting.push(waiting);
    if (pipeline.waiting.length === 1) pipeline.last.once("close", () => this.#next(socket, pipeline));
  }
  #next(socket: Socket, pipeline: Pipeline): void {
    const next = pipeline.waiting.shift();
    if (!next || socket.destroyed) {
      pipeline.waiting.length = 0;
      return;
    }
    pipeline.last = next.response;
    if (pipeline.waiting.length > 0) next.response.once("close", () => this.#next(socket, pipeline));
    this.#start(next.request, next.response);
  }
}

const isTaken = (response: ServerResponse): boolean => response.writableFinished || response.destroyed;
