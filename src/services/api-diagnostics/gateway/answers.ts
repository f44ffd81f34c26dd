/** Responses of the gateway itself, in the shape of the public gateway. */
import type { OutboundError } from "#kernel/outbound";
import type { CallError } from "../domain/index.ts";

export type Refusal = {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: CallError;
};
const refusal = (
  status: number,
  message: string,
  source: string,
  reason: string,
  headers?: Readonly<Record<string, string>>,
): Refusal => ({ status, message, error: { source, reason, message }, ...(headers && { headers }) });

export const bodyOf = ({ status, message }: Refusal): string =>
  JSON.stringify({ statusCode: status, message });

/** Joins the values of each name into one. */
export function joinedHeaders(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    headers[lower] = headers[lower] === undefined ? value : `${headers[lower]}, ${value}`;
  }
  return headers;
}

export const notFound = (): Refusal =>
  refusal(404, "Resource not found", "configuration", "OperationNotFound");
export const badPath = (message: string): Refusal => refusal(400, message, "request", "BadRequestPath");
export const noUpgrade = (): Refusal =>
  refusal(
    501,
    "This gateway hands on no WebSockets or other changes of protocol.",
    "request",
    "UpgradeRefused",
  );
export const looped = (): Refusal =>
  refusal(
    508,
    "The call has been here before: the backend leads back to this API.",
    "request",
    "LoopDetected",
  );
export const noBackend = (): Refusal =>
  refusal(502, "The API has no backend.", "configuration", "BackendNotConfigured");
export const circuitOpen = (waitSeconds: number): Refusal =>
  refusal(503, "The backend is left alone for a while after too many failures.", "backend", "CircuitOpen", {
    "retry-after": String(waitSeconds),
  });
export const keyNeeded = (given: boolean, name: string, realm: string): Refusal =>
  refusal(
    401,
    given
      ? "The subscription key is not valid here, or its subscription is not active."
      : "This API needs a subscription key.",
    "authorization",
    given ? "SubscriptionKeyInvalid" : "SubscriptionKeyNotFound",
    { "www-authenticate": `AzureApiManagementKey realm="${realm}",name="${name}",type="header"` },
  );
export function backendFailed({ reason, message }: OutboundError): Refusal {
  const [status, told, why] =
    reason === "timeout"
      ? ([504, "The backend did not answer in time.", "Timeout"] as const)
      : ([502, "The backend could not be reached.", "BackendConnectionFailure"] as const);
  // The log has the details. The response does not reveal the backend's address.
  return { ...refusal(status, told, "backend", why), error: { source: "backend", reason: why, message } };
}
