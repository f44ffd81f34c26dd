/** Requests as people get to see them: without secrets, and on demand with everything else that is known of them. */
import { isoOf } from "../clock/clock.ts";
import { secretPartsOf } from "../operation/secrets.ts";
import type { Phase } from "./phases.ts";
import { isTextType, redactBody, redactHeaders, redactUrl, sizeOf } from "./redact.ts";
import type { KeptRequest } from "./request-record.ts";

export type ShownRequest = Record<string, unknown>;
type ShownMessage = {
  readonly headers: Record<string, unknown>;
  readonly body: string;
  readonly type: string;
  /** In bytes, as it was sent. */
  readonly length: number;
  /** Whether all of it was kept. */
  readonly isWhole: boolean;
  /** In base64, of what is no text. */
  readonly bytes?: string;
};
type RequestDetail = {
  readonly who: { readonly account: string; readonly name: string; readonly kind: string } | null;
  readonly request: ShownMessage;
  readonly answer: ShownMessage;
};

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
  const { headers, bytes, length, isHiddenWhole } = partOf(record, part);
  const type = typeOf(headers);
  const isShown = bytes.length > 0 && !isHiddenWhole && !isTextType(type) && !/^multipart\//i.test(type);
  return {
    ...showPart(record, part),
    type,
    length,
    isWhole: bytes.length === length,
    ...(isShown && { bytes: Buffer.from(bytes).toString("base64") }),
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
    phases: record.phases?.list(record.durationMs) ?? [],
    request: detailPart(record, "request"),
    answer: detailPart(record, "answer"),
  };
}
