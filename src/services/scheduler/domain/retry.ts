/** The retry policy of an action: its limits, its defaults, and what follows an attempt. */
import { dayMs } from "./calendar.ts";
import { findDurationMs } from "./iso-time.ts";
import { findWord, isGiven, isObject, type Problem, type Reading } from "./problems.ts";

export const RETRY_TYPES = ["None", "Fixed"] as const;
export type RetryType = (typeof RETRY_TYPES)[number];

export type RetryPolicy =
  | { readonly retryType: "None" }
  | { readonly retryType: "Fixed"; readonly retryIntervalMs: number; readonly retryCount: number };

/** Eighteen months, as the longest daily interval counts them. */
export const retryLimits = {
  retryIntervalMsMin: 15_000,
  retryIntervalMsMax: 548 * dayMs,
  retryCountMin: 1,
  retryCountMax: 20,
} as const;

/** An action that says nothing is tried four times more, half a minute apart. */
export const defaultRetryPolicy = { retryType: "Fixed", retryIntervalMs: 30_000, retryCount: 4 } as const;

function readRetryInterval(value: unknown, root: string, problems: Problem[]): number {
  if (!isGiven(value)) return defaultRetryPolicy.retryIntervalMs;
  const intervalMs = typeof value === "string" ? findDurationMs(value) : undefined;
  const { retryIntervalMsMin, retryIntervalMsMax } = retryLimits;
  if (intervalMs !== undefined && intervalMs >= retryIntervalMsMin && intervalMs <= retryIntervalMsMax)
    return intervalMs;
  const path = `${root}.retryInterval`;
  problems.push({ path, message: `${path} must be an ISO 8601 duration from PT15S to P548D, such as PT1M.` });
  return defaultRetryPolicy.retryIntervalMs;
}

function readRetryCount(value: unknown, root: string, problems: Problem[]): number {
  if (!isGiven(value)) return defaultRetryPolicy.retryCount;
  const { retryCountMin, retryCountMax } = retryLimits;
  const whole = typeof value === "number" && Number.isInteger(value);
  if (whole && value >= retryCountMin && value <= retryCountMax) return value;
  const path = `${root}.retryCount`;
  problems.push({
    path,
    message: `${path} must be a whole number from ${retryCountMin} to ${retryCountMax}.`,
  });
  return defaultRetryPolicy.retryCount;
}

/** `root` is where the policy stands, such as `action.retryPolicy`. */
export function readRetryPolicy(value: unknown, root = "action.retryPolicy"): Reading<RetryPolicy> {
  if (!isGiven(value)) return { problems: [], value: defaultRetryPolicy };
  if (!isObject(value)) return { problems: [{ path: root, message: `${root} must be an object.` }] };
  const problems: Problem[] = [];
  const retryType = isGiven(value.retryType) ? findWord(RETRY_TYPES, value.retryType) : "Fixed";
  if (retryType === undefined) {
    const path = `${root}.retryType`;
    problems.push({ path, message: `${path} must be one of ${RETRY_TYPES.join(", ")}.` });
  }
  const retryIntervalMs = readRetryInterval(value.retryInterval, root, problems);
  const retryCount = readRetryCount(value.retryCount, root, problems);
  if (problems.length > 0) return { problems };
  const policy: RetryPolicy =
    retryType === "None" ? { retryType } : { retryType: "Fixed", retryIntervalMs, retryCount };
  return { problems, value: policy };
}

export type AttemptOutcome =
  | { readonly next: "done" }
  | { readonly next: "retry"; readonly retryAtMs: number; readonly retryCount: number }
  /** The occurrence is faulted: the error action runs, if there is one. */
  | { readonly next: "faulted" };

export type Attempt = {
  readonly succeeded: boolean;
  /** 0 for the first attempt of an occurrence, then the number of the retry. */
  readonly retryCount: number;
  readonly endedAtMs: number;
};

/** An error action follows its own policy, or the main action's when it has none. */
export function outcomeOf(attempt: Attempt, policy: RetryPolicy): AttemptOutcome {
  if (attempt.succeeded) return { next: "done" };
  if (policy.retryType === "None" || attempt.retryCount >= policy.retryCount) return { next: "faulted" };
  const retryAtMs = attempt.endedAtMs + policy.retryIntervalMs;
  return { next: "retry", retryAtMs, retryCount: attempt.retryCount + 1 };
}
