/** SIP: places telephone calls. */
export { placeCall } from "./call.ts";
export type { CallEvent, CallRequest } from "./call-request.ts";
export type { CallOutcome, CallResult } from "./outcome.ts";
