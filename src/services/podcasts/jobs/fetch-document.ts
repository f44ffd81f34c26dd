/**
 * Fetches a document with size limits and a conditional request. It distinguishes permanent from temporary
 * failures.
 */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { type Outbound, OutboundError, type OutboundResponse } from "#kernel/outbound";
import { webAddress } from "../domain/feeds/addresses.ts";

const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const REDIRECTS_MAX = 6;

export type Wanted = {
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
  readonly accept?: string;
  readonly bytesMax?: number;
  readonly timeoutMs?: number;
};
export type Fetched =
  | { readonly kind: "unchanged"; readonly movedTo: string | undefined }
  | {
      readonly kind: "document";
      readonly bytes: Buffer;
      readonly contentType: string;
      readonly etag: string;
      readonly lastModified: string;
      /** Base URL for links: Content-Location, or the URL after redirects. */
      readonly base: string;
      /** Target of permanent redirects. */
      readonly movedTo: string | undefined;
    }
  | {
      readonly kind: "failed";
      readonly problem: string;
      /** Whether the failure is temporary and a retry can succeed. */
      readonly passes: boolean;
      readonly isGone: boolean;
    };

const failed = (problem: string, passes: boolean, isGone = false): Fetched => ({
  kind: "failed",
  problem,
  passes,
  isGone,
});
const PASSING_REASONS: ReadonlySet<string> = new Set(["unresolvable", "connectFailed", "timeout", "tls"]);
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 423, 425, 429]);
const ACCEPT =
  "application/rss+xml, application/atom+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5";

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
const unpackers: Readonly<Record<string, readonly Unpack[]>> = {
  gzip: [promisify(gunzip) as Unpack],
  "x-gzip": [promisify(gunzip) as Unpack],
  br: [promisify(brotliDecompress) as Unpack],
  deflate: [promisify(inflate) as Unpack, promisify(inflateRaw) as Unpack],
};
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Some servers compress without Content-Encoding, others send it without compressing. */
async function unpacked(bytes: Buffer, encoding: string, bytesMax: number): Promise<Buffer> {
  const named = unpackers[encoding.trim().toLowerCase()] ?? [];
  const candidates = isGzip(bytes)
    ? (unpackers.gzip ?? [])
    : named.filter((one) => !unpackers.gzip?.includes(one));
  for (const unpack of candidates)
    try {
      return await unpack(bytes, { maxOutputLength: bytesMax });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw error;
    }
  return bytes;
}

function statusProblem(status: number): Fetched {
  if (status === 410) return failed("The server says that the feed is gone.", false, true);
  const passes = status >= 500 || PASSING_STATUSES.has(status);
  return failed(`The server answers with status ${status}.`, passes);
}

async function documentOf(
  { body, headers, url }: OutboundResponse,
  bytesMax: number,
  movedTo: string | undefined,
): Promise<Fetched> {
  try {
    return {
      kind: "document",
      bytes: await unpacked(body, headers["content-encoding"] ?? "", bytesMax),
      contentType: headers["content-type"] ?? "",
      etag: (headers.etag ?? "").slice(0, 500),
      lastModified: (headers["last-modified"] ?? "").slice(0, 100),
      base: webAddress(headers["content-location"] ?? "", url) || url,
      movedTo,
    };
  } catch {
    return failed(`Unpacked, the document is longer than ${bytesMax} bytes.`, false);
  }
}

const isRedirect = ({ status, headers }: OutboundResponse): boolean =>
  [301, 302, 303, 307, 308].includes(status) && headers.location !== undefined;

const ask = (outbound: Outbound, url: string, wanted: Wanted, bytesMax: number): Promise<OutboundResponse> =>
  outbound.request({
    method: "GET",
    url,
    headers: {
      accept: wanted.accept ?? ACCEPT,
      ...(wanted.etag && { "if-none-match": wanted.etag }),
      ...(wanted.lastModified && { "if-modified-since": wanted.lastModified }),
    },
    acceptEncoding: "gzip, br, deflate",
    timeoutMs: wanted.timeoutMs ?? TIMEOUT_MS,
    responseBytesMax: bytesMax,
    redirectsMax: 0,
  });

/** Follows redirects one by one: the permanent ones at the start of a chain move the feed. */
async function follow(outbound: Outbound, wanted: Wanted, bytesMax: number): Promise<Fetched> {
  let url = wanted.url;
  let movedTo: string | undefined;
  let isPermanent = true;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
    const answer = await ask(outbound, url, wanted, bytesMax);
    if (!isRedirect(answer)) {
      if (answer.status === 304) return { kind: "unchanged", movedTo };
      return answer.status === 200 ? documentOf(answer, bytesMax, movedTo) : statusProblem(answer.status);
    }
    isPermanent &&= answer.status === 301 || answer.status === 308;
    url = new URL(answer.headers.location ?? "", url).href;
    if (isPermanent) movedTo = url;
  }
  return failed(`The address redirects more than ${REDIRECTS_MAX} times.`, false);
}

export async function fetchDocument(outbound: Outbound, wanted: Wanted): Promise<Fetched> {
  try {
    return await follow(outbound, wanted, wanted.bytesMax ?? DOCUMENT_BYTES_MAX);
  } catch (error) {
    if (error instanceof OutboundError) return failed(error.message, PASSING_REASONS.has(error.reason));
    if (error instanceof TypeError) return failed("The address redirects to what is no address.", false);
    throw error;
  }
}
