/**
 * Limits on guessing and flooding, counted in the database on the kernel clock. An attempt is counted before its outcome
 * is known, so that concurrent attempts cannot exceed the limit.
 */
import { digestOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import * as store from "./store/attempts.ts";
import type { Tables } from "./tables.ts";

type Limit = {
  readonly kind: string;
  readonly countMax: number;
  readonly windowMs: number;
  readonly lockMs: number;
};
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const limits = {
  signInName: { kind: "sign-in-name", countMax: 5, windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS },
  signInAddress: { kind: "sign-in-address", countMax: 100, windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS },
  ownerName: { kind: "owner-name", countMax: 10, windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS },
  clientSecret: { kind: "client-secret", countMax: 30, windowMs: MINUTE_MS, lockMs: MINUTE_MS },
  clientAddress: { kind: "client-address", countMax: 600, windowMs: MINUTE_MS, lockMs: MINUTE_MS },
  signUpAddress: { kind: "sign-up-address", countMax: 100, windowMs: HOUR_MS, lockMs: HOUR_MS },
  mailName: { kind: "mail-name", countMax: 5, windowMs: HOUR_MS, lockMs: HOUR_MS },
  mailAddress: { kind: "mail-address", countMax: 50, windowMs: HOUR_MS, lockMs: HOUR_MS },
  passkeyAddress: {
    kind: "passkey-address",
    countMax: 200,
    windowMs: 15 * MINUTE_MS,
    lockMs: 15 * MINUTE_MS,
  },
} as const satisfies Record<string, Limit>;

/** How long a failure is remembered at the most. */
export const rememberedMs = ({ windowMs, lockMs }: Limit): number => Math.max(windowMs, lockMs);

const keyOf = (limit: Limit, about: string): string => `${limit.kind}:${digestOf(about)}`;

/** Milliseconds to wait when the limit is used up; undefined, and counted, otherwise. Needs a transaction. */
export async function countAttempt(
  { db, clock }: Pick<Context<Tables>, "db" | "clock">,
  limit: Limit,
  about: string,
): Promise<number | undefined> {
  const key = keyOf(limit, about);
  const nowMs = clock.nowMs();
  const row = await store.findAttempts(db, key);
  const running = row && row.window_ends_at > nowMs ? row : undefined;
  if (running && running.count >= limit.countMax) return running.window_ends_at - nowMs;
  const count = (running?.count ?? 0) + 1;
  const windowEndsAt =
    count >= limit.countMax ? nowMs + limit.lockMs : (running?.window_ends_at ?? nowMs + limit.windowMs);
  await store.putAttempts(db, { key, account: "", count, window_ends_at: windowEndsAt });
  return undefined;
}

/** The time to wait in milliseconds if the limit is reached. Counts nothing and needs no transaction. */
export async function findWaitMs(
  { db, clock }: Pick<Context<Tables>, "db" | "clock">,
  limit: Limit,
  about: string,
): Promise<number | undefined> {
  const row = await store.findAttempts(db, keyOf(limit, about));
  const waitMs = row && row.count >= limit.countMax ? row.window_ends_at - clock.nowMs() : 0;
  return waitMs > 0 ? waitMs : undefined;
}

/** The attempt was a good one after all. */
export async function uncountAttempt(
  { db }: Pick<Context<Tables>, "db">,
  limit: Limit,
  about: string,
): Promise<void> {
  const row = await store.findAttempts(db, keyOf(limit, about));
  if (row) await store.putAttempts(db, { ...row, count: Math.max(0, row.count - 1) });
}
export const forgetAttempts = async (
  { db }: Pick<Context<Tables>, "db">,
  limit: Limit,
  about: string,
): Promise<void> => {
  await store.deleteAttempts(db, keyOf(limit, about));
};

/** How long to wait, as programs read it. */
export const waitHeaders = (waitMs: number) => ({ "retry-after": String(Math.ceil(waitMs / 1000)) });
/** And as people do. */
export const inMinutes = (ms: number): string => {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
};
