/** Logs, metrics, recent requests, faults. */
export { type FaultRule, Faults, type FaultTarget } from "./faults.ts";
export { createLog, type Log } from "./log.ts";
export { Metrics } from "./metrics.ts";
export { createRecorder, type Recorder } from "./record.ts";
export { RequestLog, type RequestRecord, type ShownRequest } from "./request-log.ts";
