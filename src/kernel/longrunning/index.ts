/** Records of work that outlives its request. */
export { LongRunning, type LongRunningError, type LongRunningRecord } from "./longrunning.ts";
