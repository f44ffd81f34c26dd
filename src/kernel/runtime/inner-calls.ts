/** The door by which the process calls itself; the server that answers opens it. */
import type { Principal } from "../operation/context.ts";

export type InnerRequest = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Of whoever asked for it. */
  readonly remoteAddress: string;
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
};
/** `caller`: whom it speaks for; nobody where there is none. */
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
/** With the headers that were sent in the end. */
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
