/** How a call ended. */

export type CallResult = "answered-completed" | "busy" | "noAnswer" | "rejected" | "failed";

export type CallOutcome = {
  result: CallResult;
  /** In words, for a log. */
  reason: string;
  /** The last status that the peer gave to the call. */
  status?: number;
  endedBy: "us" | "peer";
  /** Times count from when the call was begun. */
  ringingAfterMs?: number;
  answeredAfterMs?: number;
  endedAfterMs: number;
  /** How much of the message was sent. */
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
