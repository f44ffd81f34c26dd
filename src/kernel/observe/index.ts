/** Logs, metrics, recent requests, faults. */
export { CONSOLE_SESSION } from "./console-traffic.ts";
export { createLog } from "./log.ts";
export { MINUTES_KEPT, type ShownMinute } from "./minutes.ts";
export { isTextType, redactHeaders } from "./redact.ts";
export type { LiveRequests } from "./request-log.ts";
export type { KeptRequest } from "./request-record.ts";
export { isSecretHeader } from "./secret-names.ts";
export { detailOf, type ShownRequest, showRequest } from "./shown-request.ts";
