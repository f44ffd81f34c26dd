/** Forwards requests as streams: guarded addresses, kept connections, both directions. */
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import type { Pool } from "undici";
import { type AddressGuard, hostOf } from "./address-guard.ts";
import type { ClientTls } from "./client-tls.ts";
import { OutboundError } from "./errors.ts";
import { failureOf } from "./exchange.ts";

export type StreamedRequest = {
  readonly method: string;
  /** From `parseTargetUrl`. */
  readonly url: URL;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Readable | undefined;
  /** The timeout for the head of the answer, and between two parts of it. */
  readonly patienceMs: number;
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
export type StreamedExchange = { resume(): void; abort(): void };

const CONNECT_MS = 10_000;
const CONNECTIONS_PER_ORIGIN_MAX = 256;
/** The least recently used origin is closed first. */
const ORIGINS_MAX = 256;
const HEADER_BYTES_MAX = 64 * 1024;
const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

export class Streaming {
  readonly #guard: AddressGuard;
  readonly #tls: ClientTls;
  readonly #pools = new Map<string, Pool>();
  #poolClass: Promise<typeof Pool> | undefined;
  constructor(guard: AddressGuard, tls: ClientTls) {
    this.#guard = guard;
    this.#tls = tls;
  }

  /** Throws OutboundError if the address is refused at once. Names are checked with each new connection. */
  async open(request: StreamedRequest, taker: AnswerTaker): Promise<StreamedExchange> {
    const { url, method, headers, body = null, patienceMs } = request;
    const pool = this.#pools.get(url.origin) ?? (await this.#openPool(url));
    let abort = (): void => {};
    let resume = (): void => {};
    const options = {
      path: `${url.pathname}${url.search}`,
      method: method as "GET",
      headers: headers as string[],
      body,
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
    };
    pool.dispatch(options, {
      onConnect(given) {
        abort = () => given();
      },
      onHeaders(status, given, goOn) {
        resume = goOn;
        // Informational answers (1xx) end here.
        if (status >= 200) taker.head(status, given);
        return true;
      },
      onData: (part) => taker.data(part),
      onComplete: () => taker.end(),
      onError: (error) => taker.fail(streamingFailureOf(error, url)),
      onUpgrade(_status, _headers, socket) {
        socket.destroy();
        taker.fail(
          new OutboundError("connectFailed", `${url.host} changed the protocol without being asked.`),
        );
      },
    });
    return { resume: () => resume(), abort: () => abort() };
  }
  /** An address is checked once for all its connections, a name with each of them. */
  async #openPool(url: URL): Promise<Pool> {
    const host = hostOf(url);
    if (isIP(host) !== 0) await this.#guard.vet(host);
    this.#poolClass ??= import("undici").then((client) => client.Pool);
    return this.#poolOf(url.origin, await this.#poolClass);
  }
  #poolOf(origin: string, PoolClass: typeof Pool): Pool {
    const known = this.#pools.get(origin);
    if (known) return known;
    const [oldest] = this.#pools.keys();
    if (this.#pools.size >= ORIGINS_MAX && oldest !== undefined) this.#forget(oldest);
    const secureContext = this.#tls.plainContext();
    const pool = new PoolClass(origin, {
      connections: CONNECTIONS_PER_ORIGIN_MAX,
      maxHeaderSize: HEADER_BYTES_MAX,
      autoSelectFamily: true,
      connect: {
        lookup: this.#guardedLookup,
        timeout: CONNECT_MS,
        ...(secureContext && { secureContext }),
      },
    });
    this.#pools.set(origin, pool);
    return pool;
  }
  #forget(origin: string): void {
    const pool = this.#pools.get(origin);
    this.#pools.delete(origin);
    pool?.close().catch(() => {});
  }
  /** The check and the connection must use the same addresses. */
  readonly #guardedLookup: LookupFunction = (name, options, callback) => {
    this.#guard.vet(name).then(
      ({ addresses }) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: Error) => callback(error, "", 0),
    );
  };
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
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
