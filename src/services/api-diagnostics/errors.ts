/** Errors of diagnostics beyond the common errors of resources. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  validation: ["ValidationError", 400],
  /** Other resources refer to this one. */
  inUse: ["ResourceInUse", 409],
});
