/** Turns what the reading rules found into the error that callers get. */
import type { ErrorExtras, ServiceError } from "#kernel/operation";
import type { Problem, QuotaViolation } from "../domain/index.ts";

const PROBLEMS_NAMED_MAX = 10;

export function refusalOf(
  problems: readonly Problem[],
  make: (message: string, extras: ErrorExtras) => ServiceError,
): ServiceError {
  const details = problems
    .slice(0, PROBLEMS_NAMED_MAX)
    .map(({ path, message }) => ({ message, target: `properties.${path}` }));
  return make(details.map(({ message }) => message).join(" "), {
    ...(details[0] && { target: details[0].target }),
    details,
  });
}

const violationTexts: Readonly<Record<QuotaViolation, string>> = {
  tooManyJobs: "The collection has no room for so many jobs.",
  tooFrequent: "A job comes due more often than the collection's quota allows.",
  tooManyOccurrences: "A job's recurrence count is larger than the collection's quota allows.",
  authenticationNotInPlan: "The collection's plan does not allow HTTP actions with authentication.",
  tooManyCollections: "The subscription has as many collections of this plan as the plan allows.",
};

export function quotaRefusalOf(
  violations: readonly QuotaViolation[],
  make: (message: string, extras: ErrorExtras) => ServiceError,
): ServiceError {
  const details = violations.map((code) => ({ code, message: violationTexts[code] }));
  return make(details.map(({ message }) => message).join(" "), { details });
}
