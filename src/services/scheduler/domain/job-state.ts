/** The states of jobs and of their collections, and how they change. */

export const JOB_STATES = ["Enabled", "Disabled", "Faulted", "Completed"] as const;
export type JobState = (typeof JOB_STATES)[number];

export const COLLECTION_STATES = ["Enabled", "Disabled", "Suspended", "Deleted"] as const;
export type CollectionState = (typeof COLLECTION_STATES)[number];

export const EXECUTION_STATUSES = ["Completed", "Failed", "Postponed"] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** A finished job stays what it is; it can be read, deleted, or defined anew. */
export function isFinal(state: JobState): boolean {
  return state === "Completed" || state === "Faulted";
}

/** Jobs rest while their collection is anything but enabled. */
export function mayRun(job: JobState, collection: CollectionState): boolean {
  return job === "Enabled" && collection === "Enabled";
}

export type StateChange =
  | {
      readonly state: JobState /** The job begins again with no runs counted. */;
      readonly restarted: boolean;
    }
  | { readonly refusal: "setByServiceOnly" | "jobIsFinished" };

/**
 * What a caller's request makes of a job's state. `replace` is a whole new definition, which sets a finished job going
 * again; `merge` changes parts of the job and can't. Sending back the state that was read is always fine.
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

/** After the last occurrence a job is completed, or faulted when that occurrence was. */
export function stateAfterRun(
  current: JobState,
  { nextRunMs, faulted }: { readonly nextRunMs: number | undefined; readonly faulted: boolean },
): JobState {
  if (nextRunMs !== undefined) return current;
  return faulted ? "Faulted" : "Completed";
}
