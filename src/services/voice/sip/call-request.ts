/** Parameters and events of a call. */
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
  /** IP address of the peer, already checked. Names are not resolved here. */
  peer: Address;
  /** Local address. Default: the address of the route to the peer. */
  localAddress?: string;
  /** Telephone numbers or user names. */
  from: string;
  to: string;
  /** Domain of the carrier, if it requires a name in URIs. */
  domain?: string;
  credentials?: DigestCredentials;
  /** Samples at 8 kHz. */
  audio: Int16Array;
  ringTimeoutMs: number;
  onEvent?(event: CallEvent): void;
  /** Aborts the call: cancels while it rings, hangs up while it plays. */
  signal?: AbortSignal;
  /** Whether packets may be sent to an address that the peer names. Default: only to the peer. */
  isAddressAllowed?(host: string): Promise<boolean>;
  timings?: Partial<CallTimings>;
};

export interface CallTimings extends SipTimings {
  /** Silence before hanging up, so that the peer's buffer plays out. */
  tailMs: number;
}

export const TIMINGS_DEFAULT: CallTimings = { t1Ms: 500, t2Ms: 4000, tailMs: 200 };
const USER = /^[A-Za-z0-9+*._-]{1,64}$/;
const DOMAIN = /^[A-Za-z0-9.-]{1,253}$/;

/** Rejects values that could inject lines into a message. */
export function requirePlain({ peer, from, to, domain }: CallRequest): void {
  assert(isIP(peer.host) !== 0, "the peer must be an IP address");
  assert(USER.test(from) && USER.test(to), "numbers must be plain");
  assert(domain === undefined || DOMAIN.test(domain), "the domain must be plain");
}
