/** SIP client transaction over UDP: retransmits a request until a response arrives. */

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
  /** Estimated round-trip time, and delay of the first retransmission. */
  t1Ms: number;
  /** Longest delay between retransmissions of requests other than INVITE. */
  t2Ms: number;
};

export type TransactionOptions = {
  request: SipRequest;
  timings: SipTimings;
  send(datagram: Buffer): void;
  onProvisional?(response: SipResponse): void;
  /** Creates the ACK for a negative final response to an INVITE. */
  acknowledge?(response: SipResponse): SipRequest;
};

/** Timeout of a request, in units of T1. */
const ATTEMPT_LENGTH_T1 = 64;

export class ClientTransaction {
  readonly request: SipRequest;
  /** The final response. Undefined after a timeout. */
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

  /** Sets the timeout for the final response. It replaces an earlier one. */
  limit(delayMs: number): void {
    this.#limit?.cancel();
    if (!this.#isOver) this.#limit = startTimer(delayMs, () => this.stop());
  }

  /** Returns true if the response belongs to this transaction. */
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
    // After a provisional response, an INVITE is not retransmitted, and its owner decides about the timeout.
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
