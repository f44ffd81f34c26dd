/** What people have agreed to share with which application. */
import type { FindConsent, ForgetConsentsOfClient, RecordConsent } from "../seam.ts";
import * as store from "./store/consents.ts";

const LISTED_MAX = 200;

export const findConsent: FindConsent = async (db, userId, clientId) => {
  const row = await store.findConsent(db, userId, clientId);
  return row ? JSON.parse(row.scopes) : [];
};

export const recordConsent: RecordConsent = async ({ db, clock }, { account, userId, clientId, scopes }) => {
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
};

export const forgetConsentsOfClient: ForgetConsentsOfClient = async ({ db }, clientId) => {
  await store.deleteConsentsOfClient(db, clientId);
};

export const listConsents = (db: Parameters<FindConsent>[0], userId: string) =>
  store.listConsents(db, userId, LISTED_MAX);
export const forgetConsent = (db: Parameters<FindConsent>[0], userId: string, clientId: string) =>
  store.deleteConsent(db, userId, clientId);
