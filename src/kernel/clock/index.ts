/** Time, durations, identifiers. */
export { type ClockState, httpDateOf, isoOf, parseInstant } from "./clock.ts";
export { parseDurationMs } from "./duration.ts";
