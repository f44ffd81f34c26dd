/** Compiles a detector model, or throws a fault with its place. */
import type {
  Action,
  DetectorModelDefinition,
  EvaluationMethod,
  Event,
  KnownInputs,
  SetTimer,
  State,
  TransitionEvent,
} from "../definition.ts";
import { type Compiled, scalarOf } from "../expressions/compile.ts";
import { numberOf } from "../expressions/operators.ts";
import { isPlainIdentifier } from "../expressions/scanner.ts";
import { EvaluationError, ModelFault } from "../faults.ts";
import {
  ACTIONS_PER_EVENT_MAX,
  DEFINITION_BYTES_MAX,
  EVENTS_MAX,
  STATES_MAX,
  TIMER_SECONDS_MAX,
  TIMER_SECONDS_MIN,
  TRANSITION_EVENTS_MAX,
  VARIABLES_MAX,
} from "../limits.ts";
import { compileSending, SENDING_NAMES } from "../outgoing.ts";
import { ModelReader, type Reference } from "../reader.ts";
import type { KeptValue } from "../values.ts";
import type { ModelName, Run } from "./run.ts";

export type CompiledAction = { readonly place: string; readonly perform: (run: Run) => void };
export type CompiledEvent = {
  readonly eventName: string;
  readonly place: string;
  /** Without a condition, the event always occurs. */
  readonly condition: Compiled | undefined;
  readonly actions: readonly CompiledAction[];
};
export type CompiledTransition = CompiledEvent & { readonly nextState: string };
export type CompiledState = {
  readonly stateName: string;
  readonly onEnter: readonly CompiledEvent[];
  readonly onInput: readonly CompiledEvent[];
  readonly onExit: readonly CompiledEvent[];
  readonly transitions: readonly CompiledTransition[];
};
export type CompiledDetectorModel = ModelName & {
  readonly isSerial: boolean;
  readonly initialStateName: string;
  readonly stateNames: readonly string[];
  readonly states: ReadonlyMap<string, CompiledState>;
  readonly inputNames: readonly string[];
  /** Extracts the attributes that the model uses from a message, by input. */
  readonly extractors: ReadonlyMap<string, (payload: unknown) => Record<string, KeptValue>>;
  /** Undefined if the payload lacks the key; "" for a model without a key. */
  readonly keyOf: (inputName: string, payload: unknown) => string | undefined;
};

const BUILT_IN_NAMES = ["setVariable", "setTimer", "clearTimer", "resetTimer"] as const;
export const ACTION_NAMES: readonly (keyof Action)[] = [...BUILT_IN_NAMES, ...SENDING_NAMES];

/** Records variables and timers that a definition sets, to check references. */
class DefinitionReader extends ModelReader {
  readonly setVariables = new Set<string>();
  readonly setTimers = new Set<string>();
  /** Timers that are reset or cleared. */
  readonly touchedTimers: Reference[] = [];
  /** Whether a condition reads an input. */
  looksAtInput = false;

  condition(place: string, text: string | undefined): Compiled | undefined {
    if (text === undefined || text.trim() === "") return undefined;
    const before = this.inputMentions;
    const compiled = this.expression(place, text);
    this.looksAtInput ||= this.inputMentions > before;
    return compiled;
  }
}

function checkCount(place: string, things: readonly unknown[], most: number, what: string): void {
  if (things.length > most)
    throw new ModelFault(place, `At most ${most} ${what} are allowed.`, { limit: true });
}

function compileSetTimer(
  reader: DefinitionReader,
  place: string,
  action: SetTimer,
): CompiledAction["perform"] {
  const { timerName, seconds, durationExpression } = action;
  if (timerName === "__proto__") throw new ModelFault(`${place}.timerName`, "A timer can't have this name.");
  reader.setTimers.add(timerName);
  if ((seconds === undefined) === (durationExpression === undefined))
    throw new ModelFault(place, "Either seconds or durationExpression is needed, not both.");
  if (durationExpression !== undefined) {
    const duration = reader.expression(`${place}.durationExpression`, durationExpression);
    return (run) => {
      const value = numberOf(scalarOf(duration(run)));
      if (value === undefined)
        throw new EvaluationError(`The duration of the timer "${timerName}" is no number.`);
      run.setTimer(timerName, value);
    };
  }
  const fixed = seconds ?? 0;
  if (!Number.isInteger(fixed) || fixed < TIMER_SECONDS_MIN || fixed > TIMER_SECONDS_MAX)
    throw new ModelFault(
      `${place}.seconds`,
      `Timers last from ${TIMER_SECONDS_MIN} to ${TIMER_SECONDS_MAX} whole seconds.`,
    );
  return (run) => run.setTimer(timerName, fixed);
}

function compileBuiltIn(
  reader: DefinitionReader,
  place: string,
  action: Action,
): CompiledAction["perform"] | undefined {
  const { setVariable, setTimer, clearTimer, resetTimer } = action;
  if (setTimer !== undefined) return compileSetTimer(reader, `${place}.setTimer`, setTimer);
  if (setVariable !== undefined) {
    const { variableName: name } = setVariable;
    if (!isPlainIdentifier(name))
      throw new ModelFault(
        `${place}.setVariable.variableName`,
        "Names of variables are letters, digits and _, a letter first.",
      );
    reader.setVariables.add(name);
    const value = reader.expression(`${place}.setVariable.value`, setVariable.value);
    return (run) => run.setVariable(name, scalarOf(value(run)));
  }
  if (clearTimer !== undefined) {
    reader.touchedTimers.push({ name: clearTimer.timerName, place: `${place}.clearTimer` });
    return (run) => run.clearTimer(clearTimer.timerName);
  }
  if (resetTimer !== undefined) {
    reader.touchedTimers.push({ name: resetTimer.timerName, place: `${place}.resetTimer` });
    return (run) => run.resetTimer(resetTimer.timerName);
  }
  return undefined;
}

function compileAction(reader: DefinitionReader, place: string, action: Action): CompiledAction {
  const given = ACTION_NAMES.filter((name) => action[name] !== undefined);
  if (given.length > 1)
    throw new ModelFault(place, `An action has one type, this one has ${given.length}: ${given.join(", ")}.`);
  const builtIn = compileBuiltIn(reader, place, action);
  if (builtIn !== undefined) return { place, perform: builtIn };
  const send = compileSending(reader, place, action);
  if (send === undefined) throw new ModelFault(place, `An action is one of ${ACTION_NAMES.join(", ")}.`);
  return { place, perform: (run) => void run.actions.push(send(run)) };
}

function compileEvent(reader: DefinitionReader, place: string, event: Event): CompiledEvent {
  const { eventName, condition, actions = [] } = event;
  checkCount(`${place}.actions`, actions, ACTIONS_PER_EVENT_MAX, "actions of an event");
  return {
    eventName,
    place,
    condition: reader.condition(`${place}.condition`, condition),
    actions: actions.map((action, index) => compileAction(reader, `${place}.actions[${index}]`, action)),
  };
}
function compileTransition(
  reader: DefinitionReader,
  place: string,
  event: TransitionEvent,
  stateNames: ReadonlySet<string>,
): CompiledTransition {
  if (event.condition.trim() === "")
    throw new ModelFault(`${place}.condition`, "A transition needs a condition.");
  if (!stateNames.has(event.nextState))
    throw new ModelFault(`${place}.nextState`, `There is no state "${event.nextState}".`);
  return { ...compileEvent(reader, place, event), nextState: event.nextState };
}

function compileState(
  reader: DefinitionReader,
  place: string,
  state: State,
  stateNames: ReadonlySet<string>,
): CompiledState {
  const eventsOf = (lifecycle: "onEnter" | "onInput" | "onExit") => {
    const events = state[lifecycle]?.events ?? [];
    checkCount(`${place}.${lifecycle}.events`, events, EVENTS_MAX, "events");
    return events.map((event, index) =>
      compileEvent(reader, `${place}.${lifecycle}.events[${index}]`, event),
    );
  };
  const transitions = state.onInput?.transitionEvents ?? [];
  const at = `${place}.onInput.transitionEvents`;
  checkCount(at, transitions, TRANSITION_EVENTS_MAX, "transition events");
  return {
    stateName: state.stateName,
    onEnter: eventsOf("onEnter"),
    onInput: eventsOf("onInput"),
    onExit: eventsOf("onExit"),
    transitions: transitions.map((event, index) =>
      compileTransition(reader, `${at}[${index}]`, event, stateNames),
    ),
  };
}

/** Unique state names, including the initial state. */
function checkStates({ states, initialStateName }: DetectorModelDefinition): ReadonlySet<string> {
  if (states.length === 0) throw new ModelFault("states", "A detector model needs at least one state.");
  checkCount("states", states, STATES_MAX, "states");
  const names = new Set<string>();
  for (const [index, { stateName }] of states.entries()) {
    if (names.has(stateName))
      throw new ModelFault(`states[${index}].stateName`, `There are two states "${stateName}".`);
    names.add(stateName);
  }
  if (!names.has(initialStateName))
    throw new ModelFault("initialStateName", `There is no state "${initialStateName}".`);
  return names;
}

/** Referenced variables and timers must be set somewhere. */
function checkReferences(reader: DefinitionReader): void {
  for (const { name, place } of reader.variables)
    if (!reader.setVariables.has(name))
      throw new ModelFault(place, `The variable "${name}" is used and never set.`);
  for (const { name, place } of [...reader.timers, ...reader.touchedTimers])
    if (!reader.setTimers.has(name))
      throw new ModelFault(place, `The timer "${name}" is used and never set.`);
  checkCount("states", [...reader.setVariables], VARIABLES_MAX, "variables");
  if (!reader.looksAtInput) throw new ModelFault("states", "At least one condition must look at an input.");
}

export type DetectorModelSource = ModelName & {
  readonly definition: DetectorModelDefinition;
  readonly key?: string | undefined;
  readonly evaluationMethod?: EvaluationMethod | undefined;
};

/** Throws a ModelFault. Without `inputs`, references to inputs are not checked. */
export function compileDetectorModel(
  source: DetectorModelSource,
  inputs: KnownInputs | undefined,
): CompiledDetectorModel {
  const { definition, detectorModelName, detectorModelVersion } = source;
  if (Buffer.byteLength(JSON.stringify(definition)) > DEFINITION_BYTES_MAX)
    throw new ModelFault(
      "detectorModelDefinition",
      `A definition has at most ${DEFINITION_BYTES_MAX / 1024} KB.`,
      {
        limit: true,
      },
    );
  const stateNames = checkStates(definition);
  const reader = new DefinitionReader(inputs);
  const states = definition.states.map((state, index) =>
    compileState(reader, `states[${index}]`, state, stateNames),
  );
  checkReferences(reader);
  return {
    detectorModelName,
    detectorModelVersion,
    isSerial: source.evaluationMethod === "SERIAL",
    initialStateName: definition.initialStateName,
    stateNames: [...stateNames],
    states: new Map(states.map((state) => [state.stateName, state])),
    inputNames: reader.inputNames,
    extractors: reader.extractors(),
    keyOf: reader.keyOf(source.key),
  };
}
