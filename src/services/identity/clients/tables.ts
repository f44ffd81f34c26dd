/** Rows of registered clients. */
export type ClientRow = {
  client_id: string;
  account: string;
  /** Everything the owner said about the client, as the wire spells it. */
  metadata: string;
  secret_digest: string | null;
  /** The encrypted secret. Only for clients with HS256, where the secret is the signing key. */
  secret_sealed: string | null;
  registration_digest: string;
  /** Until this time, wrong guesses at the secret may count; null without guesses. */
  guessed_until: number | null;
  created_at: number;
  updated_at: number;
};

/** The salt for the names that an account's pairwise clients have for people. */
export type PairwiseSaltRow = { account: string; salt: string };

export type Tables = {
  identity_client: ClientRow;
  identity_pairwise_salt: PairwiseSaltRow;
};
export const tables: readonly (keyof Tables)[] = ["identity_client", "identity_pairwise_salt"];
