/** Spelling of the maker's API for requests and answers. */
import { defineMakersSpelling } from "#kernel/arn";
import { MAKERS, makersQuery, makersQueryKinds } from "./domain/index.ts";

export const makersSpelling = defineMakersSpelling({
  name: MAKERS,
  names: [
    "Arn",
    "Group",
    "GroupArn",
    "ResourceArn",
    "ResourceArns",
    "Succeeded",
    "ResourceType",
    // Members of filters and of configuration parameters.
    "Values",
  ],
  sentences: ["Message", "ErrorMessage", "FailureReason", "GroupLifecycleEventsStatusMessage"],
  values: {
    Type: makersQueryKinds,
    ErrorCode: {
      CLOUDFORMATION_STACK_INACTIVE: "STACK_INACTIVE",
      CLOUDFORMATION_STACK_NOT_EXISTING: "STACK_NOT_EXISTING",
      CLOUDFORMATION_STACK_UNASSUMABLE_ROLE: "STACK_UNASSUMABLE_ROLE",
    },
  },
  documents: { Query: makersQuery },
  verbatim: ["Tags"],
});
