/** Jobs: synthesize, place, advance and delete calls. */
import { forgetCalls } from "./forget-calls.ts";
import { placeCall } from "./place-call.ts";
import { advanceCall } from "./progress.ts";
import { renderMessage } from "./render-message.ts";

export { renderMessage } from "./render-message.ts";
export const jobs = [renderMessage, placeCall, advanceCall, forgetCalls];
