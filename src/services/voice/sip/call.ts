/**
 * Places one telephone call over SIP: rings, plays audio after the answer, hangs up and reports the result.
 */
import assert from "node:assert";
import type { RemoteInfo } from "node:dgram";
import { isIP } from "node:net";
import { sendAudio } from "./audio-sender.ts";
import { CallMessages } from "./call-messages.ts";
import {
  type CallEvent,
  type CallRequest,
  type CallTimings,
  requirePlain,
  TIMINGS_DEFAULT,
} from "./call-request.ts";
import { type Address, DatagramSocket, findLocalHost } from "./datagrams.ts";
import { findDigestAnswer, isStale } from "./digest.ts";
import { nowMs, startTimer, type Timer, waitMs } from "./media-timer.ts";
import type { SipHeader, SipMessage, SipRequest, SipResponse } from "./message.ts";
import { findHostPort, headerLines, parseMessage, writeMessage } from "./message.ts";
import { type CallOutcome, type CallResult, resultOfStatus } from "./outcome.ts";
import { findMediaAddress, writeOffer } from "./sdp.ts";
import { ClientTransaction } from "./transaction.ts";

/** The first INVITE, one with credentials, and one after a stale nonce. */
const INVITES_MAX = 3;
/** Time after the end in which retransmissions of the peer are still answered, in units of T1. */
const LINGER_T1 = 4;
/** Timeout for the final response to a cancelled INVITE, in units of T1. */
const CANCEL_LENGTH_T1 = 64;

/** Resolves when the call is over and its sockets are closed. Network errors are results, not exceptions. */
export function placeCall(request: CallRequest): Promise<CallOutcome> {
  requirePlain(request);
  return new Call(request).run();
}

class Call {
  readonly #request: CallRequest;
  readonly #timings: CallTimings;
  readonly #startedMs = nowMs();
  readonly #transactions: ClientTransaction[] = [];
  readonly #allowedHosts: Set<string>;
  #signalling: DatagramSocket | undefined;
  #media: DatagramSocket | undefined;
  #messages: CallMessages | undefined;
  #invite: ClientTransaction | undefined;
  #acknowledgement: SipRequest | undefined;
  #earlyAnswer = "";
  #ringingAfterMs: number | undefined;
  #answeredAfterMs: number | undefined;
  #gaveUp: "ringTimeout" | "aborted" | undefined;
  #isHungUpByPeer = false;
  #hasEnded = false;
  #fault: { error: unknown } | undefined;
  #sendFault: string | undefined;

  constructor(request: CallRequest) {
    this.#request = request;
    this.#timings = { ...TIMINGS_DEFAULT, ...request.timings };
    this.#allowedHosts = new Set([request.peer.host]);
  }

  async run(): Promise<CallOutcome> {
    const abort = () => this.#giveUp("aborted");
    this.#request.signal?.addEventListener("abort", abort);
    let ringTimer: Timer | undefined;
    try {
      await this.#open();
      if (this.#request.signal?.aborted) return this.#end("failed", "aborted");
      this.#emit({ type: "initiated", afterMs: this.#afterMs() });
      ringTimer = startTimer(this.#request.ringTimeoutMs, () => this.#giveUp("ringTimeout"));
      const outcome = await this.#converse(ringTimer);
      if (this.#fault !== undefined) throw this.#fault.error;
      return outcome;
    } catch (error) {
      if (this.#fault !== undefined) throw this.#fault.error;
      return this.#end("failed", error instanceof Error ? error.message : String(error));
    } finally {
      ringTimer?.cancel();
      this.#request.signal?.removeEventListener("abort", abort);
      await this.#close();
    }
  }

  async #open(): Promise<void> {
    const { peer, localAddress } = this.#request;
    const host = localAddress ?? (await findLocalHost(peer));
    this.#signalling = await DatagramSocket.open(
      host,
      (datagram, from) => void this.#receive(datagram, from),
    );
    this.#media = await DatagramSocket.open(host, () => undefined);
    this.#messages = new CallMessages({ ...this.#request, local: this.#signalling.address });
  }

  async #close(): Promise<void> {
    for (const transaction of this.#transactions) transaction.stop();
    await Promise.all([this.#signalling?.close(), this.#media?.close()]);
  }

  async #converse(ringTimer: Timer): Promise<CallOutcome> {
    const response = await this.#ring();
    ringTimer.cancel();
    if (response === undefined) {
      const outcome = this.#end(
        this.#gaveUp === "ringTimeout" && this.#hasRung ? "noAnswer" : "failed",
        this.#whyUnanswered(),
      );
      await this.#linger();
      return outcome;
    }
    if (response.status >= 300) {
      const outcome = this.#endByStatus(response);
      await this.#linger();
      return outcome;
    }
    return await this.#talk(response);
  }

  get #hasRung(): boolean {
    return this.#invite?.hasProvisional === true;
  }

  #whyUnanswered(): string {
    if (this.#gaveUp === "aborted") return "aborted";
    if (this.#sendFault !== undefined) return this.#sendFault;
    return this.#hasRung ? "nobody answered" : "the peer did not respond";
  }

  /** Sends INVITE, with credentials after a challenge. Returns the final response. */
  async #ring(): Promise<SipResponse | undefined> {
    let authorization: SipHeader | undefined;
    let response: SipResponse | undefined;
    for (let attempt = 1; attempt <= INVITES_MAX; attempt += 1) {
      response = await this.#sendInvite(authorization);
      const isAgain = authorization !== undefined;
      if (response === undefined || this.#gaveUp !== undefined) return response;
      authorization = this.#findAuthorization(response, "INVITE", this.#needMessages().inviteTarget, isAgain);
      if (authorization === undefined) return response;
    }
    return response;
  }

  #sendInvite(authorization: SipHeader | undefined): Promise<SipResponse | undefined> {
    const messages = this.#needMessages();
    const offer = writeOffer(this.#media?.address ?? { host: "", port: 0 }, Math.floor(this.#startedMs));
    const request = messages.invite(offer, authorization);
    this.#invite = this.#transact(request, this.#request.peer, (response) => this.#hearProvisional(response));
    return this.#invite.final;
  }

  #findAuthorization(
    response: SipResponse,
    method: string,
    uri: string,
    isAgain: boolean,
  ): SipHeader | undefined {
    const { credentials } = this.#request;
    if (credentials === undefined || (response.status !== 401 && response.status !== 407)) return undefined;
    const isProxy = response.status === 407;
    const challenges = headerLines(response, isProxy ? "proxy-authenticate" : "www-authenticate");
    if (isAgain && !challenges.some(isStale)) return undefined;
    const value = findDigestAnswer(challenges, credentials, { method, uri });
    return value === undefined
      ? undefined
      : { name: isProxy ? "proxy-authorization" : "authorization", value };
  }

  #hearProvisional(response: SipResponse): void {
    // CANCEL is allowed only after a provisional response, so an aborted call is cancelled here.
    if (this.#gaveUp !== undefined) this.#cancel();
    if (this.#gaveUp !== undefined || this.#hasEnded) return;
    if (response.body !== "") this.#earlyAnswer = response.body;
    if (response.status === 100 || this.#ringingAfterMs !== undefined) return;
    this.#ringingAfterMs = this.#afterMs();
    this.#emit({ type: "ringing", afterMs: this.#ringingAfterMs, status: response.status });
  }

  #giveUp(why: "ringTimeout" | "aborted"): void {
    if (this.#gaveUp !== undefined) return;
    this.#gaveUp = why;
    if (this.#answeredAfterMs !== undefined) return;
    if (this.#hasRung) this.#cancel();
    else this.#invite?.stop();
  }

  #cancel(): void {
    if (this.#invite === undefined || this.#acknowledgement !== undefined) return;
    this.#invite.limit(CANCEL_LENGTH_T1 * this.#timings.t1Ms);
    if (this.#transactions.some((transaction) => transaction.request.method === "CANCEL")) return;
    this.#transact(this.#needMessages().cancel(this.#invite.request), this.#request.peer);
  }

  async #talk(response: SipResponse): Promise<CallOutcome> {
    await this.#acknowledge(response);
    if (this.#gaveUp !== undefined) {
      await this.#hangUp();
      return this.#end(
        this.#gaveUp === "aborted" ? "failed" : "noAnswer",
        this.#whyUnanswered(),
        response.status,
      );
    }
    const target = findMediaAddress(response.body === "" ? this.#earlyAnswer : response.body);
    if (target === undefined || !(await this.#vet(target.host))) {
      await this.#hangUp();
      const why =
        target === undefined
          ? "the peer takes no PCMU audio"
          : "the peer names an address that is not allowed";
      return this.#end("failed", why, response.status);
    }
    this.#answeredAfterMs = this.#afterMs();
    this.#emit({ type: "answered", afterMs: this.#answeredAfterMs });
    return await this.#play(target, response.status);
  }

  async #play(target: Address, status: number): Promise<CallOutcome> {
    assert(this.#media !== undefined, "the call is open");
    const isOver = () => this.#isHungUpByPeer || this.#gaveUp !== undefined;
    const playedMs = await sendAudio(this.#media, target, this.#request.audio, isOver);
    if (!isOver()) await waitMs(this.#timings.tailMs);
    if (this.#isHungUpByPeer) {
      const outcome = this.#end("answered-completed", "the peer hung up", status, playedMs);
      await this.#linger();
      return outcome;
    }
    const isAborted = this.#gaveUp === "aborted";
    const why = isAborted ? "aborted" : "the message was played";
    const outcome = this.#end(isAborted ? "failed" : "answered-completed", why, status, playedMs);
    await this.#hangUp();
    return outcome;
  }

  async #hangUp(): Promise<void> {
    if (this.#isHungUpByPeer) return;
    const messages = this.#needMessages();
    const hop = this.#nextHop();
    const first = messages.bye(undefined);
    const response = await this.#transact(first, hop).final;
    if (response === undefined) return;
    const authorization = this.#findAuthorization(response, "BYE", first.target, false);
    if (authorization !== undefined) await this.#transact(messages.bye(authorization), hop).final;
  }

  async #acknowledge(response: SipResponse): Promise<void> {
    const messages = this.#needMessages();
    assert(this.#invite !== undefined, "an answer has its INVITE");
    messages.enterDialog(response);
    await this.#vet(findHostPort(messages.nextHop)?.host ?? "");
    this.#acknowledgement = messages.acknowledgeAnswer(this.#invite.request);
    this.#send(this.#acknowledgement, this.#nextHop());
  }

  #transact(
    request: SipRequest,
    to: Address,
    onProvisional?: (response: SipResponse) => void,
  ): ClientTransaction {
    const transaction = new ClientTransaction({
      request,
      timings: this.#timings,
      send: (datagram) => this.#signalling?.send(datagram, to, (error) => this.#hearSendFault(error)),
      onProvisional,
      acknowledge: (response) => this.#needMessages().acknowledgeRefusal(request, response),
    });
    this.#transactions.push(transaction);
    return transaction;
  }

  #hearSendFault(error: Error): void {
    this.#sendFault = `the peer cannot be reached: ${error.message}`;
    for (const transaction of this.#transactions) transaction.stop();
  }

  /** Only the peer knows the Call-ID. Messages of others are dropped before an address is checked. */
  async #receive(datagram: Buffer, from: RemoteInfo): Promise<void> {
    const message = parseMessage(datagram);
    if (message === undefined || this.#messages?.isOfThisCall(message) !== true) return;
    if (!this.#allowedHosts.has(from.address) && !(await this.#vet(from.address))) return;
    if (message.kind === "request")
      this.#answer(message, this.#messages, { host: from.address, port: from.port });
    else await this.#hearResponse(message);
  }

  async #hearResponse(response: SipResponse): Promise<void> {
    const isKnown = this.#transactions.some((transaction) => transaction.receive(response));
    const isAnswerAgain = isKnown && response.status >= 200 && response.status < 300;
    // A repeated 2xx means that the ACK was lost. A 2xx after an abort must be acknowledged and ended.
    if (!isAnswerAgain || !this.#isInviteAnswer(response)) return;
    if (this.#acknowledgement !== undefined) this.#send(this.#acknowledgement, this.#nextHop());
    else if (this.#gaveUp !== undefined && this.#hasEnded) {
      await this.#acknowledge(response);
      this.#transact(this.#needMessages().bye(undefined), this.#nextHop());
    }
  }

  #isInviteAnswer(response: SipResponse): boolean {
    return headerLines(response, "cseq")[0]?.endsWith("INVITE") === true;
  }

  #answer(request: SipRequest, messages: CallMessages, from: Address): void {
    if (request.method === "ACK") return;
    const reply = (status: number, reason: string) =>
      this.#send(messages.reply(request, status, reason), from);
    if (!messages.isOfThisDialog(request)) reply(481, "Call/Transaction Does Not Exist");
    else if (request.method === "BYE") {
      this.#isHungUpByPeer = true;
      reply(200, "OK");
    } else if (request.method === "OPTIONS" || request.method === "INFO") reply(200, "OK");
    else if (request.method === "INVITE" || request.method === "UPDATE") reply(488, "Not Acceptable Here");
    else reply(405, "Method Not Allowed");
  }

  #send(message: SipMessage, to: Address): void {
    this.#signalling?.send(writeMessage(message), to);
  }

  /** The peer may redirect requests to another host. Only allowed hosts are used. */
  #nextHop(): Address {
    const hop = findHostPort(this.#needMessages().nextHop);
    const isUsable = hop !== undefined && this.#allowedHosts.has(hop.host);
    return isUsable ? hop : this.#request.peer;
  }

  /** Checks an address and caches a positive result. */
  async #vet(host: string): Promise<boolean> {
    if (this.#allowedHosts.has(host)) return true;
    if (isIP(host) === 0 || (await this.#request.isAddressAllowed?.(host)) !== true) return false;
    this.#allowedHosts.add(host);
    return true;
  }

  #needMessages(): CallMessages {
    assert(this.#messages !== undefined, "the call is open");
    return this.#messages;
  }

  #afterMs(): number {
    return Math.round(nowMs() - this.#startedMs);
  }

  #endByStatus(response: SipResponse): CallOutcome {
    const isCancelled = response.status === 487 && this.#gaveUp !== undefined;
    const isAborted = isCancelled && this.#gaveUp === "aborted";
    const reason = isCancelled ? this.#whyUnanswered() : response.reason;
    return this.#end(isAborted ? "failed" : resultOfStatus(response.status), reason, response.status);
  }

  #end(result: CallResult, reason: string, status?: number, playedMs = 0): CallOutcome {
    const outcome: CallOutcome = {
      result,
      reason,
      status,
      endedBy: this.#isHungUpByPeer || (this.#gaveUp === undefined && (status ?? 0) >= 300) ? "peer" : "us",
      ringingAfterMs: this.#ringingAfterMs,
      answeredAfterMs: this.#answeredAfterMs,
      endedAfterMs: this.#afterMs(),
      playedMs,
    };
    this.#hasEnded = true;
    this.#emit({ type: "ended", afterMs: outcome.endedAfterMs, outcome });
    return outcome;
  }

  #linger(): Promise<void> {
    return waitMs(LINGER_T1 * this.#timings.t1Ms);
  }

  /** An exception of a listener ends the call and is thrown by placeCall, not by the socket. */
  #emit(event: CallEvent): void {
    try {
      this.#request.onEvent?.(event);
    } catch (error) {
      this.#fault ??= { error };
      this.#giveUp("aborted");
    }
  }
}
