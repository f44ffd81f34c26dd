/** A registered client, as the rest of the service sees it. */

import { timingSafeEqual } from "node:crypto";
import { digestOf } from "#kernel/auth";
import { makeRoom } from "#kernel/memory";
import type { Context } from "#kernel/operation";
import type { Client } from "./domain/client.ts";
import type { ClientMetadata } from "./domain/metadata.ts";
import { findClientRow, updateClientRow } from "./store.ts";
import type { ClientRow } from "./tables.ts";

/** The text is read from the database every time, but parsed only if it has changed. */
const parsed = new Map<string, { readonly text: string; readonly metadata: ClientMetadata }>();
const PARSED_KEPT_MAX = 2000;
function metadataOf({ client_id: clientId, metadata: text }: ClientRow): ClientMetadata {
  const known = parsed.get(clientId);
  if (known?.text === text) return known.metadata;
  const metadata: ClientMetadata = JSON.parse(text);
  makeRoom(parsed, PARSED_KEPT_MAX);
  parsed.set(clientId, { text, metadata });
  return metadata;
}

export const clientOf = (row: ClientRow): Client => ({
  clientId: row.client_id,
  account: row.account,
  metadata: metadataOf(row),
  secretDigest: row.secret_digest ?? undefined,
  secretSealed: row.secret_sealed ?? undefined,
  guessedUntilMs: row.guessed_until ?? 0,
  createdAtMs: row.created_at,
});

export async function findClient(db: Context["db"], clientId: string): Promise<Client | undefined> {
  const row = await findClientRow(db, clientId);
  return row && clientOf(row);
}

/** For other services of the account. */
export async function findClientName(
  { db, account }: Context,
  clientId: string,
): Promise<string | undefined> {
  const client = await findClient(db, clientId);
  return client?.account === account ? client.metadata.name : undefined;
}

const NO_SECRET = digestOf("no such client");

/** Takes the same time whether the client exists, has a secret, or has another one. */
export function isSecretOf(client: Client | undefined, secret: string): boolean {
  const kept = client?.secretDigest;
  const same = timingSafeEqual(Buffer.from(digestOf(secret)), Buffer.from(kept ?? NO_SECRET));
  return same && kept !== undefined;
}

/** Until this time, a caller with the right secret is also checked for earlier wrong guesses. */
export const noteGuesses = (db: Context["db"], clientId: string, untilMs: number): Promise<void> =>
  updateClientRow(db, clientId, { guessed_until: untilMs });
