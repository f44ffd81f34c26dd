/** The plans of job collections, the quotas a collection may set below its plan, and the jobs that fit them. */
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
  /** How often any one job may run in all. */
  readonly maxJobOccurrence?: number;
  /** No job may come due more often than this. */
  readonly maxRecurrence?: MaxRecurrence;
};

export type PlanLimits = {
  readonly jobsMax: number;
  readonly collectionsPerSubscriptionMax: number;
  readonly maxRecurrence: MaxRecurrence;
  /** Whether HTTP actions may carry credentials. */
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

/** A month counts as its shortest, so that every monthly job fits a monthly quota. */
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

/** A quota may tighten its plan's limits and not loosen them. */
export const isMoreFrequentThanPlan = (plan: CollectionPlan, maxRecurrence: MaxRecurrence): boolean =>
  gapMsOf(maxRecurrence) < gapMsOf(planLimits[plan].maxRecurrence);

/** What the plan says wherever the quota is silent. */
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

/** Why a job can't be put into a collection that would then hold `jobCount` jobs. */
export function violationsOf(
  plan: CollectionPlan,
  quota: CollectionQuota,
  job: QuotaJob,
  jobCount: number,
): readonly QuotaViolation[] {
  const full = jobCount > effectiveQuota(plan, quota).maxJobCount;
  return [...(full ? ["tooManyJobs" as const] : []), ...violationsOfJob(plan, quota, job)];
}

/** Why a collection that holds these jobs can't take on a plan and quota; `collectionCount` counts it as one of the plan. */
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

/** A recurrence without count ends after as many runs as its collection allows any one job. */
export function withinQuota(recurrence: Recurrence, { maxJobOccurrence }: CollectionQuota): Recurrence {
  if (maxJobOccurrence === undefined) return recurrence;
  return { ...recurrence, count: Math.min(recurrence.count ?? maxJobOccurrence, maxJobOccurrence) };
}
