/** One request on its way to another server, and its answer on the way back. */
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { OutboundError } from "./errors.ts";
import { failureOf, INTERIM_ANSWERS_MAX, tooManyInterim } from "./exchange.ts";

export type StreamedRequest = {
  readonly method: string;
  /** From `parseTargetUrl`. */
  readonly url: URL;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Readable | undefined;
  /** The timeout for the head of the answer, and between two parts of it. */
  readonly timeoutMs: number;
};
/** Receives the answer. Nothing comes after `end` or `fail`. */
export type AnswerTaker = {
  /** Names and values in turn, as bytes. */
  head(status: number, headers: readonly Buffer[]): void;
  /** Returns false for backpressure: `resume` continues. */
  data(part: Buffer): boolean;
  end(): void;
  fail(error: OutboundError): void;
};
/** After `abort` the taker hears nothing more. A request that has no connection yet is then never sent. */
export type StreamedExchange = { resume(): void; abort(): void };

const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

export class Exchange implements StreamedExchange {
  readonly request: StreamedRequest;
  readonly #taker: AnswerTaker;
  #isOver = false;
  #goOn: (() => void) | undefined;
  #leaveQueue: (() => void) | undefined;
  #leaveConnection: (() => void) | undefined;
  #hasLeft = false;
  #interimAnswers = 0;
  constructor(request: StreamedRequest, taker: AnswerTaker) {
    this.request = request;
    this.#taker = taker;
  }
  get isOver(): boolean {
    return this.#isOver;
  }
  resume(): void {
    this.#goOn?.();
  }
  abort(): void {
    if (this.#end()) this.#leaveConnection?.();
  }
  fail(error: Error): void {
    if (this.#end()) this.#taker.fail(streamingFailureOf(error, this.request.url));
  }
  /** Informational answers (1xx) end here. */
  #countInterim(): void {
    this.#interimAnswers += 1;
    if (this.#interimAnswers <= INTERIM_ANSWERS_MAX) return;
    this.fail(tooManyInterim(this.request.url));
    this.#leaveConnection?.();
  }
  /** True the first time. The rest of the body is of no use to anybody. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#leaveQueue?.();
    this.request.body?.destroy();
    return true;
  }
  /** Until it is sent, given up, or has waited for too long. */
  waitIn(queue: Set<Exchange>): void {
    queue.add(this);
    const { url, timeoutMs } = this.request;
    const timer = setTimeout(
      () => this.fail(new OutboundError("timeout", `${url.host} had no free connection in time.`)),
      timeoutMs,
    );
    this.#leaveQueue = () => {
      clearTimeout(timer);
      queue.delete(this);
    };
  }
  /** `freed` is called once, when the connection is of no more use to it. */
  sendOn(pool: Dispatcher, freed: () => void): void {
    const leave = (): void => {
      if (this.#hasLeft) return;
      this.#hasLeft = true;
      freed();
    };
    const { url, method, headers, body = null, timeoutMs } = this.request;
    this.#leaveQueue?.();
    const options = {
      path: `${url.pathname}${url.search}`,
      method: method as "GET",
      headers: headers as string[],
      body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    };
    pool.dispatch(options, {
      onConnect: (abort) => {
        // To throw drops the request before a byte is sent. The connection stays for others.
        if (this.#isOver) throw new Error("the request was given up");
        // A closure around it kept finished calls in memory until a full garbage collection.
        this.#leaveConnection = abort;
      },
      onHeaders: (status, given, goOn) => {
        this.#goOn = goOn;
        if (status >= 200) this.#taker.head(status, given);
        else this.#countInterim();
        return true;
      },
      onData: (part) => this.#taker.data(part),
      onComplete: () => {
        leave();
        if (this.#end()) this.#taker.end();
      },
      onError: (error) => {
        leave();
        this.fail(error);
      },
      onUpgrade: (_status, _headers, socket) => {
        socket.destroy();
        leave();
        this.fail(
          new OutboundError("connectFailed", `${url.host} changed the protocol without being asked.`),
        );
      },
    });
  }
}

function streamingFailureOf(error: Error, url: URL): OutboundError {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (TIMEOUT_CODES.has(code))
    return new OutboundError("timeout", `${url.host} did not answer in time.`, { cause: error });
  if (code === "UND_ERR_HEADERS_OVERFLOW")
    return new OutboundError("tooLarge", `The answer of ${url.host} has too long headers.`, { cause: error });
  return failureOf(error, url, false);
}
