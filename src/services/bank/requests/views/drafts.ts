/** What is kept of drafts. */
import type { Rhythm } from "../../money/index.ts";
import type { Entry } from "./orders.ts";

export type DraftKept = {
  readonly entries: readonly Entry[];
  readonly acceptsNeeded: number;
  readonly creatorId: number;
  readonly said: readonly { readonly userId: number; readonly status: string }[];
  readonly rhythm?: Rhythm | undefined;
  readonly outcome?: { readonly paymentId?: number; readonly batchId?: number };
  readonly scheduleId?: number;
  /** What a service provider began. */
  readonly providedId?: number;
};
