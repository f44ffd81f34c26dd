/** Retry policy of an action: limits, defaults, and the result of an attempt. */
import type { RetryPolicyText } from "./action.ts";
import { DAY_MS } from "./calendar.ts";
import { findDurationMs } from "./iso-time.ts";

export const RETRY_TYPES = ["None", "Fixed"] as const;
export type RetryType = (typeof RETRY_TYPES)[number];

export type RetryPolicy =
  | { readonly retryType: "None" }
  | { readonly retryType: "Fixed"; readonly retryIntervalMs: number; readonly retryCount: number };

/** The longest interval is 18 months, the same as the longest daily interval. */
export const retryLimits = {
  retryIntervalMsMin: 15_000,
  retryIntervalMsMax: 548 * DAY_MS,
  retryCountMin: 1,
  retryCountMax: 20,
} as const;

/** Default: four retries at intervals of thirty seconds. */
export const defaultRetryPolicy = { retryType: "Fixed", retryIntervalMs: 30_000, retryCount: 4 } as const;

/** Stored text is valid. Omitted members use the default. */
export function retryPolicyFrom(text: RetryPolicyText | undefined): RetryPolicy {
  if (text?.retryType === "None") return { retryType: "None" };
  const { retryIntervalMs, retryCount } = defaultRetryPolicy;
  return {
    retryType: "Fixed",
    retryIntervalMs: findDurationMs(text?.retryInterval ?? "") ?? retryIntervalMs,
    retryCount: text?.retryCount ?? retryCount,
  };
}

export type AttemptOutcome =
  | { readonly next: "done" }
  | { readonly next: "retry"; readonly retryAtMs: number; readonly retryCount: number }
  /** All attempts failed. The error action runs next, if there is one. */
  | { readonly next: "faulted" };

export type Attempt = {
  readonly succeeded: boolean;
  /** 0 for the first attempt of an occurrence, then the number of the retry. */
  readonly retryCount: number;
  readonly endedAtMs: number;
};

/** An error action without a policy uses the main action's policy. */
export function outcomeOf(attempt: Attempt, policy: RetryPolicy): AttemptOutcome {
  if (attempt.succeeded) return { next: "done" };
  if (policy.retryType === "None" || attempt.retryCount >= policy.retryCount) return { next: "faulted" };
  const retryAtMs = attempt.endedAtMs + policy.retryIntervalMs;
  return { next: "retry", retryAtMs, retryCount: attempt.retryCount + 1 };
}
