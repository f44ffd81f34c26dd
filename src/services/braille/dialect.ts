/** Dialect of the original vendor. */
import { defineDialect } from "#kernel/dialects";

export const makersSpelling = defineDialect({
  name: "funtranslations",
  headers: { "x-funtranslations-api-secret": "x-vendor-api-secret" },
});
