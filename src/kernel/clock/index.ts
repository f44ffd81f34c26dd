/** Time, durations, identifiers. */
export { type ClockState, dateOf, httpDateOf, isoOf, parseInstant } from "./clock.ts";
export { parseDurationMs } from "./duration.ts";
