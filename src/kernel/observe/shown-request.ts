/** Requests as people see them: without secrets, and on demand with all details. */
import { isoOf } from "../clock/clock.ts";
import { type SecretParts, secretPartsOf } from "../operation/secrets.ts";
import { findMediaType } from "./media.ts";
import { type KeptPart, partsOf } from "./parts.ts";
import type { Phase } from "./phases.ts";
import { isTextType, redactBody, redactHeaders, redactUrl, sizeOf } from "./redact.ts";
import { HIDDEN } from "./redact-text.ts";
import type { KeptRequest } from "./request-record.ts";
import { isSecretParameter, orDeclared } from "./secret-names.ts";

export type ShownRequest = Record<string, unknown>;
type ShownMessage = {
  readonly headers: Record<string, unknown>;
  readonly body: string;
  readonly type: string;
  /** In bytes, as it was sent. */
  readonly length: number;
  /** Whether all of it was kept. */
  readonly isWhole: boolean;
  /** Base64 of a binary body; of a form only if nothing in it is secret. */
  readonly bytes?: string;
  /** The detected type of the bytes, if it is a picture or sound. */
  readonly media?: string;
  /** Of multipart forms. */
  readonly parts?: ShownPart[];
};
type ShownPart = {
  readonly name: string;
  readonly filename?: string;
  readonly type: string;
  readonly length: number;
  readonly isWhole: boolean;
  readonly body: string;
  readonly bytes?: string;
  readonly media?: string;
};
type RequestDetail = {
  readonly who: { readonly account: string; readonly name: string; readonly kind: string } | null;
  /** How the request authenticates, without the credential. */
  readonly proof: Proof | null;
  readonly request: ShownMessage;
  readonly answer: ShownMessage;
};

/** The scheme of its authorization, and the scope of a signature. */
type Proof = { readonly scheme: string; readonly region?: string; readonly service?: string };
function proofOf({ authorization }: KeptRequest["requestHeaders"]): Proof | null {
  if (typeof authorization !== "string") return null;
  const [scheme = ""] = authorization.split(" ", 1);
  const [, credential = ""] = authorization.split("Credential=", 2);
  const [, , region, service, end] = credential.split(/[/,]/, 5);
  return {
    scheme,
    ...(region !== undefined && service !== undefined && end !== undefined && { region, service }),
  };
}

type Part = "request" | "answer";
const typeOf = (headers: KeptRequest["requestHeaders"]): string => String(headers["content-type"] ?? "");
function partOf(record: KeptRequest, part: Part) {
  const { operation, status, answerBody = new Uint8Array() } = record;
  const declared = operation && secretPartsOf(operation);
  if (part === "request")
    return {
      headers: record.requestHeaders,
      bytes: record.requestBody,
      length: record.requestLength,
      declared,
      isHiddenWhole: declared?.wholeBody ?? false,
    };
  return {
    headers: record.answerHeaders,
    bytes: typeof answerBody === "string" ? Buffer.from(answerBody) : answerBody,
    length: record.answerLength,
    declared,
    isHiddenWhole: declared?.wholeAnswers.has(status) ?? false,
  };
}
function showPart(record: KeptRequest, part: Part): { headers: Record<string, unknown>; body: string } {
  const { headers, length, ...content } = partOf(record, part);
  const contentType = typeOf(headers);
  const isUnkept = content.bytes.length === 0 && length > 0;
  return {
    headers: redactHeaders(headers),
    body: isUnkept ? sizeOf(length, contentType) : redactBody({ ...content, contentType }),
  };
}
function detailPart(record: KeptRequest, part: Part): ShownMessage {
  const { headers, bytes, length, isHiddenWhole, declared } = partOf(record, part);
  const type = typeOf(headers);
  const isShown = bytes.length > 0 && !isHiddenWhole && !isTextType(type);
  const parts = isShown ? partsOf(bytes, type)?.map((one) => shownPart(one, declared)) : undefined;
  const holdsSecret = parts?.some(({ body }) => body.includes(HIDDEN)) ?? false;
  return {
    ...showPart(record, part),
    type,
    length,
    isWhole: bytes.length === length,
    ...(isShown && !holdsSecret && shownBytes(bytes)),
    ...(parts && { parts }),
  };
}
function shownBytes(bytes: Uint8Array): { readonly bytes: string; readonly media?: string } {
  const media = findMediaType(bytes);
  return { bytes: Buffer.from(bytes).toString("base64"), ...(media !== undefined && { media }) };
}
/** A field is shown as text, unless its name says that it is secret. */
function shownPart(
  { name, filename, type, bytes, isWhole }: KeptPart,
  declared: SecretParts | undefined,
): ShownPart {
  const isSecret = orDeclared(isSecretParameter, declared)(name);
  const contentType = type === "" && filename === undefined ? "text/plain" : type;
  const isText = contentType !== "" && isTextType(contentType);
  return {
    name,
    ...(filename !== undefined && { filename }),
    type,
    length: bytes.length,
    isWhole,
    body: redactBody({ bytes, contentType, declared, isHiddenWhole: isSecret }),
    ...(!isText && !isSecret && shownBytes(bytes)),
  };
}

export function showRequest(
  record: KeptRequest,
  { bodies = true }: { readonly bodies?: boolean } = {},
): ShownRequest {
  const { operation } = record;
  return {
    id: record.id,
    at: isoOf(record.atMs),
    durationMs: Math.round(record.durationMs * 100) / 100,
    method: record.method,
    url: redactUrl(record.url, operation && secretPartsOf(operation)),
    service: record.service,
    operation: operation?.id ?? null,
    account: record.account ?? null,
    status: record.status,
    console: record.isConsole,
    ...(bodies && { request: showPart(record, "request"), answer: showPart(record, "answer") }),
  };
}

export function detailOf(record: KeptRequest): RequestDetail & { readonly phases: Phase[] } {
  const { account, caller: name, credentialKind: kind } = record;
  return {
    who: account === undefined ? null : { account, name, kind },
    proof: proofOf(record.requestHeaders),
    phases: record.phases?.list(record.durationMs) ?? [],
    request: detailPart(record, "request"),
    answer: detailPart(record, "answer"),
  };
}
