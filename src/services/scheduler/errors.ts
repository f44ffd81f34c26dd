/** Errors of job collections and jobs. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  invalidJob: ["InvalidJob", 400],
  jobTooLarge: ["JobTooLarge", 400],
  invalidJobCollection: ["InvalidJobCollection", 400],
  invalidFilter: ["InvalidFilter", 400],
  invalidSkipToken: ["InvalidSkipToken", 400],
  jobQuotaExceeded: ["JobQuotaExceeded", 409],
  jobCollectionQuotaExceeded: ["JobCollectionQuotaExceeded", 409],
  jobIsFinished: ["JobIsFinished", 409],
  jobCollectionNotEnabled: ["JobCollectionNotEnabled", 409],
  tooManyRuns: ["TooManyRuns", 409],
});
