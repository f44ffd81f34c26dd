/** The rules of detectors and alarms. Pure: the caller passes the time. */
export { type AlarmModelSource, type CompiledAlarmModel, compileAlarmModel } from "./alarms/compile.ts";
export { type AlarmEvaluation, type AlarmStimulus, evaluateAlarm } from "./alarms/evaluate.ts";
export {
  ALARM_STATES,
  type AlarmState,
  type AlarmStateName,
  type CustomerActionName,
} from "./alarms/state.ts";
export { analyseDetectorModel } from "./analysis/analyse.ts";
export type { Finding } from "./analysis/findings.ts";
export type * from "./definition.ts";
export { type CompiledDetectorModel, compileDetectorModel } from "./detectors/compile.ts";
export { type Evaluation, evaluateDetector } from "./detectors/evaluate.ts";
export type { LogEntry, Occasion, Stimulus } from "./detectors/run.ts";
export { type DetectorState, describeVariables, newDetectorState, waitingTimers } from "./detectors/state.ts";
export { ModelFault } from "./faults.ts";
export { SEEN_MS } from "./limits.ts";
export type { OutgoingAction, OutgoingKind } from "./outgoing.ts";
export { parsePayload } from "./payload.ts";
export { compileKey } from "./reader.ts";
