/** State of an instance in memory: signing keys, verified tokens, revocations and rate counters. */
import { Attempts } from "./attempts.ts";
import { type KeyReader, KeyRing } from "./keys/ring.ts";
import { LiveClients } from "./live-clients.ts";
import { Revocations } from "./revocations.ts";
import { VerifiedTokens } from "./verified-tokens.ts";

export type State = {
  readonly keyRing: KeyRing;
  readonly verifiedTokens: VerifiedTokens;
  readonly revocations: Revocations;
  readonly liveClients: LiveClients;
  readonly authorizations: Attempts;
};
/** Enough to verify a token. */
export type TokenReader = KeyReader & { readonly state: State };

export const start = (): State => ({
  keyRing: new KeyRing(),
  verifiedTokens: new VerifiedTokens(),
  revocations: new Revocations(),
  liveClients: new LiveClients(),
  authorizations: new Attempts(),
});

export function forget({ revocations, liveClients }: State): void {
  revocations.forget();
  liveClients.forget();
}
