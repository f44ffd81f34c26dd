/** Rows of the protocol's half of this service. */
export type ClientRow = {
  client_id: string;
  account: string;
  /** Everything the owner said about the client, as the wire spells it. */
  metadata: string;
  secret_digest: string | null;
  /** The secret itself, encrypted: only for clients that asked for HS256, where it is the key. */
  secret_sealed: string | null;
  registration_digest: string;
  /** Until then somebody's wrong guesses at the secret may count; null where nobody has guessed. */
  guessed_until: number | null;
  created_at: number;
  updated_at: number;
};

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
  /** JSON of `ClaimsRequest`: what was asked for by name, as far as it was agreed to. */
  claims: string | null;
  code_digest: string | null;
  code_challenge: string | null;
  code_challenge_method: string | null;
  code_expires_at: number | null;
  code_used_at: number | null;
  created_at: number;
  /** When nothing that was issued under it can still be valid. */
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

/** An application that is told when a session ends. */
export type SessionClientRow = {
  session_id: string;
  client_id: string;
  account: string;
  user_id: string;
  /** Our address as the application knows it. */
  issuer: string;
  created_at: number;
};

/** What the names that an account's pairwise clients have for people are made with. */
export type PairwiseSaltRow = { account: string; salt: string };

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

export type ConnectTables = {
  identity_client: ClientRow;
  identity_grant: GrantRow;
  identity_interaction: InteractionRow;
  identity_pairwise_salt: PairwiseSaltRow;
  identity_revocation: RevocationRow;
  identity_session_client: SessionClientRow;
  identity_signing_key: SigningKeyRow;
};
