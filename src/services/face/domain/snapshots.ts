/** Snapshots: lifetime, and account IDs in their scope. */
import { errors } from "../errors.ts";

export const SNAPSHOT_LASTS_MS = 48 * 3_600_000;
/** Limit for one account. */
export const SNAPSHOTS_MAX = 1000;

/** Scopes identify accounts by UUIDs. The last group of the UUID is the account number. */
const SUBSCRIPTION = "00000000-0000-0000-0000-";
export const subscriptionOf = (account: string): string => SUBSCRIPTION + account;
/** UUIDs without an account are allowed, and grant nothing. */
export function accountsOf(applyScope: readonly string[]): string[] {
  const accounts = applyScope
    .filter((id) => id.startsWith(SUBSCRIPTION))
    .map((id) => id.slice(SUBSCRIPTION.length));
  return [...new Set(accounts)];
}

export function requireRoomForSnapshot(count: number): void {
  if (count >= SNAPSHOTS_MAX)
    throw errors.quotaExceeded(`An account has ${SNAPSHOTS_MAX} snapshots at the most.`);
}

/** Progress of a running copy. It reaches 100 only when the operation succeeds. */
export const percentOf = (copied: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(99, Math.floor((100 * copied) / whole));
