/** The maker's spelling. Its client libraries mark every request; without the mark, the members of a body tell. */
import { defineDialect } from "#kernel/dialects";
import { makersMembers } from "./wire.ts";

export const makersDialect = defineDialect({
  name: "makers",
  headers: { "amz-sdk-invocation-id": "x-invocation-id" },
  fields: makersMembers,
});
