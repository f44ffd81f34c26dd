/** One HTTP exchange with a host whose addresses were checked. It never resolves a name itself. */
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import { isIP, type LookupFunction, type TcpNetConnectOpts } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { packageOnUse } from "../packages/index.ts";
import type { VettedHost } from "./address-guard.ts";
import { CIPHERS } from "./client-tls.ts";
import { OutboundError } from "./errors.ts";
import { identityCheckFor } from "./pins.ts";
import type { Hop } from "./redirects.ts";
import { type BodyLimit, readBody } from "./response-body.ts";

export type Exchange = {
  readonly hop: Hop;
  readonly host: VettedHost;
  readonly bodyLimit: BodyLimit;
  /** True for answers whose body nobody needs. */
  readonly skipsBody: (status: number, location: string | undefined) => boolean;
  /** Aborted at the timeout of the whole request; its reason is the error to throw. */
  readonly signal: AbortSignal;
};

export type ExchangeAnswer = {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly truncated: boolean;
};

const https = packageOnUse<typeof import("node:https")>("node:https");

/** node:http passes unknown options on to node:net and node:tls. */
type ConnectOptions = RequestOptions &
  Pick<TcpNetConnectOpts, "autoSelectFamily" | "autoSelectFamilyAttemptTimeout"> &
  Pick<ConnectionOptions, "secureContext">;

const RESPONSE_HEADER_BYTES_MAX = 32 * 1024;
/** Long enough for a connection around the world, short enough to leave time for the next address. */
const CONNECT_ATTEMPT_MS = 1_000;
/** Before the answer, such as "103 Early Hints". Servers send one or two. */
export const INTERIM_ANSWERS_MAX = 100;
const BODY_METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);
const TLS_ERROR_CODE =
  /^(ERR_SSL|ERR_TLS|ERR_OSSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|INVALID_CA|HOSTNAME_MISMATCH|EPROTO$)/;
/** The certificate of the server leads to no authority that we know. */
const UNTRUSTED_CODE = /^(UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|INVALID_CA|CERT_UNTRUSTED)/;

export function exchange(order: Exchange): Promise<ExchangeAnswer> {
  const { hop, signal } = order;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = openRequest(order);
    let isShakingHands = false;
    const finish = (settle: () => void): void => {
      signal.removeEventListener("abort", stop);
      settle();
      request.destroy();
    };
    const stop = (): void => finish(() => reject(signal.reason));
    const fail = (error: unknown): void => finish(() => reject(failureOf(error, hop.url, isShakingHands)));
    signal.addEventListener("abort", stop, { once: true });
    let hasAnswer = false;
    let interimAnswers = 0;
    request.on("information", () => {
      interimAnswers += 1;
      if (interimAnswers > INTERIM_ANSWERS_MAX) fail(tooManyInterim(hop.url));
    });
    request.once("socket", (socket) => {
      socket.once("connect", () => {
        isShakingHands = hop.url.protocol === "https:";
      });
      socket.once("secureConnect", () => {
        isShakingHands = false;
      });
    });
    // Once there is an answer, a failure to send the rest of the request does not matter.
    request.on("error", (error) => {
      if (!hasAnswer) fail(error);
    });
    request.once("close", () => {
      if (!hasAnswer) fail(new Error("the connection ended without an answer"));
    });
    request.once("response", (response) => {
      hasAnswer = true;
      answerOf(response, order).then((answer) => finish(() => resolve(answer)), fail);
    });
    request.end(hop.body);
  });
}

export const tooManyInterim = (url: URL): OutboundError =>
  new OutboundError("connectFailed", `${url.host} sends more than ${INTERIM_ANSWERS_MAX} interim answers.`);

function openRequest({ hop, host }: Exchange): ClientRequest {
  const { url } = hop;
  const isAddress = isIP(host.host) !== 0;
  const [firstAddress] = host.addresses;
  const options: ConnectOptions = {
    agent: false,
    method: hop.method,
    host: isAddress ? firstAddress.address : host.host,
    port: url.port === "" ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...hop.headers, ...bodyLength(hop), host: url.host },
    lookup: pinnedLookup(host),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_MS,
    maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
    joinDuplicateHeaders: true,
    servername: isAddress ? "" : host.host,
    secureContext: hop.secureContext,
    ciphers: CIPHERS,
    rejectUnauthorized: true,
    ...(hop.pins && { checkServerIdentity: identityCheckFor(hop.pins) }),
  };
  return (url.protocol === "https:" ? https() : http).request(options);
}

/** Always answers the checked addresses, so that the check and the connection use the same ones. */
function pinnedLookup(host: VettedHost): LookupFunction {
  const [first] = host.addresses;
  return (_name, options, callback) => {
    if (options.all) callback(null, [...host.addresses]);
    else callback(null, first.address, first.family);
  };
}

function bodyLength(hop: Hop): Record<string, string> {
  if (hop.body === undefined && !BODY_METHODS.has(hop.method)) return {};
  return { "content-length": String(hop.body?.length ?? 0) };
}

async function answerOf(response: IncomingMessage, order: Exchange): Promise<ExchangeAnswer> {
  const status = response.statusCode ?? 0;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]),
  );
  if (order.skipsBody(status, headers.location)) {
    return { status, headers, body: Buffer.alloc(0), truncated: false };
  }
  return { status, headers, ...(await readBody(response, order.bodyLimit, order.hop.method !== "HEAD")) };
}

export function failureOf(error: unknown, url: URL, isShakingHands: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "HPE_HEADER_OVERFLOW") {
    return new OutboundError("tooLarge", `The answer of ${url.host} has too long headers.`, { cause: error });
  }
  const detail = message || code || "unknown error";
  if (isShakingHands || TLS_ERROR_CODE.test(code ?? "")) {
    const reason = UNTRUSTED_CODE.test(code ?? "") ? `its certificate is not trusted (${detail})` : detail;
    return new OutboundError("tls", `No secure connection to ${url.host}: ${reason}`, { cause: error });
  }
  return new OutboundError("connectFailed", `The request to ${url.host} failed: ${detail}`, { cause: error });
}
