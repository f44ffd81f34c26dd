/** The maker's spelling: the header of the key is all that differs. */
import { defineDialect } from "#kernel/dialects";

export const makersSpelling = defineDialect({
  name: "microsoft",
  headers: { "ocp-apim-subscription-key": "vendor-subscription-key" },
});
