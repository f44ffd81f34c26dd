/** Tests of a model with many labelled utterances at once. */
import type { Utterance } from "./content.ts";

/** The public limit of one test. */
export const TEST_UTTERANCES_MAX = 1000;
/** Of one application; older ones are forgotten. */
export const TESTS_KEPT_MAX = 10;

export type TestUtterance = Pick<Utterance, "text" | "intent" | "labels">;
export type BatchTestStatus = "notstarted" | "running" | "succeeded" | "failed";

export type BatchTest = {
  readonly id: string;
  readonly application: string;
  readonly status: BatchTestStatus;
  /** The model that is tested. */
  readonly blob: string;
  readonly utterances: readonly TestUtterance[];
  /** The JSON of its result, when it has ended. */
  readonly result: string | undefined;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
};
