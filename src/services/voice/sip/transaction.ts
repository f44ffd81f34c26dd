/** A SIP client transaction over UDP: sends a request again and again until it is answered, and hands over what comes back. */

import { startTimer, type Timer } from "./media-timer.ts";
import {
  findHeader,
  findParameter,
  headerValues,
  type SipRequest,
  type SipResponse,
  writeMessage,
} from "./message.ts";

export type SipTimings = {
  /** Estimate of a round trip: the first repetition comes after this time. */
  t1Ms: number;
  /** Longest time between two repetitions of a request other than INVITE. */
  t2Ms: number;
};

export type TransactionOptions = {
  request: SipRequest;
  timings: SipTimings;
  send(datagram: Buffer): void;
  onProvisional?(response: SipResponse): void;
  /** Makes the acknowledgement of a final answer that refuses an INVITE. */
  acknowledge?(response: SipResponse): SipRequest;
};

/** How long a request is repeated before its peer counts as absent, in units of T1. */
const ATTEMPT_LENGTH_T1 = 64;

export class ClientTransaction {
  readonly request: SipRequest;
  /** The final answer; undefined when there was none in time. */
  readonly final: Promise<SipResponse | undefined>;
  hasProvisional = false;
  readonly #options: TransactionOptions;
  readonly #datagram: Buffer;
  readonly #branch: string | undefined;
  #resolve: (response: SipResponse | undefined) => void = () => undefined;
  #repetition: Timer | undefined;
  #limit: Timer | undefined;
  #acknowledgement: Buffer | undefined;
  #isOver = false;

  constructor(options: TransactionOptions) {
    this.#options = options;
    this.request = options.request;
    this.#datagram = writeMessage(options.request);
    this.#branch = findParameter(findHeader(options.request, "via") ?? "", "branch");
    this.final = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.limit(ATTEMPT_LENGTH_T1 * options.timings.t1Ms);
    this.#transmit(options.timings.t1Ms);
  }

  get #isInvite(): boolean {
    return this.request.method === "INVITE";
  }

  /** Gives up when no final answer has come after that time; an earlier limit is replaced. */
  limit(delayMs: number): void {
    this.#limit?.cancel();
    if (!this.#isOver) this.#limit = startTimer(delayMs, () => this.stop());
  }

  /** True when the response belongs to this transaction. */
  receive(response: SipResponse): boolean {
    const via = headerValues(response, "via")[0] ?? "";
    const method = findHeader(response, "cseq")?.split(/\s+/)[1];
    if (this.#branch === undefined || findParameter(via, "branch") !== this.#branch) return false;
    if (method !== this.request.method) return false;
    if (response.status < 200) this.#receiveProvisional(response);
    else this.#receiveFinal(response);
    return true;
  }

  stop(): void {
    this.#finish(undefined);
  }

  #transmit(intervalMs: number): void {
    this.#options.send(this.#datagram);
    const doubledMs = intervalMs * 2;
    const nextMs = this.#isInvite ? doubledMs : Math.min(doubledMs, this.#options.timings.t2Ms);
    this.#repetition = startTimer(intervalMs, () => this.#transmit(nextMs));
  }

  #receiveProvisional(response: SipResponse): void {
    // An INVITE that was heard may ring for as long as its owner likes.
    if (this.#isInvite) this.#repetition?.cancel();
    if (this.#isInvite && !this.hasProvisional) this.#limit?.cancel();
    this.hasProvisional = true;
    this.#options.onProvisional?.(response);
  }

  #receiveFinal(response: SipResponse): void {
    if (this.#isInvite && response.status >= 300) {
      const acknowledgement = this.#options.acknowledge?.(response);
      if (acknowledgement !== undefined) this.#acknowledgement ??= writeMessage(acknowledgement);
      if (this.#acknowledgement !== undefined) this.#options.send(this.#acknowledgement);
    }
    this.#finish(response);
  }

  #finish(response: SipResponse | undefined): void {
    this.#isOver = true;
    this.#repetition?.cancel();
    this.#limit?.cancel();
    this.#resolve(response);
  }
}
