/** Snapshots: how long they last, and how accounts are named in their scope. */
import { errors } from "../errors.ts";

export const SNAPSHOT_LASTS_MS = 48 * 3_600_000;
/** Of one account at a time. */
export const SNAPSHOTS_MAX = 1000;

/** Scopes name accounts by UUIDs; the last group of an account's is the account's own number. */
const SUBSCRIPTION = "00000000-0000-0000-0000-";
export const subscriptionOf = (account: string): string => SUBSCRIPTION + account;
/** UUIDs that stand for no account here may be named, and give nobody anything. */
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

/** Of a copy under way: all of it is there only when its operation has succeeded. */
export const percentOf = (copied: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(99, Math.floor((100 * copied) / whole));
