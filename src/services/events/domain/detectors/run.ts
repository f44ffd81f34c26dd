/** One evaluation in progress: changing state, log entries and outgoing actions. */
import type { Frame, InputValues, Variables } from "../expressions/compile.ts";
import { EvaluationError } from "../faults.ts";
import { LOG_ENTRIES_MAX, TIMER_SECONDS_MAX, TIMER_SECONDS_MIN, TIMERS_MAX } from "../limits.ts";
import { uuidOfName } from "../names.ts";
import type { OutgoingAction, Sending } from "../outgoing.ts";
import type { MessageStimulus } from "../stimulus.ts";
import { jsonOf, type Scalar } from "../values.ts";
import type { DetectorState, Timer } from "./state.ts";

export type Stimulus = MessageStimulus | { readonly kind: "timer"; readonly timerName: string };

export type LogEntry = {
  readonly kind: "created" | "event" | "transition" | "timer" | "error" | "warning";
  readonly text: string;
  readonly place?: string;
  readonly eventName?: string;
  readonly from?: string;
  readonly to?: string;
};

/** Context of an evaluation. */
export type Occasion = {
  readonly nowMs: number;
  /** Empty for a model without a key. */
  readonly keyValue: string;
  /** Logs each event that happened, not only what changed or failed. */
  readonly debug?: boolean;
};
export type ModelName = { readonly detectorModelName: string; readonly detectorModelVersion: string };

const jsonMembers = <Held>(members: Readonly<Record<string, Held>>, write: (held: Held) => string): string =>
  `{${Object.entries(members)
    .map(([name, held]) => `${JSON.stringify(name)}:${write(held)}`)
    .join(",")}}`;

export class Run implements Frame, Sending {
  readonly #model: ModelName;
  readonly #stimulus: Stimulus;
  readonly #occasion: Occasion;
  readonly nowMs: number;
  readonly currentInput: string | undefined;
  stateName: string;
  eventName = "";
  readonly variables: Variables;
  readonly timers: Record<string, Timer>;
  readonly inputs: InputValues;
  readonly log: LogEntry[] = [];
  readonly actions: OutgoingAction[] = [];
  readonly frame: Frame = this;

  constructor(model: ModelName, state: DetectorState, stimulus: Stimulus, occasion: Occasion) {
    this.#model = model;
    this.#stimulus = stimulus;
    this.#occasion = occasion;
    this.nowMs = occasion.nowMs;
    this.currentInput = stimulus.kind === "message" ? stimulus.inputName : undefined;
    this.stateName = state.stateName;
    this.variables = { ...state.variables };
    this.timers = { ...state.timers };
    this.inputs = { ...state.inputs };
  }
  get state(): DetectorState {
    return { stateName: this.stateName, variables: this.variables, timers: this.timers, inputs: this.inputs };
  }
  get logsEvents(): boolean {
    return this.#occasion.debug === true;
  }
  note(entry: LogEntry): void {
    if (this.log.length < LOG_ENTRIES_MAX) this.log.push(entry);
  }
  readonly warn = (place: string, text: string): void =>
    this.note({ kind: "warning", text, place, eventName: this.eventName });

  #timer(name: string): Timer | undefined {
    return Object.hasOwn(this.timers, name) ? this.timers[name] : undefined;
  }
  /**
   * A message evaluated at or after the due time sees the timer as elapsed, also before the timer job ran.
   */
  readonly takeTimeout = (name: string): boolean => {
    const timer = this.#timer(name);
    if (timer === undefined || timer.elapsed === "read") return false;
    if (timer.elapsed === undefined && timer.dueAtMs > this.nowMs) return false;
    this.timers[name] = { ...timer, elapsed: "read" };
    return true;
  };
  elapse(name: string): void {
    const timer = this.#timer(name);
    if (timer !== undefined && timer.elapsed === undefined)
      this.timers[name] = { ...timer, elapsed: "unread" };
  }
  setTimer(name: string, wantedSeconds: number): void {
    const seconds = Math.floor(wantedSeconds);
    if (!(seconds >= TIMER_SECONDS_MIN && seconds <= TIMER_SECONDS_MAX))
      throw new EvaluationError(
        `The timer "${name}" can't last ${wantedSeconds} seconds: ${TIMER_SECONDS_MIN} to ${TIMER_SECONDS_MAX} are possible.`,
      );
    const others = Object.entries(this.timers).filter(
      ([other, { elapsed }]) => other !== name && elapsed === undefined,
    );
    if (others.length >= TIMERS_MAX)
      throw new EvaluationError(
        `The timer "${name}" can't be set: a detector has at most ${TIMERS_MAX} running.`,
      );
    this.timers[name] = { seconds, dueAtMs: this.nowMs + seconds * 1000 };
  }
  resetTimer(name: string): void {
    const timer = this.#timer(name);
    if (timer === undefined) throw new EvaluationError(`The timer "${name}" was never set.`);
    this.setTimer(name, timer.seconds);
  }
  clearTimer(name: string): void {
    delete this.timers[name];
  }
  setVariable(name: string, value: Scalar): void {
    this.variables[name] = value;
  }

  readonly executionId = (place: string): string => {
    const { detectorModelName, detectorModelVersion } = this.#model;
    const cause = this.#stimulus.kind === "message" ? this.#stimulus.messageId : this.#stimulus.timerName;
    return uuidOfName(
      [detectorModelName, detectorModelVersion, this.#occasion.keyValue, cause, this.nowMs, place].join("\n"),
    );
  };
  readonly standardPayload = (place: string): string => {
    const { keyValue } = this.#occasion;
    const { detectorModelName, detectorModelVersion } = this.#model;
    const detector = JSON.stringify({
      detectorModelName,
      ...(keyValue !== "" && { keyValue }),
      detectorModelVersion,
    });
    const stimulus = this.#stimulus;
    const trigger = JSON.stringify(
      stimulus.kind === "message"
        ? { inputName: stimulus.inputName, messageId: stimulus.messageId, triggerType: "Message" }
        : { timerName: stimulus.timerName, triggerType: "Timer" },
    );
    const variables = jsonMembers(this.variables, jsonOf);
    const timers = jsonMembers(this.timers, ({ dueAtMs }) => String(Math.floor(dueAtMs / 1000)));
    const state = `{"stateName":${JSON.stringify(this.stateName)},"variables":${variables},"timers":${timers}}`;
    return `{"eventTime":${this.nowMs},"payload":{"actionExecutionId":"${this.executionId(place)}","detector":${detector},"eventTriggerDetails":${trigger},"state":${state}},"eventName":${JSON.stringify(this.eventName)}}`;
  };
}
