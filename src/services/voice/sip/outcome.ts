/** Result of a call. */

export type CallResult = "answered-completed" | "busy" | "noAnswer" | "rejected" | "failed";

export type CallOutcome = {
  result: CallResult;
  /** Text for a log. */
  reason: string;
  /** The last status of the peer. */
  status?: number;
  endedBy: "us" | "peer";
  /** Times are relative to the start of the call. */
  ringingAfterMs?: number;
  answeredAfterMs?: number;
  endedAfterMs: number;
  /** Milliseconds of audio sent. */
  playedMs: number;
};

const RESULTS: ReadonlyMap<number, CallResult> = new Map<number, CallResult>([
  [486, "busy"],
  [600, "busy"],
  [408, "noAnswer"],
  [480, "noAnswer"],
  [487, "noAnswer"],
  [403, "rejected"],
  [433, "rejected"],
  [603, "rejected"],
  [607, "rejected"],
  [608, "rejected"],
]);

export function resultOfStatus(status: number): CallResult {
  return RESULTS.get(status) ?? "failed";
}
