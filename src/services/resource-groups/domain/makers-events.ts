/** The maker's spelling of queries, and of events, which no request asks for: they are told in the words in which they were turned on. */
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
