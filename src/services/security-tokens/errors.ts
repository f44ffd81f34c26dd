/** What can go wrong. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  missingAction: ["MissingAction", 400],
  invalidAction: ["InvalidAction", 400],
  malformedPolicy: ["MalformedPolicyDocument", 400],
  validation: ["ValidationError", 400],
  throttled: ["Throttling", 429],
  noSuchRole: ["NoSuchEntity", 404],
  limitExceeded: ["LimitExceeded", 409],
});
