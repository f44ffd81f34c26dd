/** Errors of the bank. Clients distinguish them by status; the messages are for people. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  badRequest: ["BadRequest", 400],
  notFound: ["NotFound", 404],
  signatureRequired: ["RequestSignatureRequired", 466],
});
