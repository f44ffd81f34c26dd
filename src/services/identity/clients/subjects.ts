/**
 * A client's names for a person and a session. A pairwise client has its own names for both, shared by the clients of
 * its sector. Applications of different sectors thus cannot compare their users. No lookup by such a name exists.
 */
import assert from "node:assert";
import { createHmac } from "node:crypto";
import type { Context } from "#kernel/operation";
import type { Client } from "./domain/client.ts";
import * as store from "./store.ts";
import type { Tables } from "./tables.ts";

const SALT_LENGTH = 48;

type Reader = Pick<Context<Tables>, "db">;

/** From an account's first pairwise client on, so that the names stay when that client goes. Needs a transaction. */
export async function ensureSalt({ db, account, ids }: Context<Tables>): Promise<void> {
  await store.insertSalt(db, { account, salt: ids.secret(SALT_LENGTH) });
}
async function saltOf({ db }: Reader, account: string): Promise<string> {
  const salt = await store.findSalt(db, account);
  assert(salt !== undefined, "whoever registers a pairwise client makes the salt");
  return salt;
}

export const isPairwise = ({ metadata }: Client): boolean => metadata.sector !== undefined;

async function nameFor(context: Reader, client: Client, kind: string, id: string): Promise<string> {
  const { account, metadata } = client;
  if (metadata.sector === undefined) return id;
  return createHmac("sha256", await saltOf(context, account))
    .update(`${kind}\0${metadata.sector}\0${id}`)
    .digest("base64url");
}
/** The `sub` claim. */
export const subjectFor = (context: Reader, client: Client, userId: string): Promise<string> =>
  nameFor(context, client, "person", userId);
/** The `sid` claim. */
export const sessionNameFor = (context: Reader, client: Client, sessionId: string): Promise<string> =>
  nameFor(context, client, "session", sessionId);
