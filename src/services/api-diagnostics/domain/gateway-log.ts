/** Log record of one call, in the shape of the public gateway log. */
import { isoOf } from "#kernel/clock";
import type { Correlation } from "./correlation.ts";
import { type DiagnosticProperties, isSuccess, type Mask, type MessageSettings } from "./diagnostic.ts";
import { type BodySample, keptHeaders, keptUrl, type RawHeaders } from "./masking.ts";
import type { PolicyNote } from "./policies/index.ts";

export type CallError = { readonly source: string; readonly reason: string; readonly message: string };
/** Data about a completed call. */
export type Call = {
  readonly id: string;
  readonly atMs: number;
  readonly instanceId: string;
  readonly location: string;
  readonly method: string;
  readonly url: string;
  readonly protocol: string;
  readonly clientAddress: string;
  readonly status: number;
  readonly correlation: Correlation;
  readonly at: number;
  readonly keyName: string;
  readonly api?: { readonly id: string; readonly operationId?: string; readonly operationName?: string };
  readonly subscriptionId?: string;
  readonly requestHeaders: RawHeaders;
  readonly responseHeaders: RawHeaders;
  readonly requestBody: BodySample;
  readonly responseBody: BodySample;
  readonly backend?: {
    readonly url: string;
    readonly requestHeaders: RawHeaders;
    readonly responseHeaders: RawHeaders;
    readonly status?: number;
    readonly ms: number;
  };
  readonly ms: number;
  readonly error?: CallError;
  /** Events during the call, with milliseconds since its start. */
  readonly steps: readonly (readonly [ms: number, source: string, text: string])[];
  /** Effects of the policies, in order. */
  readonly policies: readonly PolicyNote[];
};

const ms = (value: number): number => Math.round(value * 1000) / 1000;
const withoutNothing = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Frontend and backend share most headers and parameters, so the masks of one side apply to both. */
const masksOf = (
  own: MessageSettings | undefined,
  other: MessageSettings | undefined,
  part: "headers" | "queryParams",
): readonly Mask[] => [...(own?.dataMasking?.[part] ?? []), ...(other?.dataMasking?.[part] ?? [])];
function message(
  [settings, other]: readonly [MessageSettings | undefined, MessageSettings | undefined],
  headers: RawHeaders,
  body: BodySample,
  names: readonly [headers: string, body: string],
): Record<string, unknown> {
  return {
    [names[0]]: keptHeaders(headers, settings?.headers, masksOf(settings, other, "headers")),
    [names[1]]: body.text(settings?.body?.bytes),
  };
}
function operationNameOf(call: Call, { operationNameFormat }: DiagnosticProperties): string {
  if (operationNameFormat === "Url" || !call.api) return `${call.method} ${pathOf(call.url)}`;
  return `${call.api.id};rev=1 - ${call.api.operationId ?? call.method}`;
}
const pathOf = (url: string): string => {
  const [path = url] = url.replace(/^https?:\/\/[^/]+/, "").split("?");
  return path;
};
function backendOf(call: Call, settings: DiagnosticProperties): Record<string, unknown> {
  const { backend } = call;
  if (!backend) return {};
  const { frontend, backend: own } = settings;
  const masks = masksOf(own?.request, frontend?.request, "queryParams");
  return {
    backendMethod: call.method,
    backendUrl: keptUrl(backend.url, masks, call.keyName),
    backendResponseCode: backend.status,
    backendProtocol: backend.status === undefined ? undefined : "HTTP/1.1",
    backendTime: ms(backend.ms),
    ...message([own?.request, frontend?.request], backend.requestHeaders, call.requestBody, [
      "backendRequestHeaders",
      "backendRequestBody",
    ]),
    ...message([own?.response, frontend?.response], backend.responseHeaders, call.responseBody, [
      "backendResponseHeaders",
      "backendResponseBody",
    ]),
  };
}
function lastErrorOf({ error, ms: elapsed, api }: Call): Record<string, unknown> {
  if (!error) return {};
  const scope = api ? "api" : "global";
  const lastError = { elapsed: ms(elapsed), ...error, scope, section: "backend" };
  return { lastError, errors: [lastError] };
}

/** Log record of a call with the members that one diagnostic includes. */
export function gatewayLogOf(call: Call, settings: DiagnosticProperties): Record<string, unknown> {
  const { frontend, backend } = settings;
  const properties = withoutNothing({
    method: call.method,
    url: keptUrl(call.url, masksOf(frontend?.request, backend?.request, "queryParams"), call.keyName),
    clientProtocol: call.protocol,
    responseCode: call.status,
    requestSize: call.requestBody.size,
    responseSize: call.responseBody.size,
    cache: "none",
    cacheTime: 0,
    clientTime: ms(Math.max(0, call.ms - (call.backend?.ms ?? 0))),
    apiId: call.api?.id,
    apiRevision: call.api && "1",
    operationId: call.api?.operationId,
    gatewaySubscriptionId: call.subscriptionId,
    ...message([frontend?.request, backend?.request], call.requestHeaders, call.requestBody, [
      "requestHeaders",
      "requestBody",
    ]),
    ...message([frontend?.response, backend?.response], call.responseHeaders, call.responseBody, [
      "responseHeaders",
      "responseBody",
    ]),
    ...backendOf(call, settings),
    ...lastErrorOf(call),
    ...(settings.verbosity === "verbose" && {
      traceRecords: call.steps.map(([elapsed, source, text]) => ({
        elapsed: ms(elapsed),
        source,
        message: text,
      })),
    }),
  });
  const isRequestSuccess = isSuccess(call.status);
  return withoutNothing({
    time: isoOf(call.atMs),
    resourceId: call.instanceId,
    operationName: operationNameOf(call, settings),
    category: "GatewayLogs",
    resultType: isRequestSuccess ? "Succeeded" : "Failed",
    level: isRequestSuccess ? 4 : 2,
    isRequestSuccess,
    httpStatusCodeCategory: `${Math.floor(call.status / 100)}xx`,
    location: call.location,
    correlationId: call.correlation.id,
    parentId: call.correlation.parentId,
    callerIpAddress: settings.logClientIp ? call.clientAddress : undefined,
    durationMs: ms(call.ms),
    properties,
  });
}
