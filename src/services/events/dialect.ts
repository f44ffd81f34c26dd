/** Spelling of the maker's API: ARNs begin with `arn:aws:`. */
import { defineMakersSpelling } from "#kernel/arn";

export const makersSpelling = defineMakersSpelling({
  name: "makers",
  names: [
    "arn",
    "roleArn",
    "targetArn",
    "functionArn",
    "resourceArn",
    "inputArn",
    "detectorModelArn",
    "alarmModelArn",
  ],
  sentences: ["message", "errorMessage", "statusMessage"],
  verbatim: ["tags"],
});
