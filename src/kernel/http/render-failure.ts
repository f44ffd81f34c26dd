/** Renders an error in the shape of its operation or protocol, in the caller's spelling. */
import type { Dialect } from "../dialects/dialect.ts";
import type { ErrorKind } from "../operation/errors.ts";
import type { Operation } from "../operation/operation.ts";
import {
  type AnsweredCall,
  type ErrorToRender,
  findErrorShape,
  type Protocol,
} from "../protocols/protocol.ts";
import { retryHeaders } from "./known-errors.ts";
import type { Outgoing } from "./respond.ts";

type Place = {
  readonly protocol: Protocol | undefined;
  readonly operation: Operation | undefined;
  readonly dialect: Dialect | undefined;
  readonly call: AnsweredCall;
  /** Did the caller write this word? Then it keeps the caller's spelling. */
  isWritten(word: string): boolean;
};

export function renderFailure(
  kind: ErrorKind,
  given: ErrorToRender,
  { protocol, operation, dialect, call, isWritten }: Place,
): Outgoing {
  const message = dialect?.makersSentence?.(given.message, isWritten) ?? given.message;
  const told = message === given.message ? given : { ...given, message };
  const { code, status, extras } = told;
  const contentType = "application/json";
  if (!protocol)
    return {
      status,
      contentType,
      headers: retryHeaders(kind),
      body: JSON.stringify({ error: { code, message } }),
    };
  const shape = operation && findErrorShape(protocol, operation);
  const rendered = shape ? shape.render(told) : protocol.renderError(told, call);
  const body = dialect ? dialect.makersBody(operation?.id ?? "", status, rendered.body) : rendered.body;
  return {
    status: rendered.status,
    contentType,
    headers: { ...retryHeaders(kind), ...rendered.headers, ...extras.headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}
