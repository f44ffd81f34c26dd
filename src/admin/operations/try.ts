/**
 * Tries an operation, or repeats a request. The process calls itself as the calling account, with a
 * temporary credential. The call never leaves the process, and has no more rights than its caller.
 */
import { type Static, Type } from "@sinclair/typebox";
import { LENT } from "#kernel/auth";
import {
  detailOf,
  isSecretHeader,
  isTextType,
  type KeptRequest,
  redactHeaders,
  showRequest,
} from "#kernel/observe";
import { type Context, defineErrors, kernelErrors, operationsFor, type Principal } from "#kernel/operation";
import type { CalledInside, Kernel } from "#kernel/runtime";
import { OWN_PERMISSION } from "../protocol.ts";
import { getRequest, noSuchRequest } from "./requests.ts";

const operation = operationsFor<unknown>();
const errors = defineErrors({ notWhole: ["NotWhole", 409] });
/** Large enough for pictures and executables. */
const BODY_BYTES_MAX = 6 * 1024 * 1024;
const GIVEN_BYTES_MAX = 2 * BODY_BYTES_MAX;
const ANSWER_BYTES_MAX = 1024 * 1024;
const TIMEOUT_SECONDS = 30;
export const REGION = "us-east-1";
/** Limit of concurrent calls of one account on this node. */
const UNDER_WAY_MAX = 8;
/** Identifies the call in the request log. */
const CALL_HEADER = "x-medley-call";

/** Headers of the connection, of proxies or of the caller's browser are not forwarded. */
const NOT_PASSED_ON =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive|cookie|forwarded|x-forwarded-.*|proxy-.*|sec-.*|origin|referer|x-medley-.*|x-amz-date|x-amz-content-sha256)$/;

const Given = {
  method: Type.String({
    pattern: "^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$",
    description: "The method.",
    examples: ["POST"],
  }),
  path: Type.String({
    pattern: "^/[!-~]*$",
    maxLength: 16_384,
    description: "Path and query, percent-encoded.",
    examples: ["/braille/translations?limit=3"],
  }),
  headers: Type.Record(
    Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" }),
    Type.String({ pattern: "^[\\t -~\\u00a0-\\u00ff]*$", maxLength: 4096 }),
    {
      additionalProperties: false,
      maxProperties: 50,
      description: "Headers; those of connections, proxies and browsers are left out.",
      examples: [{ "content-type": "application/json" }],
    },
  ),
  body: Type.String({
    maxLength: BODY_BYTES_MAX,
    description: "The body, where it is text.",
    examples: ['{"text":"hello"}'],
  }),
  bytes: Type.String({
    maxLength: 2 * BODY_BYTES_MAX,
    pattern: "^[A-Za-z0-9+/]*={0,2}$",
    description: "The body in base64, where it is none.",
    examples: ["iVBORw0KGgo="],
  }),
  credential: Type.Union([Type.Literal("account"), Type.Literal("none")], {
    default: "account",
    description: "Whether the request carries a credential of the account that asks.",
  }),
  region: Type.String({
    pattern: "^[a-z0-9-]{1,64}$",
    default: REGION,
    description: "Of signed requests: the region they are signed for.",
    examples: [REGION],
  }),
};
const Optional = {
  headers: Type.Optional(Given.headers),
  body: Type.Optional(Given.body),
  bytes: Type.Optional(Given.bytes),
  credential: Given.credential,
  region: Given.region,
};
const Wanted = Type.Object({ method: Given.method, path: Given.path, ...Optional });
const Edited = Type.Object({
  method: Type.Optional(Given.method),
  path: Type.Optional(Given.path),
  ...Optional,
});
const Headers = Type.Record(Type.String(), Type.Unknown(), {
  description: "Its headers, without secrets.",
  examples: [{ "content-type": "application/json" }],
});
export const Tried = Type.Object({
  id: Type.Union([Type.String(), Type.Null()], {
    description: "By which the request log knows it, while it is kept there.",
    examples: ["2180bfd9-dfc1-4c30-992e-4425fec1caeb"],
  }),
  status: Type.Integer(),
  durationMs: Type.Number({ description: "How long it took.", examples: [1.25] }),
  request: Type.Object(
    {
      method: Type.String({ description: "Its method.", examples: ["POST"] }),
      path: Type.String({ description: "Its path and query.", examples: ["/braille/translations"] }),
      headers: Headers,
    },
    { description: "What was sent." },
  ),
  answer: Type.Object(
    {
      headers: Headers,
      type: Type.String({ description: "Its media type.", examples: ["application/json"] }),
      length: Type.Integer({ description: "How many bytes were read.", examples: [16] }),
      isWhole: Type.Boolean({ description: "False where there were more." }),
      body: Type.Optional(Type.String({ description: "Its text.", examples: ['{"text":"hello"}'] })),
      bytes: Type.Optional(
        Type.String({ description: "In base64, where it is no text.", examples: ["iVBORw0KGgo="] }),
      ),
    },
    { description: "What was answered." },
  ),
});
const UNEDITED: Static<typeof Edited> = { credential: "account", region: REGION };
type Wanted = Static<typeof Wanted>;
export type Tried = Static<typeof Tried>;
/** Number of concurrent calls by account. */
type UnderWay = Map<string, number>;

const bodyOf = ({ body, bytes }: Pick<Wanted, "body" | "bytes">): Uint8Array =>
  bytes === undefined ? Buffer.from(body ?? "") : Buffer.from(bytes, "base64");

function headersOf({ headers = {}, credential }: Wanted): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (NOT_PASSED_ON.test(name)) continue;
    // If the account's own credential is used, other credentials are removed.
    if (credential === "account" && isSecretHeader(name)) continue;
    kept[name] = value;
  }
  return kept;
}

function viewOf(wanted: Wanted, called: CalledInside, id: string | null): Tried {
  const type = String(called.headers["content-type"] ?? "");
  const { body, isWhole, status, durationMs, sent } = called;
  const { "set-cookie": _cookie, ...headers } = called.headers;
  const content = Buffer.from(body);
  return {
    id,
    status,
    durationMs: Math.round(durationMs * 100) / 100,
    request: { method: wanted.method, path: wanted.path, headers: redactHeaders(sent) },
    answer: {
      headers,
      type,
      length: body.length,
      isWhole,
      ...(isTextType(type) ? { body: content.toString("utf8") } : { bytes: content.toString("base64") }),
    },
  };
}

async function alone<T>(underWay: UnderWay, account: string, work: () => Promise<T>): Promise<T> {
  const before = underWay.get(account) ?? 0;
  if (before >= UNDER_WAY_MAX)
    throw kernelErrors.throttled(`${UNDER_WAY_MAX} such calls of this account are under way already.`);
  underWay.set(account, before + 1);
  try {
    return await work();
  } finally {
    const left = (underWay.get(account) ?? 1) - 1;
    if (left === 0) underWay.delete(account);
    else underWay.set(account, left);
  }
}

export type Trial = (wanted: Wanted, context: Context) => Promise<Tried>;
/** One instance of the counters for each running instance. */
export function trialOf(kernel: Kernel): Trial {
  const underWay: UnderWay = new Map();
  return (wanted, { principal, request }) => {
    if (principal.credentialKind === LENT)
      throw kernelErrors.forbidden("A request that is tried cannot try another.");
    return alone(underWay, principal.account, async () => {
      const call = kernel.ids.next("call");
      const called = await kernel.innerCalls
        .send({
          method: wanted.method,
          path: wanted.path,
          headers: { ...headersOf(wanted), [CALL_HEADER]: call },
          body: bodyOf(wanted),
          host: String(request.headers.host ?? "localhost"),
          region: wanted.region,
          caller: wanted.credential === "account" ? principal : undefined,
          remoteAddress: request.remoteAddress,
          timeoutMs: TIMEOUT_SECONDS * 1000,
          answerBytesMax: ANSWER_BYTES_MAX,
        })
        .catch((error: unknown) => {
          throw kernelErrors.unavailable(`The request could not be sent: ${(error as Error).message}`);
        });
      return viewOf(wanted, called, kernel.requestLog.findByHeader(CALL_HEADER, call)?.id ?? null);
    });
  };
}

/**
 * A request can be repeated only if redaction removed nothing from it, because secrets of other accounts
 * must not be sent.
 */
function isShownWhole(record: KeptRequest): boolean {
  const shown = showRequest(record) as { url: string; request: { body: string } };
  if (shown.url !== record.url) return false;
  // Binary bodies are not redacted.
  if (detailOf(record).request.bytes !== undefined) return true;
  const text = Buffer.from(record.requestBody).toString("utf8");
  return shown.request.body === text || isSameJson(shown.request.body, text);
}
function isSameJson(shown: string, text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === shown;
  } catch {
    return false;
  }
}
function repeated(record: KeptRequest, { account }: Principal, edited: Static<typeof Edited>): Wanted {
  const needsBody = edited.body === undefined && edited.bytes === undefined && record.requestLength > 0;
  if (needsBody && record.requestBody.length < record.requestLength)
    throw errors.notWhole("The body was too long to be kept: give one.");
  if ((needsBody || edited.path === undefined) && record.account !== account && !isShownWhole(record))
    throw errors.notWhole("The request holds secrets of another account: give path and body.");
  const kept = Object.entries(record.requestHeaders).filter(([name]) => !isSecretHeader(name));
  const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
  return {
    method: record.method,
    path: record.url,
    ...(needsBody && { bytes: Buffer.from(record.requestBody).toString("base64") }),
    ...edited,
    headers: edited.headers ?? headers,
  };
}

export const tryOperations = (kernel: Kernel, trial: Trial) => [
  operation({
    id: "medley.try",
    summary: "Calls an operation of any service as the caller's account",
    description:
      "The server adds the credential, with the rights of the caller. The call is real: it changes state. The response body is cut at 1 MB, and an account may have 8 such calls at a time. Times out after 30 seconds.",
    method: "POST",
    path: "/try",
    permission: OWN_PERMISSION,
    transaction: "manual",
    noStore: true,
    timeoutSeconds: TIMEOUT_SECONDS + 10,
    bodyBytesMax: GIVEN_BYTES_MAX,
    body: Wanted,
    answers: { 200: Tried },
    examples: { body: { method: "GET", path: "/_medley/services" } },
    handle: ({ body }, context) => trial(body, context),
  }),
  operation({
    id: "medley.requests.again",
    summary: "Sends a recent request again",
    description:
      "As the caller's account, with changes if given. The call is real: it changes state. Refused if the body was too long to be kept, or if secrets of another account were removed from it.",
    method: "POST",
    path: "/requests/{id}/again",
    permission: OWN_PERMISSION,
    transaction: "manual",
    noStore: true,
    timeoutSeconds: TIMEOUT_SECONDS + 10,
    bodyBytesMax: GIVEN_BYTES_MAX,
    params: Type.Object({
      id: Type.String({
        maxLength: 100,
        description: "The request's id.",
        examples: ["2180bfd9-dfc1-4c30-992e-4425fec1caeb"],
      }),
    }),
    body: Edited,
    bodyOptional: true,
    answers: { 200: Tried },
    errors: [noSuchRequest, errors.notWhole],
    examples: { body: { path: "/braille/translations?limit=3" } },
    handle({ params, body = UNEDITED }, context) {
      const record = getRequest(kernel, context.principal, params.id);
      return trial(repeated(record, context.principal, body), context);
    },
  }),
];
