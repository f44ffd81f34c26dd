/** State machine of a call: event order, the course of a simulated call, and event records. */

export const EVENT_TYPES = [
  "INITIATED_CALL",
  "RINGING",
  "ANSWERED",
  "COMPLETED_CALL",
  "BUSY",
  "FAILED",
  "NO_ANSWER",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
/** A call is queued until it is placed. After that, its state is its last event. */
export type CallState = "QUEUED" | EventType;

const FOLLOWERS: Readonly<Record<CallState, readonly EventType[]>> = {
  QUEUED: ["INITIATED_CALL", "FAILED"],
  INITIATED_CALL: ["RINGING", "ANSWERED", "BUSY", "FAILED", "NO_ANSWER"],
  RINGING: ["ANSWERED", "BUSY", "FAILED", "NO_ANSWER"],
  ANSWERED: ["COMPLETED_CALL", "FAILED"],
  COMPLETED_CALL: [],
  BUSY: [],
  FAILED: [],
  NO_ANSWER: [],
};
export const canFollow = (state: CallState, event: EventType): boolean => FOLLOWERS[state].includes(event);
export const isFinal = (state: CallState): boolean => FOLLOWERS[state].length === 0;

/** Default caller number, from a range reserved for fiction. */
export const ORIGINATION_DEFAULT = "+12065550100";
/** Test numbers with other results. Without a carrier, all other numbers answer. */
const TEST_NUMBERS: Readonly<Record<string, EventType>> = {
  "+12065550120": "BUSY",
  "+12065550121": "NO_ANSWER",
  "+12065550122": "FAILED",
};

const DIAL_MS = 1000;
const RING_MS = 4000;
/** Ring time before the call is given up. */
export const RING_MS_MAX = 30_000;

export type NextStep = { readonly event: EventType; readonly afterMs: number };

/** Next step of a simulated call. Undefined after its end. */
export function nextStep(
  state: CallState,
  call: { readonly destination: string; readonly durationMs: number },
): NextStep | undefined {
  const fate = TEST_NUMBERS[call.destination];
  if (state === "INITIATED_CALL") {
    const isRefused = fate === "BUSY" || fate === "FAILED";
    return { event: isRefused ? fate : "RINGING", afterMs: DIAL_MS };
  }
  if (state === "RINGING")
    return fate === "NO_ANSWER"
      ? { event: "NO_ANSWER", afterMs: RING_MS_MAX }
      : { event: "ANSWERED", afterMs: RING_MS };
  return state === "ANSWERED" ? { event: "COMPLETED_CALL", afterMs: call.durationMs } : undefined;
}

export const reasonOfSimulated: Partial<Record<EventType, string>> = {
  COMPLETED_CALL: "The message was played.",
  BUSY: "The line is busy.",
  NO_ANSWER: "Nobody answered.",
  FAILED: "The number cannot be reached.",
};

export type CallFacts = {
  readonly messageId: string;
  readonly origination: string;
  readonly callerId: string | null;
  readonly destination: string;
  readonly country: string | null;
  readonly configurationSet: string | null;
  readonly requestedAtMs: number;
  readonly answeredAtMs: number | null;
};
export type Happening = { readonly event: EventType; readonly atMs: number; readonly reason?: string };

const SECONDS_PER_MINUTE = 60;

/** Event record for destinations. Times are epoch milliseconds. Minutes are rounded up. */
export function eventRecord(call: CallFacts, { event, atMs, reason }: Happening): Record<string, unknown> {
  const seconds =
    event === "COMPLETED_CALL" && call.answeredAtMs !== null
      ? Math.ceil((atMs - call.answeredAtMs) / 1000)
      : undefined;
  return {
    eventType: event,
    eventVersion: "1.0",
    eventTimestamp: atMs,
    isFinal: isFinal(event),
    originationPhoneNumber: call.origination,
    ...(call.callerId !== null && { callerId: call.callerId }),
    destinationPhoneNumber: call.destination,
    ...(call.country !== null && { isoCountryCode: call.country }),
    messageId: call.messageId,
    messageRequestTimestamp: call.requestedAtMs,
    ...(call.configurationSet !== null && { configurationSetName: call.configurationSet }),
    ...(seconds !== undefined && {
      callDurationInSeconds: seconds,
      totalDurationInMinutes: Math.ceil(seconds / SECONDS_PER_MINUTE),
    }),
    ...(reason !== undefined && { messageStatusDescription: reason }),
  };
}
