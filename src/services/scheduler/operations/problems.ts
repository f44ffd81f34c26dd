/** Errors for exceeded quotas. */
import type { ErrorExtras, ServiceError } from "#kernel/operation";
import type { QuotaViolation } from "../domain/index.ts";

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
