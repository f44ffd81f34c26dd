/** What can go wrong. Callers tell errors by their status: the body has words for people. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  badRequest: ["BadRequest", 400],
  notFound: ["NotFound", 404],
  signatureRequired: ["RequestSignatureRequired", 466],
});
