/** Forwards requests as streams: guarded addresses, kept connections, both directions. */
import { isIP, type LookupFunction } from "node:net";
import type { Pool } from "undici";
import { type AddressGuard, hostOf } from "./address-guard.ts";
import { CIPHERS, type ClientTls } from "./client-tls.ts";
import { OutboundError } from "./errors.ts";
import {
  type AnswerTaker,
  Exchange,
  type StreamedExchange,
  type StreamedRequest,
} from "./streamed-exchange.ts";

const CONNECT_MS = 10_000;
const CONNECTIONS_PER_ORIGIN_MAX = 256;
/** The least recently used origin is closed first. */
const ORIGINS_MAX = 256;
const HEADER_BYTES_MAX = 64 * 1024;

/** The connections to one origin. Requests without one wait here, so that they can be taken back. */
class Origin {
  readonly #pool: Pool;
  readonly #waiting = new Set<Exchange>();
  /** A Set of them would keep finished requests until a full garbage collection. */
  #sentCount = 0;
  #isSending = false;
  #isClosing = false;
  constructor(pool: Pool) {
    this.#pool = pool;
  }
  take(exchange: Exchange): void {
    if (exchange.isOver) return;
    if (this.#sentCount < CONNECTIONS_PER_ORIGIN_MAX) this.#send(exchange);
    else exchange.waitIn(this.#waiting);
  }
  #send(exchange: Exchange): void {
    this.#sentCount += 1;
    exchange.sendOn(this.#pool, () => {
      this.#sentCount -= 1;
      this.#sendWaiting();
    });
  }
  #sendWaiting(): void {
    // Some fail while they are sent, which leads here again: the loop that runs already serves the next.
    if (this.#isSending) return;
    this.#isSending = true;
    for (const next of this.#waiting) {
      if (this.#sentCount >= CONNECTIONS_PER_ORIGIN_MAX) break;
      this.#send(next);
    }
    this.#isSending = false;
    if (this.#isClosing) this.close();
  }
  /** As soon as its last request has ended. */
  close(): void {
    this.#isClosing = true;
    if (this.#sentCount === 0) this.#pool.close().catch(() => {});
  }
  async destroy(): Promise<void> {
    for (const exchange of this.#waiting)
      exchange.fail(new OutboundError("connectFailed", "The server stops."));
    await this.#pool.destroy();
  }
}

export class Streaming {
  readonly #guard: AddressGuard;
  readonly #tls: ClientTls;
  readonly #origins = new Map<string, Origin>();
  #poolClass: Promise<typeof Pool> | undefined;
  constructor(guard: AddressGuard, tls: ClientTls) {
    this.#guard = guard;
    this.#tls = tls;
  }

  /** Names are checked with each new connection. With `ready` the request waits for it. */
  open(request: StreamedRequest, taker: AnswerTaker, ready?: Promise<void>): StreamedExchange {
    const exchange = new Exchange(request, taker);
    const origin = this.#findUsed(request.url.origin);
    if (origin && !ready) origin.take(exchange);
    else this.#openLater(exchange, ready).catch((error: Error) => exchange.fail(error));
    return exchange;
  }
  /** An address is checked once for all its connections, a name with each of them. */
  async #openLater(exchange: Exchange, ready?: Promise<void>): Promise<void> {
    const { url } = exchange.request;
    await ready;
    const host = hostOf(url);
    if (isIP(host) !== 0) await this.#guard.vet(host);
    this.#poolClass ??= import("undici").then((client) => client.Pool);
    const PoolClass = await this.#poolClass;
    const origin = this.#findUsed(url.origin) ?? this.#addOrigin(url.origin, PoolClass);
    origin.take(exchange);
  }
  /** The most recently used is the last. */
  #findUsed(name: string): Origin | undefined {
    const origin = this.#origins.get(name);
    if (!origin) return undefined;
    // The only one is the last already.
    if (this.#origins.size > 1) {
      this.#origins.delete(name);
      this.#origins.set(name, origin);
    }
    return origin;
  }
  #addOrigin(name: string, PoolClass: typeof Pool): Origin {
    const [oldest] = this.#origins;
    if (this.#origins.size >= ORIGINS_MAX && oldest) {
      this.#origins.delete(oldest[0]);
      oldest[1].close();
    }
    const secureContext = this.#tls.plainContext();
    const origin = new Origin(
      new PoolClass(name, {
        connections: CONNECTIONS_PER_ORIGIN_MAX,
        maxHeaderSize: HEADER_BYTES_MAX,
        autoSelectFamily: true,
        connect: {
          lookup: this.#guardedLookup,
          timeout: CONNECT_MS,
          ciphers: CIPHERS,
          ...(secureContext && { secureContext }),
        },
      }),
    );
    this.#origins.set(name, origin);
    return origin;
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
    const origins = [...this.#origins.values()];
    this.#origins.clear();
    await Promise.all(origins.map((origin) => origin.destroy()));
  }
}
