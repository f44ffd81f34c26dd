/** Dialect of the original vendor. Only the name of the key header differs. */
import { defineDialect } from "#kernel/dialects";

export const makersSpelling = defineDialect({
  name: "microsoft",
  headers: { "ocp-apim-subscription-key": "vendor-subscription-key" },
});
