/** The maker's spelling of requests and answers, and of events. */
import { defineMakersSpelling } from "#kernel/arn";
import { makersQueryText, neutralQueryText } from "./domain/index.ts";

const query = { neutral: neutralQueryText, makers: makersQueryText };
const queryKinds = { CLOUDFORMATION_STACK_1_0: "STACK_1_0" };

export const makersSpelling = defineMakersSpelling({
  name: "makers",
  names: [
    "Arn",
    "Group",
    "GroupArn",
    "ResourceArn",
    "ResourceArns",
    "Succeeded",
    "ResourceType",
    // Of filters, and of configuration parameters.
    "Values",
  ],
  sentences: ["Message", "ErrorMessage", "FailureReason", "GroupLifecycleEventsStatusMessage"],
  values: {
    Type: queryKinds,
    ErrorCode: {
      CLOUDFORMATION_STACK_INACTIVE: "STACK_INACTIVE",
      CLOUDFORMATION_STACK_NOT_EXISTING: "STACK_NOT_EXISTING",
      CLOUDFORMATION_STACK_UNASSUMABLE_ROLE: "STACK_UNASSUMABLE_ROLE",
    },
  },
  documents: { Query: query },
  verbatim: ["Tags"],
});

/** For events, which no request asks for: they are told in the words in which they were turned on. */
export const makersEvents = defineMakersSpelling({
  name: makersSpelling.name,
  names: ["arn", "resources", "resource-type", "values"],
  values: { type: queryKinds, source: { "aws.resource-groups": "vendor.resource-groups" } },
  documents: { query },
});
