/** Calls of the process to itself. The server registers the handler. */
import type { Principal } from "../operation/context.ts";

export type InnerRequest = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The address of the original caller. */
  readonly remoteAddress: string;
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
};
/** `caller`: the account that it acts for, if any. */
export type CallInside = InnerRequest & {
  readonly host: string;
  readonly region: string;
  readonly caller: Principal | undefined;
};
export type InnerAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
  readonly isWhole: boolean;
  readonly durationMs: number;
};
/** With the headers that were finally sent. */
export type CalledInside = InnerAnswer & { readonly sent: Readonly<Record<string, string>> };

export class InnerCalls {
  #send: ((call: CallInside) => Promise<CalledInside>) | undefined;
  open(send: (call: CallInside) => Promise<CalledInside>): void {
    this.#send = send;
  }
  send(call: CallInside): Promise<CalledInside> {
    if (!this.#send) throw new Error("a call inside the process before anything listens");
    return this.#send(call);
  }
}
