/** What the request log is told of a request, and what it keeps. */
import type { Operation } from "../operation/operation.ts";
import type { Phases } from "./phases.ts";

export type RequestRecord = {
  readonly id: string;
  readonly atMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly url: string;
  readonly service: string;
  /** Undefined where nothing answered at the address. */
  readonly operation: Operation | undefined;
  readonly account: string | undefined;
  /** The credential's public name, and its kind. */
  readonly caller: string;
  readonly credentialKind: string;
  /** Whether it is the console's own traffic. */
  readonly isConsole: boolean;
  /** Undefined of what is only passed on. */
  readonly phases: Phases | undefined;
  readonly status: number;
  readonly requestHeaders: Readonly<Record<string, unknown>>;
  readonly requestBody: Uint8Array;
  /** Where the body is only the beginning of what was sent. */
  readonly requestLength?: number;
  readonly answerHeaders: Readonly<Record<string, unknown>>;
  readonly answerBody: Uint8Array | string | undefined;
};
/** With how long its bodies were before they were cut. */
export type KeptRequest = RequestRecord & { readonly requestLength: number; readonly answerLength: number };
