/** What the request log gets of a request, and what it keeps. */
import type { Operation } from "../operation/operation.ts";
import type { Phases } from "./phases.ts";

export type RequestRecord = {
  readonly id: string;
  readonly atMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly url: string;
  readonly service: string;
  /** Undefined if nothing answers at the address. */
  readonly operation: Operation | undefined;
  readonly account: string | undefined;
  /** The public name of the credential, and its kind. */
  readonly caller: string;
  readonly credentialKind: string;
  /** Whether it is traffic of the console itself. */
  readonly isConsole: boolean;
  /** Undefined for forwarded requests. */
  readonly phases: Phases | undefined;
  readonly status: number;
  readonly requestHeaders: Readonly<Record<string, unknown>>;
  readonly requestBody: Uint8Array;
  /** Set if the body is only the beginning. */
  readonly requestLength?: number;
  readonly answerHeaders: Readonly<Record<string, unknown>>;
  readonly answerBody: Uint8Array | string | undefined;
};
/** With the original lengths of truncated bodies. */
export type KeptRequest = RequestRecord & { readonly requestLength: number; readonly answerLength: number };
