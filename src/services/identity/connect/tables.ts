/** Rows for grants of clients, and for pending requests. */
import type { ClientTables } from "../clients/index.ts";
import type { PeopleTables } from "../people/index.ts";

/** One authorization by a person: its code (when there is one) and the tokens that came of it. */
export type GrantRow = {
  id: string;
  account: string;
  client_id: string;
  user_id: string;
  session_id: string;
  scopes: string;
  auth_time: number;
  methods: string;
  redirect_uri: string;
  nonce: string | null;
  /** JSON of `ClaimsRequest`: the claims requested by name that the person agreed to. */
  claims: string | null;
  code_digest: string | null;
  code_challenge: string | null;
  code_challenge_method: string | null;
  code_expires_at: number | null;
  code_used_at: number | null;
  created_at: number;
  /** The time after which everything issued under it has expired. */
  expires_at: number;
};

export type InteractionRow = {
  id: string;
  account: string;
  client_id: string | null;
  kind: "authorize" | "logout";
  /** The request as JSON: AuthorizationRequest or LogoutRequest. */
  request: string;
  step: string;
  must_reauthenticate: number;
  agent_digest: string;
  signed_in_session: string | null;
  chosen_session: string | null;
  /** JSON of `Agreement`. */
  agreement: string | null;
  denied: number;
  created_at: number;
  expires_at: number;
};

/** An application to notify when a session ends. */
export type SessionClientRow = {
  session_id: string;
  client_id: string;
  account: string;
  user_id: string;
  /** The issuer address that the application knows. */
  issuer: string;
  created_at: number;
};

/** `subject`: `grant:…` or `token:…`. */
export type RevocationRow = { subject: string; account: string; revoked_at: number; expires_at: number };

/** Belongs to the installation, not to an account: it is neither exported nor reset. */
export type SigningKeyRow = {
  kid: string;
  account: string;
  alg: string;
  generation: number;
  public_jwk: string;
  private_sealed: string;
  created_at: number;
  active_from: number;
  retire_at: number | null;
};

/** `connect` also uses the tables of the rooms below. */
export type Tables = ClientTables &
  PeopleTables & {
    identity_grant: GrantRow;
    identity_interaction: InteractionRow;
    identity_revocation: RevocationRow;
    identity_session_client: SessionClientRow;
    identity_signing_key: SigningKeyRow;
  };
/** Signing keys are the installation's, like its secret key: they are neither exported nor reset. */
export const tables: readonly (keyof Tables)[] = [
  "identity_grant",
  "identity_interaction",
  "identity_revocation",
  "identity_session_client",
];
