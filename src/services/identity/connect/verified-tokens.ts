/** A cache of verified tokens: the claims by token. */
import { makeRoom } from "#kernel/memory";
import type { Principal } from "#kernel/operation";

const KEPT_MAX = 20_000;

export type AccessClaims = {
  readonly iss: string;
  /** The client's name for the person. It may differ from their id. */
  readonly sub: string;
  /** The encrypted id of the person, for clients that must not know it. */
  readonly person?: string;
  /** Claims were requested by name. The grant lists them. */
  readonly named_claims?: true;
  readonly aud: string;
  readonly client_id: string;
  readonly account: string;
  readonly scope: string;
  readonly grant: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
};
/** An account owner at the dashboard, for an hour: the credential they signed in with, sealed, and how it was then. */
export type OwnerClaims = {
  readonly account: string;
  readonly credential: string;
  readonly stamp: string;
  readonly exp: number;
};
/** `userId`: the person, whatever `sub` says. */
export type AccessToken = { readonly claims: AccessClaims; readonly userId: string };
export type Verified =
  | { readonly kind: "access"; readonly token: AccessToken; readonly principal: Principal }
  | { readonly kind: "owner"; readonly claims: OwnerClaims };

export class VerifiedTokens {
  readonly #byToken = new Map<string, Verified>();

  find(token: string): Verified | undefined {
    return this.#byToken.get(token);
  }
  keep(token: string, verified: Verified): void {
    makeRoom(this.#byToken, KEPT_MAX);
    this.#byToken.set(token, verified);
  }
  drop(token: string): void {
    this.#byToken.delete(token);
  }
}
