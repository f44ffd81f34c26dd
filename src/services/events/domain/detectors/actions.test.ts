/** What each action sends, and what an error stops. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { describe, expect, it } from "vitest";
import {
  compile,
  errorsOf,
  happen,
  message,
  NOW_MS,
  occasion,
  sent,
  set,
  single,
} from "../../../../../tests/support/single-event-models.ts";
import type { Action } from "../definition.ts";
import { evaluateDetector } from "./evaluate.ts";

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
