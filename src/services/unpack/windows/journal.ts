/** Journal of an emulated program: system calls and other events. */

const CALLS_MAX = 5000;
const EVENTS_MAX = 1000;

export type ApiCall = {
  readonly library: string;
  readonly name: string;
  /** Numbers as 0x…, strings in quotes. */
  readonly given: readonly string[];
  readonly result: string | undefined;
  /** Return address. */
  readonly caller: number;
  readonly instructions: number;
  readonly isModelled: boolean;
};
export type Notable = {
  readonly kind: "layer" | "exception" | "protection" | "allocation" | "thread" | "message" | "end";
  readonly text: string;
  readonly address: number;
  readonly instructions: number;
};

export class Journal {
  readonly calls: ApiCall[] = [];
  readonly events: Notable[] = [];
  callsLeftOut = 0;

  get hasRoom(): boolean {
    return this.calls.length < CALLS_MAX;
  }
  noteCall(call: ApiCall): void {
    if (this.calls.length < CALLS_MAX) this.calls.push(call);
    else this.callsLeftOut += 1;
  }
  note(event: Notable): void {
    if (this.events.length < EVENTS_MAX) this.events.push(event);
  }
}

export const hex = (value: number): string => `0x${(value < 0 ? value >>> 0 : value).toString(16)}`;
