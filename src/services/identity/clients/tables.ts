/** Rows of registered clients. */
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

/** What the names that an account's pairwise clients have for people are made with. */
export type PairwiseSaltRow = { account: string; salt: string };

export type Tables = {
  identity_client: ClientRow;
  identity_pairwise_salt: PairwiseSaltRow;
};
export const tables: readonly (keyof Tables)[] = ["identity_client", "identity_pairwise_salt"];
