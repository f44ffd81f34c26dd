/** Tokens whose signature was checked once: what they say, by the token itself. */
import type { Principal } from "#kernel/operation";

const KEPT_MAX = 20_000;

export type AccessClaims = {
  readonly iss: string;
  /** What the client calls the person, which need not be their id. */
  readonly sub: string;
  /** The person's id, sealed, where the client must not know it. */
  readonly person?: string;
  /** Claims were asked for by name; the grant knows which. */
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
/** `userId`: whom it speaks for, whatever `sub` says. */
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
    if (this.#byToken.size >= KEPT_MAX) this.#byToken.clear();
    this.#byToken.set(token, verified);
  }
  drop(token: string): void {
    this.#byToken.delete(token);
  }
}
