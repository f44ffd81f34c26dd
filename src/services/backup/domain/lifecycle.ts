/** Lifecycle of recovery points: days from creation until cold storage, and until deletion. */
import { errors } from "../errors.ts";

export type Lifecycle = {
  readonly moveToColdStorageAfterDays?: number | undefined;
  readonly deleteAfterDays?: number | undefined;
  readonly optInToArchive?: boolean | undefined;
};
export type CalculatedLifecycle = { readonly moveToColdStorageAtMs?: number; readonly deleteAtMs?: number };
/** The retention that a locked or air-gapped vault accepts. */
export type Retention = { readonly minDays?: number | undefined; readonly maxDays?: number | undefined };

export const DAY_MS = 86_400_000;
/** The least number of days in cold storage. */
const COLD_DAYS_MIN = 90;
/** A hundred years. */
const DAYS_MAX = 36_500;
/** Clients send this value for "never". */
const NEVER = -1;

const isGiven = (days: number | undefined): days is number => days !== undefined && days !== NEVER;

function checkDays(name: string, days: number | undefined, least: number): void {
  if (!isGiven(days) || (days >= least && days <= DAYS_MAX)) return;
  throw errors.invalidParameterValue(`${name} must lie between ${least} and ${DAYS_MAX}, or be -1: ${days}.`);
}

/** Refuses an impossible lifecycle. Returns it without members that mean "never". */
export function checkLifecycle(lifecycle: Lifecycle = {}): Lifecycle {
  const { moveToColdStorageAfterDays: cold, deleteAfterDays: end, optInToArchive } = lifecycle;
  checkDays("MoveToColdStorageAfterDays", cold, 0);
  checkDays("DeleteAfterDays", end, 1);
  if (isGiven(cold) && isGiven(end) && end < cold + COLD_DAYS_MIN)
    throw errors.invalidParameterValue(
      `DeleteAfterDays (${end}) must be at least ${COLD_DAYS_MIN} days after MoveToColdStorageAfterDays (${cold}).`,
    );
  return {
    ...(isGiven(cold) && { moveToColdStorageAfterDays: cold }),
    ...(isGiven(end) && { deleteAfterDays: end }),
    ...(optInToArchive !== undefined && { optInToArchive }),
  };
}

export const calculateLifecycle = (lifecycle: Lifecycle, createdAtMs: number): CalculatedLifecycle => ({
  ...(isGiven(lifecycle.moveToColdStorageAfterDays) && {
    moveToColdStorageAtMs: createdAtMs + lifecycle.moveToColdStorageAfterDays * DAY_MS,
  }),
  ...(isGiven(lifecycle.deleteAfterDays) && {
    deleteAtMs: createdAtMs + lifecycle.deleteAfterDays * DAY_MS,
  }),
});

/** Why a vault that keeps points for a time refuses this lifecycle; undefined when it takes it. */
export function findRetentionProblem(
  { deleteAfterDays: end }: Lifecycle,
  { minDays, maxDays }: Retention,
): string | undefined {
  if (maxDays !== undefined && (end === undefined || end > maxDays))
    return `The retention (${end ?? "unlimited"}) is longer than the vault allows: ${maxDays} days.`;
  if (minDays !== undefined && end !== undefined && end < minDays)
    return `The retention of ${end} days is shorter than the vault demands: ${minDays} days.`;
  return undefined;
}

const CONTINUOUS_DAYS_MAX = 35;
/** Continuous points are kept for at most 35 days, and never in cold storage. */
export function checkContinuous({ moveToColdStorageAfterDays: cold, deleteAfterDays: end }: Lifecycle): void {
  if (cold !== undefined)
    throw errors.invalidParameterValue("Continuous backups cannot be moved to cold storage.");
  if (end === undefined || end > CONTINUOUS_DAYS_MAX)
    throw errors.invalidParameterValue(
      `Continuous backups need DeleteAfterDays between 1 and ${CONTINUOUS_DAYS_MAX}.`,
    );
}
