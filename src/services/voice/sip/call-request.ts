/** What is asked of a call, and what is heard of it meanwhile. */
import assert from "node:assert";
import { isIP } from "node:net";
import type { Address } from "./datagrams.ts";
import type { DigestCredentials } from "./digest.ts";
import type { CallOutcome } from "./outcome.ts";
import type { SipTimings } from "./transaction.ts";

export type CallEvent =
  | { type: "initiated"; afterMs: number }
  | { type: "ringing"; afterMs: number; status: number }
  | { type: "answered"; afterMs: number }
  | { type: "ended"; afterMs: number; outcome: CallOutcome };

export type CallRequest = {
  /** An address that has been found fit to be called; a name is not resolved here. */
  peer: Address;
  /** The address of this machine to call from; by default the one that leads to the peer. */
  localAddress?: string;
  /** Telephone numbers or user names. */
  from: string;
  to: string;
  /** The carrier's domain, when it wants its name in the addresses. */
  domain?: string;
  credentials?: DigestCredentials;
  /** 8 kHz. */
  audio: Int16Array;
  ringTimeoutMs: number;
  onEvent?(event: CallEvent): void;
  /** Gives the call up: cancels while it rings, hangs up while it plays. */
  signal?: AbortSignal;
  /** Whether packets may go to an address that the peer names; by default to the peer's own only. */
  isAddressAllowed?(host: string): Promise<boolean>;
  timings?: Partial<CallTimings>;
};

export interface CallTimings extends SipTimings {
  /** Quiet between the last packet and hanging up, for the peer's buffer to play out. */
  tailMs: number;
}

export const TIMINGS_DEFAULT: CallTimings = { t1Ms: 500, t2Ms: 4000, tailMs: 200 };
const USER = /^[A-Za-z0-9+*._-]{1,64}$/;
const DOMAIN = /^[A-Za-z0-9.-]{1,253}$/;

/** Nothing that a caller says can break the lines of a message. */
export function requirePlain({ peer, from, to, domain }: CallRequest): void {
  assert(isIP(peer.host) !== 0, "the peer must be an IP address");
  assert(USER.test(from) && USER.test(to), "numbers must be plain");
  assert(domain === undefined || DOMAIN.test(domain), "the domain must be plain");
}
