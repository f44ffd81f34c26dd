/** The maker's spelling, as a table. */
import { defineDialect } from "#kernel/dialects";

export const makersDialect = defineDialect({
  name: "makers",
  headers: { "x-maker-api-key": "x-vendor-api-key" },
  fields: { color: "colour" },
});
