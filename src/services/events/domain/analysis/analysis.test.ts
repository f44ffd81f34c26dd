/** The analysis of detector models: each finding with its type, level and place. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { describe, expect, it } from "vitest";
import type {
  Action,
  DetectorModelDefinition,
  Event,
  KnownInputs,
  State,
  TransitionEvent,
} from "../definition.ts";
import { compileDetectorModel } from "../detectors/compile.ts";
import { ModelFault } from "../faults.ts";
import { analyseDetectorModel } from "./analyse.ts";

const inputs: KnownInputs = {
  TemperatureInput: [{ jsonPath: "id" }, { jsonPath: "sensorData.temperature" }, { jsonPath: "name" }],
};
const ABOVE = "$input.TemperatureInput.sensorData.temperature > 30";
const event = (condition: string | undefined, ...actions: Action[]): Event => ({
  eventName: "e",
  condition,
  actions,
});
const set = (variableName: string, value: string): Action => ({ setVariable: { variableName, value } });
const transition = (nextState: string, condition = ABOVE): TransitionEvent => ({
  eventName: "t",
  condition,
  nextState,
});
const state = (stateName: string, changes: Omit<State, "stateName"> = {}): State => ({
  stateName,
  ...changes,
});
const model = (...states: State[]): DetectorModelDefinition => ({
  states,
  initialStateName: states[0]?.stateName ?? "none",
});
/** One state with a condition on an input, and these events besides. */
const single = (...events: Event[]) =>
  model(state("only", { onInput: { events: [event(ABOVE), ...events] } }));

const find = (definition: DetectorModelDefinition, known = inputs) =>
  analyseDetectorModel(definition, known)
    .filter(({ level }) => level !== "INFO")
    .map(({ type, level, locations }) =>
      `${level} ${type} ${locations.map(({ path }) => path).join(" ")}`.trim(),
    );

describe("the published example", () => {
  const definition: DetectorModelDefinition = {
    states: [
      {
        stateName: "TemperatureCheck",
        onInput: {
          events: [
            {
              eventName: "Temperature Received",
              condition: "isNull($input.TemperatureInput.sensorData.temperature)==false",
              actions: [{ iotTopicPublish: { mqttTopic: "IoTEvents/Output" } }],
            },
          ],
          transitionEvents: [],
        },
        onEnter: {
          events: [{ eventName: "Init", condition: "true", actions: [set("temperatureChecked", "0")] }],
        },
        onExit: { events: [] },
      },
    ],
    initialStateName: "TemperatureCheck",
  };
  it("gives the published findings", () => {
    expect(analyseDetectorModel(definition, {})).toEqual([
      {
        type: "data-type",
        level: "INFO",
        message: "Inferred data types [Integer] for $variable.temperatureChecked",
        locations: [],
      },
      {
        type: "referenced-resource",
        level: "ERROR",
        message: 'The input "TemperatureInput" does not exist.',
        locations: [{ path: "states[0].onInput.events[0]" }],
      },
    ]);
  });
  it("gives none of weight once the input is there", () => {
    expect(find(definition)).toEqual([]);
  });
});

const many = <Thing>(count: number, make: (index: number) => Thing): Thing[] =>
  Array.from({ length: count }, (_, index) => make(index));
const AT = "states[0].onInput.events[1]";

describe("what is found", () => {
  const rows: [string, DetectorModelDefinition, string[]][] = [
    ["nothing", single(), []],
    [
      "no states",
      model(),
      ["ERROR structure states", "ERROR structure initialStateName", "ERROR structure states"],
    ],
    [
      "states of one name",
      model(state("a", { onInput: { events: [event(ABOVE)] } }), state("a")),
      ["ERROR structure states[0].stateName states[1].stateName"],
    ],
    [
      "an unknown initial state",
      { ...single(), initialStateName: "other" },
      ["ERROR structure initialStateName", "WARNING structure states[0]"],
    ],
    [
      "an unknown next state",
      model(state("a", { onInput: { transitionEvents: [transition("b")] } })),
      ["ERROR structure states[0].onInput.transitionEvents[0]"],
    ],
    [
      "a state that nothing leads to",
      model(state("a", { onInput: { transitionEvents: [transition("b")] } }), state("b"), state("c")),
      ["WARNING structure states[2]"],
    ],
    [
      "a state that only a never leads to",
      model(
        state("a", { onInput: { events: [event(ABOVE)], transitionEvents: [transition("b", "1 > 2")] } }),
        state("b"),
      ),
      ["WARNING structure states[1]"],
    ],
    ["actions that never happen", single(event("1 == 2", set("x", "1"))), [`WARNING structure ${AT}`]],
    [
      "no input in any condition",
      model(state("a", { onInput: { events: [event("true")] } })),
      ["ERROR structure states"],
    ],
    [
      "two types in one action",
      single(event("true", { ...set("x", "1"), sns: { targetArn: "arn:aws:sns:a:b:c" } })),
      [`ERROR structure ${AT}.actions[0]`],
    ],
    [
      "an action that doesn't exist",
      single(event("true", { telegraph: { to: "x" } } as Action)),
      [`ERROR supported-actions ${AT}.actions[0]`],
    ],
    ["an empty action", single(event("true", {})), [`ERROR supported-actions ${AT}.actions[0]`]],
    [
      "two durations of a timer",
      single(event("true", { setTimer: { timerName: "t", seconds: 60, durationExpression: "60" } })),
      [`ERROR structure ${AT}.actions[0].setTimer`, "WARNING structure states[0].onInput.events[0]"],
    ],
    [
      "a timer below a minute",
      single(event('triggerType("Message")', { setTimer: { timerName: "t", seconds: 59 } })),
      [`WARNING service-limits ${AT}.actions[0].setTimer`, "WARNING structure states[0].onInput.events[0]"],
    ],
    [
      "too many states",
      model(
        ...many(21, (index) =>
          state(`s${index}`, {
            onInput: { transitionEvents: [transition(`s${(index + 1) % 21}`)] },
          }),
        ),
      ),
      ["ERROR service-limits states"],
    ],
    [
      "too many events",
      single(...many(20, () => event("true"))),
      ["ERROR service-limits states[0].onInput.events"],
    ],
    [
      "too many transitions",
      model(state("a", { onInput: { transitionEvents: many(21, () => transition("a")) } })),
      ["ERROR service-limits states[0].onInput.transitionEvents"],
    ],
    [
      "too many actions",
      single(event("true", ...many(11, () => set("x", "1")))),
      [`ERROR service-limits ${AT}.actions`],
    ],
    [
      "too long a content expression",
      single(
        event("true", {
          sns: {
            targetArn: "arn:aws:sns:a:b:c",
            payload: { contentExpression: `'${"x".repeat(1030)}'`, type: "STRING" },
          },
        }),
      ),
      [`ERROR service-limits ${AT}.actions[0].sns.payload.contentExpression`],
    ],
    ["a condition that can't be read", single(event("1 +")), [`ERROR expression-syntax ${AT}.condition`]],
    [
      "a value that can't be read",
      single(event("true", set("x", "hello"))),
      [`ERROR expression-syntax ${AT}.actions[0].setVariable.value`],
    ],
    [
      "an attribute that the input lacks",
      single(event("$input.TemperatureInput.humidity > 1")),
      [`ERROR referenced-data ${AT}`],
    ],
    ["an unknown input", single(event('currentInput("Other")')), [`ERROR referenced-resource ${AT}`]],
    ["a timer never set", single(event('timeout("t")')), [`ERROR referenced-data ${AT}`]],
    [
      "a timer reset and never set",
      single(event("true", { resetTimer: { timerName: "t" } })),
      [`ERROR referenced-data ${AT}`],
    ],
    ["a variable never set", single(event("$variable.x > 1")), [`ERROR referenced-data ${AT}`]],
    [
      "a variable read before it is set",
      model(
        state("a", {
          onEnter: { events: [event("$variable.x > 1"), event("true", set("x", "1"))] },
          onInput: { events: [event(ABOVE)] },
        }),
      ),
      ["WARNING referenced-data states[0].onEnter.events[0]"],
    ],
    [
      "a variable set by the transition that leads here",
      model(
        state("a", {
          onInput: { transitionEvents: [{ ...transition("b"), actions: [set("x", "1")] }] },
        }),
        state("b", { onEnter: { events: [event("$variable.x > 1")] } }),
      ),
      [],
    ],
    ["a condition that is a number", single(event("1 + 1")), [`ERROR data-type ${AT}`]],
    ["operands that don't go together", single(event("1 == 'a'")), [`ERROR data-type ${AT}`]],
    ["a sum of truths", single(event("(true + false) == 1")), [`ERROR data-type ${AT}`]],
    ["arguments of another type", single(event("startsWith(5, 'a')")), [`ERROR data-type ${AT}`]],
    [
      "a duration that is a text",
      single(
        event("currentInput('TemperatureInput')", {
          setTimer: { timerName: "t", durationExpression: "'60'" },
        }),
      ),
      [`ERROR data-type ${AT}`, "WARNING structure states[0].onInput.events[0]"],
    ],
    [
      "a JSON payload that is a number",
      single(
        event("true", {
          lambda: { functionArn: "arn:aws:lambda:a:b:c", payload: { contentExpression: "5", type: "JSON" } },
        }),
      ),
      [`ERROR data-type ${AT}`],
    ],
    [
      "a property's value of another type",
      single(
        event("true", {
          iotSiteWise: { propertyAlias: "'p'", propertyValue: { value: { integerValue: "true" } } },
        }),
      ),
      [`ERROR data-type ${AT}`],
    ],
    [
      "one attribute of two types in different conditions",
      single(event("$input.TemperatureInput.name == 'a'"), event("$input.TemperatureInput.name > 5")),
      [`WARNING data-type ${AT} states[0].onInput.events[2]`],
    ],
    [
      "one attribute of two types in one condition",
      single(event("$input.TemperatureInput.name == 'a' || $input.TemperatureInput.name > 5")),
      [`ERROR data-type ${AT}`],
    ],
    [
      "a variable set to two types",
      single(event("true", set("x", "1"), set("x", "'one'"))),
      [`WARNING data-type ${AT}`],
    ],
    [
      "a truth from a number, by way of a variable",
      single(event("true", set("x", "1 + 1")), event("true && $variable.x")),
      [`WARNING data-type ${AT} states[0].onInput.events[2]`],
    ],
    [
      "inputs looked at when a timer elapses",
      single(event('triggerType("Message")', { setTimer: { timerName: "t", seconds: 60 } })),
      ["WARNING structure states[0].onInput.events[0]"],
    ],
    [
      "messages without end",
      model(
        state("a", {
          onEnter: { events: [event("true", { setTimer: { timerName: "t", seconds: 60 } })] },
          onInput: {
            events: [
              event(`currentInput("TemperatureInput") && ${ABOVE}`),
              event(
                'timeout("t")',
                { resetTimer: { timerName: "t" } },
                { sns: { targetArn: "arn:aws:sns:a:b:c" } },
              ),
            ],
          },
        }),
      ),
      [`WARNING structure ${AT}`],
    ],
  ];
  it.each(rows)("%s", (_, definition, findings) => {
    expect(find(definition)).toEqual(findings);
  });

  it("agrees with the compiler: what it refuses is an error here, apart from types", () => {
    for (const [name, definition, findings] of rows) {
      const errors = findings.filter((one) => one.startsWith("ERROR") && !one.includes("data-type"));
      const compile = () =>
        compileDetectorModel({ detectorModelName: "m", detectorModelVersion: "1", definition }, inputs);
      if (errors.length > 0) expect(compile, name).toThrow(ModelFault);
      else expect(compile, name).not.toThrow();
    }
  });
});

it("takes its time in proportion to the definition", () => {
  const events = many(20, (index) =>
    event(
      `${ABOVE} && $variable.x${index} > ${index}`,
      ...many(10, (position) => set(`x${position}`, `$variable.x${index} + ${position}`)),
    ),
  );
  const timeOf = (stateCount: number): number => {
    const states = many(stateCount, (index) =>
      state(`s${index}`, {
        onEnter: { events },
        onInput: { events, transitionEvents: many(stateCount, (next) => transition(`s${next}`)) },
        onExit: { events },
      }),
    );
    const before = process.cpuUsage();
    analyseDetectorModel(model(...states), inputs);
    return process.cpuUsage(before).user;
  };
  timeOf(20);
  expect(timeOf(20) / timeOf(5)).toBeLessThan(12);
});
