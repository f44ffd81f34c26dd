/** States of jobs and collections, and their transitions. */

export const JOB_STATES = ["Enabled", "Disabled", "Faulted", "Completed"] as const;
export type JobState = (typeof JOB_STATES)[number];

export const COLLECTION_STATES = ["Enabled", "Disabled", "Suspended", "Deleted"] as const;
export type CollectionState = (typeof COLLECTION_STATES)[number];

export const EXECUTION_STATUSES = ["Completed", "Failed", "Postponed"] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** A finished job can only be read, deleted or redefined. */
export function isFinal(state: JobState): boolean {
  return state === "Completed" || state === "Faulted";
}

/** Jobs run only while their collection is enabled. */
export function mayRun(job: JobState, collection: CollectionState): boolean {
  return job === "Enabled" && collection === "Enabled";
}

export type StateChange =
  | {
      readonly state: JobState /** The job starts again with zero runs. */;
      readonly restarted: boolean;
    }
  | { readonly refusal: "setByServiceOnly" | "jobIsFinished" };

/**
 * The state after a request. `replace` is a complete definition and restarts a finished job. `merge`
 * changes parts and cannot restart it. Sending back the current state is always valid.
 */
export function changeState(
  current: JobState | undefined,
  requested: JobState | undefined,
  kind: "replace" | "merge",
): StateChange {
  if (requested !== undefined && isFinal(requested) && requested !== current)
    return { refusal: "setByServiceOnly" };
  if (current === undefined) return { state: requested ?? "Enabled", restarted: true };
  const wanted = requested ?? (kind === "replace" ? "Enabled" : current);
  if (!isFinal(current) || wanted === current) return { state: wanted, restarted: false };
  return kind === "replace" ? { state: wanted, restarted: true } : { refusal: "jobIsFinished" };
}

/** After the last occurrence, a job is completed, or faulted if that occurrence failed. */
export function stateAfterRun(
  current: JobState,
  { nextRunMs, faulted }: { readonly nextRunMs: number | undefined; readonly faulted: boolean },
): JobState {
  if (nextRunMs !== undefined) return current;
  return faulted ? "Faulted" : "Completed";
}
