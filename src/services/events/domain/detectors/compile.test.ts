/** Detector models that are refused, with the place of the fault; and how keys are found. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { describe, expect, it } from "vitest";
import { compile, inputs, set, single, sourceOf } from "../../../../../tests/support/single-event-models.ts";
import type { Action, DetectorModelDefinition, Event } from "../definition.ts";
import { ModelFault } from "../faults.ts";
import { parsePayload } from "../payload.ts";
import { compileKey } from "../reader.ts";
import { compileDetectorModel } from "./compile.ts";

describe("definitions that are refused, with the place", () => {
  const event = (changes: Partial<Event>): DetectorModelDefinition => single({ eventName: "e", ...changes });
  const act = (action: Action) => event({ actions: [action] });
  const AT = "states[0].onInput.events[1]";
  const refused: [string, DetectorModelDefinition][] = [
    ["states", { initialStateName: "a", states: [] }],
    ["states[1].stateName", { initialStateName: "a", states: [{ stateName: "a" }, { stateName: "a" }] }],
    ["initialStateName", { initialStateName: "b", states: [{ stateName: "a" }] }],
    ["states", { initialStateName: "a", states: [{ stateName: "a" }] }],
    [`${AT}.condition (column 5)`, event({ condition: "1 + hello" })],
    [`${AT}.condition (column 1)`, event({ condition: "$input.Other.x > 1" })],
    [`${AT}.condition (column 3)`, event({ condition: "  $input.Reading.pressure > 1" })],
    [`${AT}.condition (column 14)`, event({ condition: 'currentInput("Other")' })],
    [`${AT}.condition`, event({ condition: "$variable.x > 1" })],
    [`${AT}.condition`, event({ condition: 'timeout("t")' })],
    [`${AT}.actions[0]`, act({})],
    [`${AT}.actions[0]`, act({ ...set("x", "1"), sns: { targetArn: "a" } })],
    [`${AT}.actions[0].setVariable.value (column 4)`, act(set("x", "1 +"))],
    [`${AT}.actions[0].setVariable.variableName`, act(set("not plain", "1"))],
    [`${AT}.actions[0].setTimer`, act({ setTimer: { timerName: "t" } })],
    [
      `${AT}.actions[0].setTimer`,
      act({ setTimer: { timerName: "t", seconds: 60, durationExpression: "60" } }),
    ],
    [`${AT}.actions[0].setTimer.seconds`, act({ setTimer: { timerName: "t", seconds: 0 } })],
    [`${AT}.actions[0].setTimer.seconds`, act({ setTimer: { timerName: "t", seconds: 31_622_401 } })],
    [`${AT}.actions[0].setTimer.timerName`, act({ setTimer: { timerName: "__proto__", seconds: 60 } })],
    [`${AT}.actions[0].resetTimer`, act({ resetTimer: { timerName: "t" } })],
    [`${AT}.actions[0].clearTimer`, act({ clearTimer: { timerName: "t" } })],
    [
      `${AT}.actions[0].iotTopicPublish.mqttTopic (column 1)`,
      act({ iotTopicPublish: { mqttTopic: "'open" } }),
    ],
    [
      `${AT}.actions[0].sns.payload.contentExpression`,
      act({ sns: { targetArn: "a", payload: { contentExpression: " ", type: "JSON" } } }),
    ],
    [
      `${AT}.actions[0].sns.payload.contentExpression (column 2)`,
      act({ sns: { targetArn: "a", payload: { contentExpression: " x", type: "JSON" } } }),
    ],
    [`${AT}.actions[0].dynamoDBv2.tableName (column 1)`, act({ dynamoDBv2: { tableName: "Table" } })],
    [
      `${AT}.actions[0].dynamoDBv2.payload.type`,
      act({ dynamoDBv2: { tableName: "'T'", payload: { contentExpression: "'{}'", type: "STRING" } } }),
    ],
    [`${AT}.actions[0].iotSiteWise`, act({ iotSiteWise: { assetId: "'a'" } })],
    [`${AT}.actions[0].iotSiteWise.propertyValue.value`, act({ iotSiteWise: { propertyAlias: "'a'" } })],
    [
      "states[0].onInput.transitionEvents[0].nextState",
      {
        initialStateName: "a",
        states: [
          {
            stateName: "a",
            onInput: {
              transitionEvents: [{ eventName: "t", condition: "$input.Reading.value > 1", nextState: "b" }],
            },
          },
        ],
      },
    ],
    [
      "states[0].onInput.transitionEvents[0].condition",
      {
        initialStateName: "a",
        states: [
          {
            stateName: "a",
            onInput: { transitionEvents: [{ eventName: "t", condition: " ", nextState: "a" }] },
          },
        ],
      },
    ],
  ];
  it.each(refused)("%s", (place, definition) => {
    expect(() => compile(definition)).toThrow(ModelFault);
    expect(() => compile(definition)).toThrow(expect.objectContaining({ place, limit: false }));
  });

  const many = <Thing>(count: number, thing: Thing): Thing[] => Array.from({ length: count }, () => thing);
  const tooLarge: [string, DetectorModelDefinition][] = [
    [
      "states",
      {
        initialStateName: "s0",
        states: Array.from({ length: 21 }, (_, index) => ({ stateName: `s${index}` })),
      },
    ],
    ["states[0].onInput.events", single(...many(20, { eventName: "e" }))],
    [`${AT}.actions`, event({ actions: many(11, set("x", "1")) })],
    [
      "states",
      single(
        ...Array.from({ length: 6 }, (_, group) => ({
          eventName: "e",
          actions: Array.from({ length: 10 }, (__, index) => set(`v${group}x${index}`, "1")),
        })),
      ),
    ],
    [
      `${AT}.actions[0].sns.payload.contentExpression`,
      act({
        sns: { targetArn: "a", payload: { contentExpression: `'${"é".repeat(600)}'`, type: "STRING" } },
      }),
    ],
    ["detectorModelDefinition", event({ eventName: "e".repeat(600_000) })],
  ];
  it.each(tooLarge)("%s, because it is too large", (place, definition) => {
    expect(() => compile(definition)).toThrow(expect.objectContaining({ place, limit: true }));
  });

  it("key: it can't be read", () => {
    const source = { ...sourceOf(single()), key: "a..b" };
    expect(() => compileDetectorModel(source, inputs)).toThrow(ModelFault);
  });
  it("a stored version is not held against inputs again", () => {
    const stored = compileDetectorModel(
      sourceOf(single({ eventName: "e", condition: "$input.Gone.x > 1" })),
      undefined,
    );
    expect(stored.inputNames).toEqual(["Reading", "Gone"]);
  });
});

describe("keys", () => {
  it.each([
    ["unit", '{"unit": "u1"}', "u1"],
    ["unit", '{"unit": 7}', "7"],
    ["unit", '{"unit": true}', "true"],
    ["a.b[1].`c d`", '{"a": {"b": [0, {"c d": "x"}]}}', "x"],
    ["unit", '{"unit": ""}', undefined],
    ["unit", '{"unit": null}', undefined],
    ["unit", '{"unit": {}}', undefined],
    ["unit", "[]", undefined],
    ["unit", "null", undefined],
    ["constructor", "{}", undefined],
  ])("%s of %s", (path, payload, key) => {
    expect(compileKey(path)(parsePayload(payload))).toBe(key);
  });
  it("a model without one has a single detector", () => {
    const model = compileDetectorModel({ ...sourceOf(single()), key: undefined }, inputs);
    expect(model.keyOf("Reading", {})).toBe("");
  });
});
