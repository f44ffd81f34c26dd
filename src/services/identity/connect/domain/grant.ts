/** The access that a person gave to a client. */
import type { ClaimsRequest } from "./claims-request.ts";

export type Grant = {
  readonly id: string;
  readonly account: string;
  readonly clientId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly scopes: readonly string[];
  readonly authTimeMs: number;
  readonly methods: readonly string[];
  readonly nonce: string | undefined;
  readonly claims: ClaimsRequest | undefined;
};
