/** An account as the list of credentials tells of it. */
import type { Answers } from "../../generated/operations.ts";

export type Account = Answers["medley.credentials.list"]["accounts"][number];
export type Policy = {
  readonly effect: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
};
