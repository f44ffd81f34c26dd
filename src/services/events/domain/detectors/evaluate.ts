/** Evaluates one message or one elapsed timer on one detector. */
import { EvaluationError } from "../faults.ts";
import type { OutgoingAction } from "../outgoing.ts";
import type { CompiledDetectorModel, CompiledEvent, CompiledState, CompiledTransition } from "./compile.ts";
import { type LogEntry, type Occasion, Run, type Stimulus } from "./run.ts";
import type { DetectorState } from "./state.ts";

export type Evaluation = {
  readonly state: DetectorState;
  readonly log: readonly LogEntry[];
  readonly actions: readonly OutgoingAction[];
};

const EMPTY = { variables: {}, timers: {}, inputs: {} };

function stateOf(model: CompiledDetectorModel, name: string): CompiledState {
  const state = model.states.get(name);
  if (state === undefined) throw new Error(`The model has no state "${name}".`);
  return state;
}

/** A condition that fails is logged and counts as false. */
function holds(run: Run, { eventName, place, condition }: CompiledEvent): boolean {
  if (condition === undefined) return true;
  try {
    return condition(run) === true;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    run.note({ kind: "error", text: error.message, place: `${place}.condition`, eventName });
    return false;
  }
}

/** A failed action is logged and skipped. The other actions run. */
function perform(run: Run, { eventName, place, actions }: CompiledEvent): void {
  run.eventName = eventName;
  if (run.logsEvents)
    run.note({ kind: "event", text: `The event "${eventName}" happened.`, place, eventName });
  for (const action of actions)
    try {
      action.perform(run);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      run.note({ kind: "error", text: error.message, place: action.place, eventName });
    }
}

/** Sequential: each event sees the values that earlier events set. */
function runInTurn(run: Run, events: readonly CompiledEvent[]): void {
  for (const event of events) if (holds(run, event)) perform(run, event);
}

/** Batch: all conditions are evaluated with the initial values before any action runs. */
function runTogether(run: Run, events: readonly CompiledEvent[]): void {
  for (const event of events.filter((candidate) => holds(run, candidate))) perform(run, event);
}

const runEvents = (model: CompiledDetectorModel, run: Run, events: readonly CompiledEvent[]): void =>
  model.isSerial ? runInTurn(run, events) : runTogether(run, events);

/** Runs the events of the current state. Returns the first transition whose condition is true. */
function runInput(
  model: CompiledDetectorModel,
  run: Run,
  state: CompiledState,
): CompiledTransition | undefined {
  const findTransition = () => state.transitions.find((candidate) => holds(run, candidate));
  if (model.isSerial) {
    runInTurn(run, state.onInput);
    return findTransition();
  }
  const happening = state.onInput.filter((candidate) => holds(run, candidate));
  const transition = findTransition();
  for (const event of happening) perform(run, event);
  return transition;
}

function enter(model: CompiledDetectorModel, run: Run, stateName: string): void {
  run.stateName = stateName;
  runEvents(model, run, stateOf(model, stateName).onEnter);
}

function follow(
  model: CompiledDetectorModel,
  run: Run,
  from: CompiledState,
  transition: CompiledTransition,
): void {
  const { eventName, place, nextState } = transition;
  perform(run, transition);
  runEvents(model, run, from.onExit);
  run.note({
    kind: "transition",
    text: `From "${from.stateName}" to "${nextState}" by the event "${eventName}".`,
    place,
    eventName,
    from: from.stateName,
    to: nextState,
  });
  enter(model, run, nextState);
}

/** Whether the timer was cleared, set again or read meanwhile. */
function isStale(state: DetectorState | undefined, stimulus: Stimulus, nowMs: number): boolean {
  if (stimulus.kind !== "timer") return false;
  const { timerName } = stimulus;
  const timer = state && Object.hasOwn(state.timers, timerName) ? state.timers[timerName] : undefined;
  return timer === undefined || timer.elapsed !== undefined || timer.dueAtMs > nowMs;
}

/** Applies the stimulus before any condition is evaluated. */
function receive(model: CompiledDetectorModel, run: Run, stimulus: Stimulus): void {
  if (stimulus.kind === "timer") {
    run.elapse(stimulus.timerName);
    run.note({ kind: "timer", text: `The timer "${stimulus.timerName}" elapsed.` });
    return;
  }
  const extract = model.extractors.get(stimulus.inputName);
  if (extract !== undefined) run.inputs[stimulus.inputName] = extract(stimulus.payload);
}

/** A missing detector is created: it enters the initial state and then evaluates the message. */
export function evaluateDetector(
  model: CompiledDetectorModel,
  state: DetectorState | undefined,
  stimulus: Stimulus,
  occasion: Occasion,
): Evaluation {
  const { initialStateName } = model;
  const known = state !== undefined && model.states.has(state.stateName) ? state : undefined;
  if (isStale(known, stimulus, occasion.nowMs))
    return { state: state ?? { stateName: initialStateName, ...EMPTY }, log: [], actions: [] };
  const run = new Run(model, known ?? { stateName: initialStateName, ...EMPTY }, stimulus, occasion);
  receive(model, run, stimulus);
  if (known === undefined) {
    run.note({
      kind: "created",
      text: `The detector begins in "${initialStateName}".`,
      to: initialStateName,
    });
    enter(model, run, initialStateName);
  }
  const current = stateOf(model, run.stateName);
  const transition = runInput(model, run, current);
  if (transition !== undefined) follow(model, run, current, transition);
  return { state: run.state, log: run.log, actions: run.actions };
}
