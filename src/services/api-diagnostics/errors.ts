/** What can go wrong with diagnostics, beyond what can go wrong with any resource. */
import { defineErrors } from "#kernel/operation";

export const errors = defineErrors({
  validation: ["ValidationError", 400],
  /** Others refer to it. */
  inUse: ["ResourceInUse", 409],
});
