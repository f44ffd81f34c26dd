/** Time, durations, identifiers. */
export { Clock, type ClockState, httpDateOf, isoOf, parseInstant } from "./clock.ts";
export { parseDurationMs } from "./duration.ts";
