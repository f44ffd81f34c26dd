/** SIP: places telephone calls. */
export { type CallEvent, type CallRequest, placeCall } from "./call.ts";
export type { CallOutcome, CallResult } from "./outcome.ts";
