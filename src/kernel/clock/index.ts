/** Time, durations, identifiers. */
export { Clock, type ClockState, dateOf, httpDateOf, isoOf, parseInstant } from "./clock.ts";
export { parseDurationMs } from "./duration.ts";
