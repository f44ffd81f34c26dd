/** Requests to other machines: guarded addresses, one timeout for everything, a size limit, safe redirects. */
import assert from "node:assert";
import {
  createAddressGuard,
  hostOf,
  type LookupAnswer,
  parseHost,
  type VettedHost,
} from "./address-guard.ts";
import { type ClientCertificate, createClientTls } from "./client-tls.ts";
import { OutboundError } from "./errors.ts";
import { exchange } from "./exchange.ts";
import { pinsOf } from "./pins.ts";
import { type Hop, hopAfterRedirect, isRedirect } from "./redirects.ts";
import { type BasicCredentials, parseMethod, requestHeaders } from "./request-head.ts";
import type { BodyLimit } from "./response-body.ts";
import type { AnswerTaker, StreamedExchange, StreamedRequest } from "./streamed-exchange.ts";
import { Streaming } from "./streaming.ts";
import { parseTargetUrl } from "./target-url.ts";

export type OutboundOptions = {
  /** Callers may reach services of this machine through us only while nobody else can reach us. */
  readonly listensOnLoopbackOnly: boolean;
  /** CIDR ranges, addresses, host names or `*.domain` that are allowed although they are not public. */
  readonly allowedNetworks: readonly string[];
  readonly userAgent: string;
  /** Certificates (PEM) trusted in addition to the well-known authorities. */
  readonly certificateAuthorities?: readonly string[];
  /** Replaces the name resolution of the system. */
  readonly lookup?: (host: string) => Promise<readonly LookupAnswer[]>;
};

export type OutboundRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /**
   * For callers that decode the body themselves. Without it the request asks for plain bytes, whatever `headers`
   * say.
   */
  readonly acceptEncoding?: string;
  /** For everything together: resolving, connecting, all redirects, the whole body. */
  readonly timeoutMs?: number;
  readonly responseBytesMax?: number;
  /** Whether a longer answer is an error (the default), or is cut and marked as `truncated`. */
  readonly whenTooLarge?: "fail" | "truncate";
  /** With 0 a redirect is returned as it came. */
  readonly redirectsMax?: number;
  readonly basic?: BasicCredentials;
  readonly clientCertificate?: ClientCertificate;
  /**
   * Certificates (PEM) for pinning: the server, or its issuer, must have one of them, also after redirects. Not
   * with a client certificate.
   */
  readonly pinnedCertificates?: readonly string[];
};

export type OutboundResponse = {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** The final address, after redirects. */
  readonly url: string;
  readonly truncated: boolean;
};

export type Outbound = {
  /** Throws OutboundError. Any status is an answer, not a failure. */
  request(input: OutboundRequest): Promise<OutboundResponse>;
  /** For other protocols: checks a host name or address and returns the addresses to use. Throws OutboundError. */
  resolveGuarded(host: string, timeoutMs?: number): Promise<VettedHost>;
  /** For streams. All failures go to the taker. With `ready`, nothing is sent before that. */
  stream(request: StreamedRequest, taker: AnswerTaker, ready?: Promise<void>): StreamedExchange;
  close(): Promise<void>;
};

const TIMEOUT_MS_DEFAULT = 10_000;
const TIMEOUT_MS_MAX = 3_600_000;
const RESPONSE_BYTES_MAX_DEFAULT = 1024 * 1024;
const REDIRECTS_MAX_DEFAULT = 5;
const REDIRECTS_MAX = 20;

export function createOutbound(options: OutboundOptions): Outbound {
  const guard = createAddressGuard(options);
  const tls = createClientTls(options.certificateAuthorities ?? []);
  const streaming = new Streaming(guard, tls);

  function firstHop(input: OutboundRequest): Hop {
    const { headers = {}, basic, body, clientCertificate, pinnedCertificates = [] } = input;
    const isPinned = pinnedCertificates.length > 0;
    assert(!isPinned || clientCertificate === undefined);
    return {
      method: parseMethod(input.method),
      url: parseTargetUrl(input.url),
      headers: requestHeaders({
        headers,
        basic,
        userAgent: options.userAgent,
        acceptEncoding: input.acceptEncoding,
      }),
      body: body === undefined ? undefined : bytesOf(body),
      ...(isPinned
        ? { secureContext: tls.contextTrusting(pinnedCertificates), pins: pinsOf(pinnedCertificates) }
        : { secureContext: clientCertificate ? tls.contextFor(clientCertificate) : tls.plainContext() }),
    };
  }

  async function follow(
    first: Hop,
    redirectsMax: number,
    bodyLimit: BodyLimit,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    const isFollowed = (status: number, location: string | undefined): location is string =>
      redirectsMax > 0 && isRedirect(status, location);
    let hop = first;
    for (let redirectCount = 0; redirectCount <= redirectsMax; redirectCount += 1) {
      const host = await beforeAbort(guard.vet(hostOf(hop.url)), signal);
      const answer = await exchange({ hop, host, bodyLimit, skipsBody: isFollowed, signal });
      const { location } = answer.headers;
      if (!isFollowed(answer.status, location)) return { ...answer, url: hop.url.href };
      hop = hopAfterRedirect(hop, answer.status, location, tls.plainContext());
    }
    throw new OutboundError(
      "tooManyRedirects",
      `${first.url.host} redirects more than ${redirectsMax} times.`,
    );
  }

  return {
    async request(input) {
      const redirectsMax = input.redirectsMax ?? REDIRECTS_MAX_DEFAULT;
      const bytesMax = input.responseBytesMax ?? RESPONSE_BYTES_MAX_DEFAULT;
      assert(Number.isInteger(redirectsMax) && redirectsMax >= 0 && redirectsMax <= REDIRECTS_MAX);
      assert(Number.isInteger(bytesMax) && bytesMax >= 0);
      const bodyLimit = { bytesMax, whenTooLarge: input.whenTooLarge ?? "fail" } as const;
      const first = firstHop(input);
      return withinTime(input.timeoutMs ?? TIMEOUT_MS_DEFAULT, first.url.host, (signal) =>
        follow(first, redirectsMax, bodyLimit, signal),
      );
    },
    stream: (request, taker, ready) => streaming.open(request, taker, ready),
    close: () => streaming.close(),
    async resolveGuarded(host, timeoutMs = TIMEOUT_MS_DEFAULT) {
      const parsed = parseHost(host);
      return withinTime(timeoutMs, parsed, (signal) => beforeAbort(guard.vet(parsed), signal));
    },
  };
}

function bytesOf(body: Uint8Array | string): Buffer {
  return typeof body === "string"
    ? Buffer.from(body, "utf8")
    : Buffer.from(body.buffer, body.byteOffset, body.length);
}

async function withinTime<T>(
  timeoutMs: number,
  host: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  assert(timeoutMs > 0 && timeoutMs <= TIMEOUT_MS_MAX);
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new OutboundError("timeout", `${host} did not answer completely within ${timeoutMs} ms.`),
    );
  }, timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Name resolution cannot be cancelled, but the caller does not have to wait for it. */
function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
