/** Limits of models and expressions: the last value that fits is taken, the first beyond it is refused. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { expect, it } from "vitest";
import {
  compile,
  errorsOf,
  happen,
  inputs,
  NOW_MS,
  occasion,
  set,
  single,
} from "../../../../tests/support/single-event-models.ts";
import { compileAlarmModel } from "./alarms/compile.ts";
import { analyseDetectorModel } from "./analysis/analyse.ts";
import type { Action, DetectorModelDefinition, State } from "./definition.ts";
import { newDetectorState } from "./detectors/state.ts";
import { parseExpression } from "./expressions/parser.ts";
import { ExpressionFault } from "./faults.ts";

const many = <Thing>(count: number, make: (index: number) => Thing): Thing[] =>
  Array.from({ length: count }, (_, index) => make(index));
const act = (...actions: Action[]) => single({ eventName: "e", actions });
const stateOf = (onInput: State["onInput"]): DetectorModelDefinition => ({
  initialStateName: "only",
  states: [{ stateName: "only", onInput }],
});
const seen = { eventName: "seen", condition: 'currentInput("Reading")' };
const timer = (seconds: number): Action => ({ setTimer: { timerName: "t", seconds } });
/** Of a model with this size as JSON. */
const sized = (bytes: number): DetectorModelDefinition => {
  const named = (length: number) => single({ eventName: "e".repeat(length) });
  return named(bytes - JSON.stringify(named(0)).length);
};
/** With its quotes it has this size. */
const content = (bytes: number) =>
  act({
    sns: { targetArn: "a", payload: { contentExpression: `'${"x".repeat(bytes - 2)}'`, type: "STRING" } },
  });

/** Definitions by a size, and the greatest size that is allowed. */
const sizes: [string, number, (count: number) => DetectorModelDefinition][] = [
  [
    "states",
    20,
    (count) => ({
      initialStateName: "s0",
      states: many(count, (index) => ({ stateName: `s${index}`, onInput: { events: [seen] } })),
    }),
  ],
  ["events of a lifecycle", 20, (count) => stateOf({ events: many(count, () => seen) })],
  [
    "transition events",
    20,
    (count) =>
      stateOf({ transitionEvents: many(count, (n) => ({ ...seen, eventName: `t${n}`, nextState: "only" })) }),
  ],
  ["actions of an event", 10, (count) => act(...many(count, () => set("x", "1")))],
  ["bytes of a definition", 512 * 1024, sized],
  ["bytes of a content expression", 1024, content],
];
it.each(sizes)("%s, %i at the most, in a model and in its analysis", (_what, max, make) => {
  const levelsOf = (definition: DetectorModelDefinition) =>
    analyseDetectorModel(definition, inputs).filter(
      ({ level, type }) => level === "ERROR" && type === "service-limits",
    );
  expect(() => compile(make(max))).not.toThrow();
  expect(levelsOf(make(max))).toEqual([]);
  expect(() => compile(make(max + 1))).toThrow(expect.objectContaining({ limit: true }));
  expect(levelsOf(make(max + 1))).toHaveLength(1);
});

it("variables of a model, 50 at the most", () => {
  const withVariables = (count: number) =>
    single(
      ...many(Math.ceil(count / 10), (group) => ({
        eventName: `e${group}`,
        actions: many(Math.min(10, count - group * 10), (index) => set(`v${group}x${index}`, "1")),
      })),
    );
  expect(() => compile(withVariables(50))).not.toThrow();
  expect(() => compile(withVariables(51))).toThrow(expect.objectContaining({ place: "states", limit: true }));
});

it("actions of an alarm, 10 at the most", () => {
  const withActions = (count: number) =>
    compileAlarmModel(
      {
        alarmModelName: "alarm",
        alarmModelVersion: "1",
        severity: 1,
        alarmRule: {
          simpleRule: {
            inputProperty: "$input.Reading.value",
            comparisonOperator: "GREATER",
            threshold: "1",
          },
        },
        alarmEventActions: { alarmActions: many(count, () => ({ sns: { targetArn: "a" } })) },
      },
      inputs,
    );
  expect(() => withActions(10)).not.toThrow();
  expect(() => withActions(11)).toThrow(expect.objectContaining({ limit: true }));
});

it("timers last from a second to 366 days, however they are set", () => {
  const model = compile(act(timer(60)));
  const given = (seconds: number) =>
    newDetectorState(model, { stateName: "only", variables: [], timers: [{ name: "t", seconds }] }, NOW_MS);
  const findings = (seconds: number) =>
    analyseDetectorModel(act(timer(seconds)), inputs)
      .filter(({ type }) => type === "service-limits")
      .map(({ level }) => level);
  for (const [seconds, isTaken] of [
    [0, false],
    [1, true],
    [31_622_400, true],
    [31_622_401, false],
  ] as const) {
    const attempts = [() => compile(act(timer(seconds))), () => given(seconds)];
    for (const attempt of attempts)
      if (isTaken) expect(attempt).not.toThrow();
      else expect(attempt).toThrow();
    const { log } = happen([{ setTimer: { timerName: "t", durationExpression: String(seconds) } }]);
    expect([seconds, errorsOf(log).length]).toEqual([seconds, isTaken ? 0 : 1]);
    expect([seconds, findings(seconds).includes("ERROR")]).toEqual([seconds, !isTaken]);
  }
  expect([findings(59), findings(60)]).toEqual([["WARNING"], []]);
});

it("timers of a detector, 5 at the most, and variables of a state that is set, 50", () => {
  const set5 = many(5, (index): Action => ({ setTimer: { timerName: `t${index}`, seconds: 60 } }));
  expect(errorsOf(happen(set5).log)).toEqual([]);
  const { state, log } = happen([...set5, timer(60)]);
  expect([Object.keys(state.timers).length, errorsOf(log).length]).toEqual([5, 1]);
  const model = compile(act(timer(60)));
  const timers = (count: number) => ({
    stateName: "only",
    variables: [],
    timers: many(count, (index) => ({ name: `t${index}`, seconds: 60 })),
  });
  expect(() => newDetectorState(model, timers(5), NOW_MS)).not.toThrow();
  expect(() => newDetectorState(model, timers(6), NOW_MS)).toThrow(expect.objectContaining({ limit: true }));
  const variables = (count: number) => ({
    stateName: "only",
    variables: many(count, (index) => ({ name: `v${index}`, value: "1" })),
    timers: [],
  });
  expect(() => newDetectorState(model, variables(50), NOW_MS)).not.toThrow();
  expect(() => newDetectorState(model, variables(51), NOW_MS)).toThrow(
    expect.objectContaining({ limit: true }),
  );
});

it.each<[string, number, (size: number) => string]>([
  ["characters", 4096, (size) => `'${"x".repeat(size - 2)}'`],
  ["levels of parentheses", 40, (size) => `${"(".repeat(size - 1)}1${")".repeat(size - 1)}`],
  ["levels of signs", 40, (size) => `${"-".repeat(size - 1)}1`],
])("%s of an expression, %i at the most", (_what, max, make) => {
  expect(() => parseExpression(make(max))).not.toThrow();
  expect(() => parseExpression(make(max + 1))).toThrow(ExpressionFault);
});

it("characters of a text that an expression makes, 10240 at the most", () => {
  const made = (length: number) =>
    happen([set("made", `$input.Reading.value + '${"x".repeat(240)}'`)], {
      unit: occasion.keyValue,
      value: "y".repeat(length - 240),
    });
  expect(made(10_240).state.variables.made).toHaveLength(10_240);
  const { state, log } = made(10_241);
  expect([state.variables, errorsOf(log).length]).toEqual([{}, 1]);
});
