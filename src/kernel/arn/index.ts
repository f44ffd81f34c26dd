/** Names of resources, in every spelling. */
export { type Arn, arnOf, makersName, makersNamesIn, neutralName, parseArn, parseOwnArn } from "./arn.ts";
export { defineMakersSpelling, isMakersClient, type MakersSpelling } from "./makers-spelling.ts";
export { matchesPattern } from "./wildcards.ts";
