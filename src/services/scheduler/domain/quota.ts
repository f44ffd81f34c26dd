/** Plans of collections, lower quotas of a collection, and checks of jobs against them. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./calendar.ts";
import { shortestGapMs } from "./occurrences.ts";
import type { Frequency, Recurrence } from "./recurrence.ts";

export const PLANS = ["Free", "Standard", "P10Premium", "P20Premium"] as const;
export type CollectionPlan = (typeof PLANS)[number];

export type MaxRecurrence = {
  readonly frequency: Frequency;
  readonly interval: number;
};

export type CollectionQuota = {
  readonly maxJobCount?: number;
  /** Maximum total runs of one job. */
  readonly maxJobOccurrence?: number;
  /** Highest allowed frequency of a job. */
  readonly maxRecurrence?: MaxRecurrence;
};

export type PlanLimits = {
  readonly jobsMax: number;
  readonly collectionsPerSubscriptionMax: number;
  readonly maxRecurrence: MaxRecurrence;
  /** Whether HTTP actions can have credentials. */
  readonly authentication: boolean;
};

const everyMinute = { frequency: "Minute", interval: 1 } as const;

export const planLimits: Readonly<Record<CollectionPlan, PlanLimits>> = {
  Free: {
    jobsMax: 5,
    collectionsPerSubscriptionMax: 1,
    maxRecurrence: { frequency: "Hour", interval: 1 },
    authentication: false,
  },
  Standard: {
    jobsMax: 50,
    collectionsPerSubscriptionMax: 100,
    maxRecurrence: everyMinute,
    authentication: true,
  },
  P10Premium: {
    jobsMax: 50,
    collectionsPerSubscriptionMax: 10_000,
    maxRecurrence: everyMinute,
    authentication: true,
  },
  P20Premium: {
    jobsMax: 1_000,
    collectionsPerSubscriptionMax: 10_000,
    maxRecurrence: everyMinute,
    authentication: true,
  },
};

/** A month has its shortest length, so that every monthly job fits a monthly quota. */
const unitMs: Readonly<Record<Frequency, number>> = {
  Minute: MINUTE_MS,
  Hour: HOUR_MS,
  Day: DAY_MS,
  Week: 7 * DAY_MS,
  Month: 28 * DAY_MS,
};

function gapMsOf({ frequency, interval }: MaxRecurrence): number {
  return interval * unitMs[frequency];
}

/** A quota can only be stricter than its plan. */
export const isMoreFrequentThanPlan = (plan: CollectionPlan, maxRecurrence: MaxRecurrence): boolean =>
  gapMsOf(maxRecurrence) < gapMsOf(planLimits[plan].maxRecurrence);

/** The quota, with limits of the plan as defaults. */
export function effectiveQuota(
  plan: CollectionPlan,
  quota: CollectionQuota = {},
): CollectionQuota & {
  readonly maxJobCount: number;
  readonly maxRecurrence: MaxRecurrence;
} {
  const { jobsMax, maxRecurrence } = planLimits[plan];
  return {
    ...quota,
    maxJobCount: quota.maxJobCount ?? jobsMax,
    maxRecurrence: quota.maxRecurrence ?? maxRecurrence,
  };
}

export type QuotaJob = {
  readonly startTimeMs: number;
  readonly recurrence?: Recurrence;
  readonly authenticates: boolean;
};

export type QuotaViolation =
  | "tooManyJobs"
  | "tooFrequent"
  | "tooManyOccurrences"
  | "authenticationNotInPlan"
  | "tooManyCollections";

function violationsOfJob(
  plan: CollectionPlan,
  quota: CollectionQuota,
  job: QuotaJob,
): readonly QuotaViolation[] {
  const violations: QuotaViolation[] = [];
  const { maxRecurrence, maxJobOccurrence } = effectiveQuota(plan, quota);
  const { recurrence } = job;
  if (recurrence !== undefined && shortestGapMs(recurrence, job.startTimeMs) < gapMsOf(maxRecurrence)) {
    violations.push("tooFrequent");
  }
  if (maxJobOccurrence !== undefined && (recurrence?.count ?? 0) > maxJobOccurrence) {
    violations.push("tooManyOccurrences");
  }
  if (job.authenticates && !planLimits[plan].authentication) violations.push("authenticationNotInPlan");
  return violations;
}

/** Reasons why a job cannot be added to a collection. `jobCount` includes the job. */
export function violationsOf(
  plan: CollectionPlan,
  quota: CollectionQuota,
  job: QuotaJob,
  jobCount: number,
): readonly QuotaViolation[] {
  const full = jobCount > effectiveQuota(plan, quota).maxJobCount;
  return [...(full ? ["tooManyJobs" as const] : []), ...violationsOfJob(plan, quota, job)];
}

/**
 * Reasons why a collection with these jobs cannot change to a plan. `collectionCount` includes the
 * collection.
 */
export function obstaclesToPlan(
  plan: CollectionPlan,
  quota: CollectionQuota,
  jobs: readonly QuotaJob[],
  collectionCount: number,
): readonly QuotaViolation[] {
  const obstacles = new Set<QuotaViolation>(jobs.flatMap((job) => violationsOfJob(plan, quota, job)));
  if (jobs.length > effectiveQuota(plan, quota).maxJobCount) obstacles.add("tooManyJobs");
  if (collectionCount > planLimits[plan].collectionsPerSubscriptionMax) obstacles.add("tooManyCollections");
  return [...obstacles];
}

/** The collection's limit of runs also applies to a recurrence without a count. */
export function withinQuota(recurrence: Recurrence, { maxJobOccurrence }: CollectionQuota): Recurrence {
  if (maxJobOccurrence === undefined) return recurrence;
  return { ...recurrence, count: Math.min(recurrence.count ?? maxJobOccurrence, maxJobOccurrence) };
}
