/** Evaluates an alarm: after a message, a customer action or the end of its snooze. */
import type { LogEntry, Occasion } from "../detectors/run.ts";
import type { Frame, InputValues } from "../expressions/compile.ts";
import { compare } from "../expressions/operators.ts";
import { EvaluationError } from "../faults.ts";
import { uuidOfName } from "../names.ts";
import type { OutgoingAction, Sending } from "../outgoing.ts";
import type { MessageStimulus } from "../stimulus.ts";
import { isScalar, type Scalar, textOf } from "../values.ts";
import type { CompiledAlarmModel } from "./compile.ts";
import { alarmPayload, notify } from "./messages.ts";
import {
  type AlarmState,
  type AlarmStateName,
  type CustomerActionName,
  customerActionOf,
  isEvaluating,
  stateAfterAction,
  stateAfterRule,
} from "./state.ts";

export type AlarmStimulus =
  | MessageStimulus
  | {
      readonly kind: "customer";
      readonly actionName: CustomerActionName;
      readonly note?: string;
      readonly snoozeDurationSeconds?: number;
    }
  | { readonly kind: "snoozeEnded" };
export type AlarmEvaluation = {
  readonly state: AlarmState;
  readonly log: readonly LogEntry[];
  readonly actions: readonly OutgoingAction[];
};

type Step = { readonly state: AlarmState; readonly cause: string; readonly log: LogEntry[] };

const frameOf = (inputs: InputValues, currentInput?: string): Frame => ({
  inputs,
  variables: {},
  currentInput,
  takeTimeout: () => false,
});

type Compared = { readonly isBreached: boolean; readonly property: Scalar; readonly threshold: Scalar };

/** Undefined while one of the values is unknown. */
function compareNow(model: CompiledAlarmModel, frame: Frame): Compared | undefined {
  const property = model.property(frame);
  const threshold = model.threshold(frame);
  if (!isScalar(property) || !isScalar(threshold)) return undefined;
  return { isBreached: compare(model.comparison, property, threshold) === true, property, threshold };
}

/** Applies the rule to the known data. A failed comparison is logged and changes nothing. */
function applyRule(
  model: CompiledAlarmModel,
  state: AlarmState,
  log: LogEntry[],
  currentInput?: string,
): AlarmState {
  try {
    const compared = compareNow(model, frameOf(state.inputs, currentInput));
    if (compared === undefined) return state;
    return {
      ...state,
      stateName: stateAfterRule(state.stateName, compared.isBreached, model.hasAcknowledgeFlow),
      ruleEvaluation: {
        simpleRuleEvaluation: {
          inputPropertyValue: textOf(compared.property),
          operator: model.operator,
          thresholdValue: textOf(compared.threshold),
        },
      },
    };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    log.push({ kind: "error", text: error.message, place: "alarmRule.simpleRule" });
    return state;
  }
}

const awake = ({ snoozeUntilMs: _, ...state }: AlarmState): AlarmState => state;

function receive(
  model: CompiledAlarmModel,
  state: AlarmState,
  { inputName, payload }: Extract<AlarmStimulus, { kind: "message" }>,
): Step {
  const extract = model.extractors.get(inputName);
  const inputs = extract === undefined ? state.inputs : { ...state.inputs, [inputName]: extract(payload) };
  const log: LogEntry[] = [];
  const informed = { ...state, inputs };
  return {
    state: isEvaluating(state.stateName) ? applyRule(model, informed, log, inputName) : informed,
    cause: "its rule",
    log,
  };
}

/** A reset clears the known data, so the alarm waits for the next message. */
function act(
  state: AlarmState,
  { actionName, note, snoozeDurationSeconds }: Extract<AlarmStimulus, { kind: "customer" }>,
  nowMs: number,
): Step {
  const { ruleEvaluation, ...others } = awake(state);
  const isReset = actionName === "RESET";
  return {
    state: {
      ...others,
      ...(ruleEvaluation !== undefined && !isReset && { ruleEvaluation }),
      inputs: isReset ? {} : state.inputs,
      stateName: stateAfterAction(actionName),
      customerAction: customerActionOf(actionName, note, snoozeDurationSeconds),
      ...(actionName === "SNOOZE" && { snoozeUntilMs: nowMs + (snoozeDurationSeconds ?? 0) * 1000 }),
    },
    cause: actionName,
    log: [],
  };
}

/**
 * The rule decides the state after the snooze. A call before the end or after another change has no effect.
 */
function wake(model: CompiledAlarmModel, state: AlarmState, nowMs: number): Step {
  const cause = "the end of its snooze";
  if (state.stateName !== "SNOOZE_DISABLED" || (state.snoozeUntilMs ?? 0) > nowMs)
    return { state, cause, log: [] };
  const log: LogEntry[] = [];
  const woken: AlarmState = {
    ...awake(state),
    stateName: "NORMAL",
    systemEvent: { eventType: "STATE_CHANGE", stateChangeConfiguration: { triggerType: "SNOOZE_TIMEOUT" } },
  };
  return { state: applyRule(model, woken, log), cause, log };
}

function stepOf(model: CompiledAlarmModel, state: AlarmState, stimulus: AlarmStimulus, nowMs: number): Step {
  switch (stimulus.kind) {
    case "message":
      return receive(model, state, stimulus);
    case "customer":
      return act(state, stimulus, nowMs);
    default:
      return wake(model, state, nowMs);
  }
}

/** All actions and notifications of a state change. Failures are logged. */
function tell(
  model: CompiledAlarmModel,
  state: AlarmState,
  occasion: Occasion,
  log: LogEntry[],
): OutgoingAction[] {
  const { keyValue, nowMs } = occasion;
  const sending: Sending = {
    frame: frameOf(state.inputs),
    nowMs,
    standardPayload: () => alarmPayload(model, state, occasion),
    executionId: (place) =>
      uuidOfName([model.alarmModelName, model.alarmModelVersion, keyValue, nowMs, place].join("\n")),
    warn: (place, text) => void log.push({ kind: "warning", text, place }),
  };
  const attempt = (place: string, make: () => OutgoingAction[]): OutgoingAction[] => {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      log.push({ kind: "error", text: error.message, place });
      return [];
    }
  };
  return [
    ...model.actions.flatMap(({ place, send }) => attempt(place, () => [send(sending)])),
    ...model.notifications.flatMap((notification) =>
      attempt(notification.place, () => notify({ model, state, keyValue, nowMs, sending }, notification)),
    ),
  ];
}

/** The first message creates the alarm. */
export function evaluateAlarm(
  model: CompiledAlarmModel,
  state: AlarmState | undefined,
  stimulus: AlarmStimulus,
  occasion: Occasion,
): AlarmEvaluation {
  const first: AlarmStateName = model.isDisabledAtFirst ? "DISABLED" : "NORMAL";
  const before = state ?? { stateName: first, inputs: {} };
  const step = stepOf(model, before, stimulus, occasion.nowMs);
  const log: LogEntry[] = [
    ...(state === undefined
      ? [{ kind: "created" as const, text: `The alarm begins in ${first}.`, to: first }]
      : []),
    ...step.log,
  ];
  if (step.state.stateName === before.stateName) return { state: step.state, log, actions: [] };
  const [from, to] = [before.stateName, step.state.stateName];
  log.push({ kind: "transition", text: `From ${from} to ${to} by ${step.cause}.`, from, to });
  return { state: step.state, log, actions: tell(model, step.state, occasion, log) };
}
