/** Tasks of the worker threads. */
import type { VersionContent } from "../domain/content.ts";
import type { LongRegex } from "../recognition/findings.ts";
import type { FoundPrebuilt, PrebuiltsWanted } from "../recognition/prebuilts.ts";
import type { FoundEntity } from "../recognition/prediction.ts";

export type TrainTask = {
  readonly content: VersionContent;
  /** Shared memory: the worker writes into its only place how many percent of the work are done. */
  readonly progress: Int32Array;
};
export type TrainResult = { readonly bytes: Uint8Array };

export type FindTask = PrebuiltsWanted & {
  readonly text: string;
  readonly longRegexes: readonly LongRegex[];
};
export type FindResult = {
  readonly prebuilts: readonly FoundPrebuilt[];
  readonly longRegexes: readonly FoundEntity[];
};
