/** Detectors: the two ways to evaluate, timers, what is kept, and states that are given. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { describe, expect, it } from "vitest";
import {
  compile,
  errorsOf,
  happen,
  message,
  NOW_MS,
  occasion,
  set,
  single,
} from "../../../../../tests/support/single-event-models.ts";
import type { DetectorModelDefinition, EvaluationMethod } from "../definition.ts";
import { parsePayload } from "../payload.ts";
import { evaluateDetector } from "./evaluate.ts";
import { type DetectorState, describeVariables, newDetectorState, waitingTimers } from "./state.ts";

describe("the two ways to evaluate", () => {
  const definition: DetectorModelDefinition = {
    initialStateName: "a",
    states: [
      {
        stateName: "a",
        onInput: {
          events: [
            {
              eventName: "count",
              condition: "$input.Reading.value > 0",
              actions: [set("n", "$input.Reading.value")],
            },
            { eventName: "seen", condition: "$variable.n == 5", actions: [set("seen", "true")] },
          ],
          transitionEvents: [{ eventName: "go", condition: "$variable.n == 5", nextState: "b" }],
        },
        onExit: {
          events: [
            { eventName: "leave", actions: [set("left", "1")] },
            { eventName: "left", condition: "$variable.left == 1", actions: [set("exit", "true")] },
          ],
        },
      },
      { stateName: "b" },
    ],
  };
  const having = (method: EvaluationMethod, count: number) => {
    const model = compile(definition, method);
    let state: DetectorState | undefined;
    for (let index = 0; index < count; index += 1)
      ({ state } = evaluateDetector(model, state, message({ unit: "u1", value: 5 }), occasion));
    return state;
  };
  it("BATCH sees what was set only the next time", () => {
    expect(having("BATCH", 1)).toMatchObject({ stateName: "a", variables: { n: 5 } });
    expect(having("BATCH", 2)).toMatchObject({ stateName: "b" });
    expect(having("BATCH", 2)?.variables).toEqual({ n: 5, seen: true, left: 1 });
  });
  it("SERIAL sees it at once", () => {
    expect(having("SERIAL", 1)).toMatchObject({ stateName: "b" });
    expect(having("SERIAL", 1)?.variables).toEqual({ n: 5, seen: true, left: 1, exit: true });
  });
});

describe("timers", () => {
  const definition: DetectorModelDefinition = {
    initialStateName: "a",
    states: [
      {
        stateName: "a",
        onEnter: {
          events: [
            { eventName: "start", actions: [{ setTimer: { timerName: "t", durationExpression: "60.99" } }] },
          ],
        },
        onInput: {
          events: [
            {
              eventName: "asked",
              condition: 'timeout("t")',
              actions: [set("times", "$input.Reading.value")],
            },
            { eventName: "again", condition: 'timeout("t")', actions: [set("twice", "true")] },
            {
              eventName: "reset",
              condition: '$input.Reading.value == 9 && triggerType("Message")',
              actions: [{ resetTimer: { timerName: "t" } }],
            },
          ],
        },
      },
    ],
  };
  const model = compile(definition);
  const first = evaluateDetector(model, undefined, message({ unit: "u1", value: 1 }), occasion).state;
  const elapsed = { kind: "timer", timerName: "t" } as const;
  const later = { ...occasion, nowMs: NOW_MS + 60_000 };

  it("last as long as their expression says, rounded down", () => {
    expect(waitingTimers(first)).toEqual([{ name: "t", dueAtMs: NOW_MS + 60_000 }]);
  });
  it("are told once, the first time anything asks", () => {
    const { state, log } = evaluateDetector(model, first, elapsed, later);
    expect(state.variables).toEqual({ times: 1 });
    expect(log.map(({ kind }) => kind)).toEqual(["timer"]);
    expect(waitingTimers(state)).toEqual([]);
    expect(state.timers).toEqual({ t: { seconds: 60, dueAtMs: NOW_MS + 60_000, elapsed: "read" } });
    expect(evaluateDetector(model, state, message({ unit: "u1", value: 2 }), later).state.variables).toEqual({
      times: 1,
    });
  });
  it("are found elapsed by a message that comes before they are told; then there is nothing left to tell", () => {
    const { state } = evaluateDetector(model, first, message({ unit: "u1", value: 3 }), later);
    expect(state.variables).toEqual({ times: 3 });
    expect(evaluateDetector(model, state, elapsed, later)).toEqual({ state, log: [], actions: [] });
  });
  it("begin again with the same length when they are reset", () => {
    const { state } = evaluateDetector(model, first, message({ unit: "u1", value: 9 }), {
      ...occasion,
      nowMs: NOW_MS + 5000,
    });
    expect(waitingTimers(state)).toEqual([{ name: "t", dueAtMs: NOW_MS + 65_000 }]);
    expect(evaluateDetector(model, state, elapsed, later).state).toBe(state);
    const { state: read } = evaluateDetector(model, state, elapsed, { ...occasion, nowMs: NOW_MS + 65_000 });
    const { state: restarted } = evaluateDetector(model, read, message({ unit: "u1", value: 9 }), {
      ...occasion,
      nowMs: NOW_MS + 70_000,
    });
    expect(waitingTimers(restarted)).toEqual([{ name: "t", dueAtMs: NOW_MS + 130_000 }]);
  });
  it("are at most five at a time", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const many = happen([...names, "a"].map((timerName) => ({ setTimer: { timerName, seconds: 60 } })));
    expect(Object.keys(many.state.timers)).toEqual(["a", "b", "c", "d", "e"]);
    expect(errorsOf(many.log)).toHaveLength(1);
  });
});

describe("a detector", () => {
  it("remembers the last values of each input that its model refers to, and no others", () => {
    const model = compile(
      single({ eventName: "e", condition: "$input.Reading.value > 1 || isUndefined($input.Reading.list)" }),
    );
    const { state } = evaluateDetector(
      model,
      undefined,
      message(parsePayload('{"unit": "u1", "value": 2.0, "list": [1], "more": 5}')),
      occasion,
    );
    expect(JSON.parse(JSON.stringify(state.inputs))).toEqual({
      Reading: { value: { decimal: 2 }, list: {} },
    });
  });
  it("of a state that its model no longer has begins anew", () => {
    const { state, log } = evaluateDetector(
      compile(single()),
      { stateName: "gone", variables: { x: 1 }, timers: {}, inputs: {} },
      message({ unit: "u1" }),
      occasion,
    );
    expect(state).toEqual({ stateName: "only", variables: {}, timers: {}, inputs: { Reading: {} } });
    expect(log.map(({ kind }) => kind)).toEqual(["created"]);
  });
  it("logs events only when asked to", () => {
    const model = compile(single({ eventName: "always" }));
    const { log } = evaluateDetector(model, undefined, message({ unit: "u1" }), { ...occasion, debug: true });
    expect(log.map(({ kind, eventName }) => [kind, eventName])).toEqual([
      ["created", undefined],
      ["event", "seen"],
      ["event", "always"],
    ]);
  });
  it("isn't confused by names that objects have anyway", () => {
    const model = compile(
      single({
        eventName: "e",
        condition: 'currentInput("constructor") || isUndefined($variable.toString)',
        actions: [set("toString", "1"), { setTimer: { timerName: "valueOf", seconds: 60 } }],
      }),
    );
    const { state } = evaluateDetector(model, undefined, message({ unit: "u1" }), occasion);
    expect(state.variables).toEqual({ toString: 1 });
    expect(Object.keys(state.timers)).toEqual(["valueOf"]);
  });
});

describe("a state that is given", () => {
  const model = compile(single({ eventName: "e", condition: "$variable.x > 1", actions: [set("x", "1")] }));
  it("replaces everything: names, values in their types, timers from now", () => {
    const state = newDetectorState(
      model,
      {
        stateName: "only",
        variables: [
          { name: "integer", value: "22" },
          { name: "decimal", value: "1.0" },
          { name: "negative", value: "-0.5" },
          { name: "truth", value: "true" },
          { name: "text", value: '"01"' },
          { name: "single", value: "'01'" },
          { name: "bare", value: "hello there" },
        ],
        timers: [{ name: "t", seconds: 90 }],
      },
      NOW_MS,
    );
    expect(state.timers).toEqual({ t: { seconds: 90, dueAtMs: NOW_MS + 90_000 } });
    expect(describeVariables(JSON.parse(JSON.stringify(state)))).toEqual([
      { name: "integer", value: "22" },
      { name: "decimal", value: "1.0" },
      { name: "negative", value: "-0.5" },
      { name: "truth", value: "true" },
      { name: "text", value: '"01"' },
      { name: "single", value: '"01"' },
      { name: "bare", value: '"hello there"' },
    ]);
  });
  it.each([
    ["stateName", { stateName: "other", variables: [], timers: [] }],
    ["timers[0]", { stateName: "only", variables: [], timers: [{ name: "t", seconds: 0 }] }],
    [
      "timers",
      {
        stateName: "only",
        variables: [],
        timers: Array.from({ length: 6 }, (_, index) => ({ name: `t${index}`, seconds: 60 })),
      },
    ],
    [
      "variables",
      {
        stateName: "only",
        variables: Array.from({ length: 51 }, (_, index) => ({ name: `v${index}`, value: "1" })),
        timers: [],
      },
    ],
  ])("is refused at %s", (place, wanted) => {
    expect(() => newDetectorState(model, wanted, NOW_MS)).toThrow(expect.objectContaining({ place }));
  });
});
