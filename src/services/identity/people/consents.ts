/** Consents of people to share data with applications. */
import type { Context } from "#kernel/operation";
import * as store from "./store/consents.ts";
import type { Tables } from "./tables.ts";

type Db = Context<Tables>["db"];

const LISTED_MAX = 200;

/** Scopes that the person has agreed to share with the client; empty when none. */
export async function findConsent(db: Db, userId: string, clientId: string): Promise<readonly string[]> {
  const row = await store.findConsent(db, userId, clientId);
  return row ? JSON.parse(row.scopes) : [];
}

type Agreed = {
  readonly account: string;
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
};
/** Adds to earlier consents. Needs a transaction. */
export async function recordConsent(
  { db, clock }: Pick<Context<Tables>, "db" | "clock">,
  { account, userId, clientId, scopes }: Agreed,
): Promise<void> {
  const before = await findConsent(db, userId, clientId);
  const nowMs = clock.nowMs();
  await store.putConsent(db, {
    user_id: userId,
    client_id: clientId,
    account,
    scopes: JSON.stringify([...new Set([...before, ...scopes])]),
    granted_at: nowMs,
    updated_at: nowMs,
  });
}

/** A deleted client is forgotten. Needs a transaction. */
export async function forgetConsentsOfClient(db: Db, clientId: string): Promise<void> {
  await store.deleteConsentsOfClient(db, clientId);
}

export const listConsents = (db: Db, userId: string) => store.listConsents(db, userId, LISTED_MAX);
export const forgetConsent = (db: Db, userId: string, clientId: string) =>
  store.deleteConsent(db, userId, clientId);
