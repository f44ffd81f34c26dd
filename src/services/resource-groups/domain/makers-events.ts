/** The maker's spelling of queries and events. Events use the spelling of the request that turned them on. */
import { defineMakersSpelling } from "#kernel/arn";
import { makersQueryText, neutralQueryText } from "./query.ts";

export const MAKERS = "makers";
export const makersQuery = { neutral: neutralQueryText, makers: makersQueryText };
export const makersQueryKinds = { CLOUDFORMATION_STACK_1_0: "STACK_1_0" };

export const makersEvents = defineMakersSpelling({
  name: MAKERS,
  names: ["arn", "resources", "resource-type", "values"],
  values: { type: makersQueryKinds, source: { "aws.resource-groups": "vendor.resource-groups" } },
  documents: { query: makersQuery },
});
