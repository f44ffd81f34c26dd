/** Detector models: what is refused and where, what each action sends, and what an error stops. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { describe, expect, it } from "vitest";
import type { Action, DetectorModelDefinition, EvaluationMethod, Event, KnownInputs } from "../definition.ts";
import { ModelFault } from "../faults.ts";
import { parsePayload } from "../payload.ts";
import { compileKey } from "../reader.ts";
import { compileDetectorModel, type DetectorModelSource } from "./compile.ts";
import { evaluateDetector } from "./evaluate.ts";
import { type DetectorState, describeVariables, newDetectorState, waitingTimers } from "./state.ts";

const NOW_MS = 1_700_000_000_250;
const inputs: KnownInputs = {
  Reading: [{ jsonPath: "unit" }, { jsonPath: "value" }, { jsonPath: "`odd name`" }, { jsonPath: "list" }],
  constructor: [{ jsonPath: "unit" }],
};
const set = (variableName: string, value: string): Action => ({ setVariable: { variableName, value } });
const sourceOf = (
  definition: DetectorModelDefinition,
  evaluationMethod: EvaluationMethod = "BATCH",
): DetectorModelSource => ({
  detectorModelName: "model",
  detectorModelVersion: "3",
  key: "unit",
  definition,
  evaluationMethod,
});
const single = (...events: Event[]): DetectorModelDefinition => ({
  initialStateName: "only",
  states: [
    {
      stateName: "only",
      onInput: { events: [{ eventName: "seen", condition: 'currentInput("Reading")' }, ...events] },
    },
  ],
});
const compile = (definition: DetectorModelDefinition, method?: EvaluationMethod) =>
  compileDetectorModel(sourceOf(definition, method), inputs);
const message = (payload: unknown) =>
  ({ kind: "message", inputName: "Reading", messageId: "m-1", payload, atMs: NOW_MS }) as const;
const occasion = { nowMs: NOW_MS, keyValue: "u1" };

/** What one message makes of one event. */
function happen(actions: readonly Action[], payload: unknown = { unit: "u1", value: 5 }, condition?: string) {
  const model = compile(single({ eventName: "e", condition, actions }));
  return evaluateDetector(model, undefined, message(payload), occasion);
}
const sent = (action: Action, payload?: unknown) => happen([action], payload).actions[0];
const errorsOf = (log: readonly { kind: string; place?: string; text: string }[]) =>
  log.filter(({ kind }) => kind === "error").map(({ place, text }) => `${place}: ${text}`);

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

  it.each([
    ["has no such attribute", "motor"],
    ["can't be read", "a..b"],
  ])("key: it %s", (_, key) => {
    expect(() => compileDetectorModel({ ...sourceOf(single()), key }, inputs)).toThrow(ModelFault);
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

describe("the standard payload", () => {
  const definition = single({
    eventName: "tell",
    actions: [
      set("whole", "2 * 1.5"),
      set("text", "'a\"b'"),
      { setTimer: { timerName: "wait", seconds: 60 } },
      { sns: { targetArn: "arn:aws:sns:eu-west-1:123456789012:all" } },
    ],
  });
  const evaluate = () => evaluateDetector(compile(definition), undefined, message({ unit: "u1" }), occasion);
  const [action] = evaluate().actions;

  it("tells of the detector, the event and its cause", () => {
    expect(JSON.parse(action?.body ?? "")).toEqual({
      eventTime: NOW_MS,
      payload: {
        actionExecutionId: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        detector: { detectorModelName: "model", keyValue: "u1", detectorModelVersion: "3" },
        eventTriggerDetails: { inputName: "Reading", messageId: "m-1", triggerType: "Message" },
        state: {
          stateName: "only",
          variables: { whole: 3, text: 'a"b' },
          timers: { wait: Math.floor(NOW_MS / 1000) + 60 },
        },
      },
      eventName: "tell",
    });
    expect(action?.body).toContain('"whole":3.0');
  });
  it("is the same when the message is evaluated again", () => {
    expect(evaluate().actions).toEqual([action]);
  });
});

describe("what each action sends", () => {
  const payload = (contentExpression: string, type: "STRING" | "JSON" = "JSON") => ({
    contentExpression,
    type,
  });
  const BODY = "'{\"v\": ${$input.Reading.value}}'";
  it.each<[string, Action, object]>([
    [
      "sns",
      { sns: { targetArn: "arn:x", payload: payload(BODY) } },
      { kind: "notification", target: "arn:x", body: '{"v": 5}' },
    ],
    [
      "iotTopicPublish",
      {
        iotTopicPublish: {
          mqttTopic: "units/${$input.Reading.unit}",
          payload: payload("$input.Reading.value", "STRING"),
        },
      },
      { kind: "topic", target: "units/u1", body: "5" },
    ],
    [
      "lambda",
      { lambda: { functionArn: "arn:f", payload: payload(BODY) } },
      { kind: "function", target: "arn:f", body: '{"v": 5}' },
    ],
    [
      "iotEvents",
      { iotEvents: { inputName: "Next", payload: payload(BODY) } },
      { kind: "input", target: "Next", body: '{"v": 5}' },
    ],
    [
      "sqs",
      { sqs: { queueUrl: "https://q.example", useBase64: true, payload: payload(BODY) } },
      { kind: "queue", target: "https://q.example", body: "eyJ2IjogNX0=", details: { useBase64: true } },
    ],
    [
      "firehose",
      { firehose: { deliveryStreamName: "stream", separator: "\n", payload: payload(BODY) } },
      { kind: "deliveryStream", target: "stream", body: '{"v": 5}\n', details: { separator: "\n" } },
    ],
    [
      "dynamoDB",
      {
        dynamoDB: {
          tableName: "'T'",
          hashKeyField: "'id'",
          hashKeyValue: "$input.Reading.unit",
          rangeKeyField: "'at'",
          rangeKeyType: "'NUMBER'",
          rangeKeyValue: "'${$input.Reading.value}'",
          payload: payload(BODY),
        },
      },
      {
        kind: "table",
        target: "T",
        body: '{"v": 5}',
        details: {
          operation: "INSERT",
          hashKeyField: "id",
          hashKeyType: "STRING",
          hashKeyValue: "u1",
          rangeKeyField: "at",
          rangeKeyType: "NUMBER",
          rangeKeyValue: "5",
          payloadField: "payload",
        },
      },
    ],
    [
      "dynamoDB with a text",
      {
        dynamoDB: {
          tableName: "'T'",
          hashKeyField: "'id'",
          hashKeyValue: "'1'",
          operation: "'UPDATE'",
          payloadField: "'column'",
          payload: payload("'hello'", "STRING"),
        },
      },
      {
        kind: "table",
        target: "T",
        body: "aGVsbG8=",
        details: {
          operation: "UPDATE",
          hashKeyField: "id",
          hashKeyType: "STRING",
          hashKeyValue: "1",
          payloadField: "column_raw",
        },
      },
    ],
    [
      "dynamoDBv2",
      { dynamoDBv2: { tableName: "'T' + $input.Reading.unit", payload: payload(BODY) } },
      { kind: "tableItem", target: "Tu1", body: '{"v": 5}' },
    ],
    [
      "iotSiteWise by alias",
      {
        iotSiteWise: {
          entryId: "'e'",
          propertyAlias: "'/plant/${$input.Reading.unit}'",
          propertyValue: {
            value: { doubleValue: "$input.Reading.value * 1.5" },
            timestamp: { timeInSeconds: "1600000000", offsetInNanos: "'5'" },
            quality: "'BAD'",
          },
        },
      },
      {
        kind: "assetProperty",
        target: "/plant/u1",
        body: '{"entryId":"e","propertyAlias":"/plant/u1","propertyValues":[{"value":{"doubleValue":7.5},"timestamp":{"timeInSeconds":1600000000,"offsetInNanos":5},"quality":"BAD"}]}',
        details: { entryId: "e", propertyAlias: "/plant/u1" },
      },
    ],
  ])("%s", (_, action, expected) => {
    expect(sent(action)).toMatchObject(expected);
  });
  it.each([
    ["stringValue", "$input.Reading.value", '{"stringValue":"5"}'],
    ["integerValue", "'100'", '{"integerValue":100}'],
    ["doubleValue", "1.0", '{"doubleValue":1}'],
    ["booleanValue", "'TRUE'", '{"booleanValue":true}'],
    ["booleanValue", "$input.Reading.value > 4", '{"booleanValue":true}'],
  ])("a property's %s of %s", (name, expression, value) => {
    const action = sent({
      iotSiteWise: { assetId: "'a'", propertyId: "'p'", propertyValue: { value: { [name]: expression } } },
    });
    expect(action?.target).toBe("a/p");
    expect(action?.body).toContain(
      `"propertyValues":[{"value":${value},"timestamp":{"timeInSeconds":1700000000,"offsetInNanos":250000000},"quality":"GOOD"}]`,
    );
  });
});

describe("an error", () => {
  const AT = "states[0].onInput.events[1]";
  it.each<[string, Action, string]>([
    ["a value that isn't there", set("x", "$input.Reading.list"), "setVariable"],
    ["null", set("x", "$input.Reading.`odd name`"), "setVariable"],
    ["types", set("x", "$input.Reading.value + 'a'"), "setVariable"],
    [
      "a duration that is no number",
      { setTimer: { timerName: "t", durationExpression: "'soon'" } },
      "setTimer",
    ],
    ["a duration of nothing", { setTimer: { timerName: "t", durationExpression: "0.9" } }, "setTimer"],
    ["a duration without end", { setTimer: { timerName: "t", durationExpression: "31622401" } }, "setTimer"],
    [
      "a payload that isn't there",
      { sns: { targetArn: "a", payload: { contentExpression: "$input.Reading.list", type: "JSON" } } },
      "sns",
    ],
    [
      "a JSON payload that is a number",
      { sns: { targetArn: "a", payload: { contentExpression: "5", type: "JSON" } } },
      "sns",
    ],
    [
      "an item that is no object",
      { dynamoDBv2: { tableName: "'t'", payload: { contentExpression: "'[1]'", type: "JSON" } } },
      "dynamoDBv2",
    ],
    [
      "an operation that doesn't exist",
      { dynamoDB: { tableName: "'t'", hashKeyField: "'a'", hashKeyValue: "'b'", operation: "'DROP'" } },
      "dynamoDB",
    ],
    [
      "a value of another type",
      { iotSiteWise: { propertyAlias: "'a'", propertyValue: { value: { integerValue: "1.5" } } } },
      "iotSiteWise",
    ],
  ])("%s stops its action alone", (_, action) => {
    const { state, log, actions } = happen(
      [set("before", "1"), action, set("after", "2"), { sns: { targetArn: "b" } }],
      {
        unit: "u1",
        value: 5,
        "odd name": null,
      },
    );
    expect(errorsOf(log)).toEqual([expect.stringContaining(`${AT}.actions[1]: `)]);
    expect(state.variables).toEqual({ before: 1, after: 2 });
    expect(actions.map(({ target }) => target)).toEqual(["b"]);
  });
  it("in a condition makes it not hold, and the other events happen", () => {
    const model = compile(
      single(
        { eventName: "bad", condition: "$input.Reading.value == 'a'", actions: [set("bad", "1")] },
        { eventName: "good", actions: [set("good", "1")] },
      ),
    );
    const { state, log } = evaluateDetector(model, undefined, message({ unit: "u1", value: 5 }), occasion);
    expect(state.variables).toEqual({ good: 1 });
    expect(errorsOf(log)).toEqual([expect.stringContaining(`${AT}.condition: `)]);
  });
  it("is none when data is missing in a condition", () => {
    const { state, log } = happen([set("x", "1")], { unit: "u1" }, "$input.Reading.value > 1");
    expect(state.variables).toEqual({});
    expect(errorsOf(log)).toEqual([]);
  });
  it("a payload that should be JSON and isn't is sent with a warning", () => {
    const { log, actions } = happen([
      { sns: { targetArn: "a", payload: { contentExpression: "'hello'", type: "JSON" } } },
    ]);
    expect(actions.map(({ body }) => body)).toEqual(["hello"]);
    expect(log.filter(({ kind }) => kind === "warning")).toHaveLength(1);
  });
  it("doesn't fill the log", () => {
    const events = Array.from({ length: 19 }, () => ({
      eventName: "e",
      actions: Array.from({ length: 10 }, () => set("x", "1 / 0")),
    }));
    const { log } = evaluateDetector(
      compile(single(...events)),
      undefined,
      message({ unit: "u1" }),
      occasion,
    );
    expect(log).toHaveLength(100);
  });
});

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
