/** Errors of this service. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  badRequest: ["BadRequest", 400],
  notFound: ["NotFound", 404],
  quotaExceeded: ["QuotaExceeded", 429],
  tooManyLists: ["TooManyLists", 409],
});
