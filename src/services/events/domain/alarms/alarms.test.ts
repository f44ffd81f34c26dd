/** Alarms: every state by every action and every result of the rule, and what is told of each change. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import { describe, expect, it } from "vitest";
import type { AlarmCapabilities, ComparisonOperator, KnownInputs } from "../definition.ts";
import { ModelFault } from "../faults.ts";
import { type AlarmModelSource, compileAlarmModel } from "./compile.ts";
import { evaluateAlarm } from "./evaluate.ts";
import {
  ALARM_STATES,
  type AlarmState,
  type AlarmStateName,
  CUSTOMER_ACTIONS,
  type CustomerActionName,
} from "./state.ts";

const NOW_MS = Date.UTC(2026, 10, 15, 12, 0, 0);
const inputs: KnownInputs = {
  Pressure: [{ jsonPath: "pump" }, { jsonPath: "bar" }, { jsonPath: "limit" }],
  Setting: [{ jsonPath: "pump" }, { jsonPath: "limit" }],
};
const occasion = { nowMs: NOW_MS, keyValue: "pump-7" };

const modelOf = (changes: Partial<AlarmModelSource> = {}) =>
  compileAlarmModel(
    {
      alarmModelName: "over-pressure",
      alarmModelVersion: "1",
      key: "pump",
      severity: 3,
      alarmRule: {
        simpleRule: { inputProperty: "$input.Pressure.bar", comparisonOperator: "GREATER", threshold: "70" },
      },
      ...changes,
    },
    inputs,
  );
const enabled = (acknowledgeFlow: boolean): AlarmCapabilities => ({
  initializationConfiguration: { disabledOnInitialization: false },
  acknowledgeFlow: { enabled: acknowledgeFlow },
});
const message = (payload: unknown, inputName = "Pressure") =>
  ({ kind: "message", inputName, messageId: "m", payload, atMs: NOW_MS }) as const;
const inState = (stateName: AlarmStateName): AlarmState => ({
  stateName,
  inputs: { Pressure: { bar: 50 } },
  ...(stateName === "SNOOZE_DISABLED" && { snoozeUntilMs: NOW_MS + 60_000 }),
});

const AFTER: Record<CustomerActionName, AlarmStateName> = {
  ACKNOWLEDGE: "ACKNOWLEDGED",
  DISABLE: "DISABLED",
  ENABLE: "NORMAL",
  RESET: "NORMAL",
  SNOOZE: "SNOOZE_DISABLED",
};
const CONFIGURATION: Record<CustomerActionName, string> = {
  ACKNOWLEDGE: "acknowledgeActionConfiguration",
  DISABLE: "disableActionConfiguration",
  ENABLE: "enableActionConfiguration",
  RESET: "resetActionConfiguration",
  SNOOZE: "snoozeActionConfiguration",
};

describe.each([true, false])("with an acknowledge flow: %s", (acknowledgeFlow) => {
  const model = modelOf({ alarmCapabilities: enabled(acknowledgeFlow) });
  const pairs = ALARM_STATES.flatMap((state) => CUSTOMER_ACTIONS.map((action) => [state, action] as const));

  it.each(pairs)("%s, then %s", (stateName, actionName) => {
    const { state, log } = evaluateAlarm(
      model,
      inState(stateName),
      { kind: "customer", actionName, note: "seen", snoozeDurationSeconds: 90 },
      occasion,
    );
    expect(state.stateName).toBe(AFTER[actionName]);
    expect(state.customerAction).toEqual({
      actionName,
      [CONFIGURATION[actionName]]: { note: "seen", ...(actionName === "SNOOZE" && { snoozeDuration: 90 }) },
    });
    expect(state.snoozeUntilMs).toBe(actionName === "SNOOZE" ? NOW_MS + 90_000 : undefined);
    expect(log.map(({ from, to }) => [from, to])).toEqual(
      stateName === AFTER[actionName] ? [] : [[stateName, AFTER[actionName]]],
    );
  });

  const unacknowledged: AlarmStateName = acknowledgeFlow ? "LATCHED" : "NORMAL";
  const rules: [AlarmStateName, AlarmStateName, AlarmStateName][] = [
    ["DISABLED", "DISABLED", "DISABLED"],
    ["NORMAL", "ACTIVE", "NORMAL"],
    ["ACTIVE", "ACTIVE", unacknowledged],
    ["ACKNOWLEDGED", "ACKNOWLEDGED", "NORMAL"],
    ["SNOOZE_DISABLED", "SNOOZE_DISABLED", "SNOOZE_DISABLED"],
    ["LATCHED", "ACTIVE", unacknowledged],
  ];
  it.each(rules)("%s: breached gives %s, within range %s", (stateName, breached, within) => {
    const having = (bar: number) =>
      evaluateAlarm(model, inState(stateName), message({ bar }), occasion).state;
    expect(having(71).stateName).toBe(breached);
    expect(having(70).stateName).toBe(within);
    const isLooking = stateName !== "DISABLED" && stateName !== "SNOOZE_DISABLED";
    expect(having(71).ruleEvaluation).toEqual(
      isLooking
        ? { simpleRuleEvaluation: { inputPropertyValue: "71", operator: "GREATER", thresholdValue: "70" } }
        : undefined,
    );
  });

  it.each([...ALARM_STATES])("%s stays when nothing can be compared", (stateName) => {
    for (const payload of [{}, { bar: null }, { bar: "high" }, { bar: { deep: 1 } }, 5, null])
      expect(evaluateAlarm(model, inState(stateName), message(payload), occasion).state.stateName).toBe(
        stateName,
      );
  });
});

describe("a rule", () => {
  const comparisons: [ComparisonOperator, number[]][] = [
    ["GREATER", [71]],
    ["GREATER_OR_EQUAL", [70, 71]],
    ["LESS", [69]],
    ["LESS_OR_EQUAL", [69, 70]],
    ["EQUAL", [70]],
    ["NOT_EQUAL", [69, 71]],
  ];
  it.each(comparisons)("%s is breached by %j of 69, 70, 71", (comparisonOperator, breaching) => {
    const model = modelOf({
      alarmCapabilities: enabled(false),
      alarmRule: {
        simpleRule: { inputProperty: "$input.Pressure.bar", comparisonOperator, threshold: "70" },
      },
    });
    const active = [69, 70, 71].filter(
      (bar) => evaluateAlarm(model, undefined, message({ bar }), occasion).state.stateName === "ACTIVE",
    );
    expect(active).toEqual(breaching);
  });

  it("takes its threshold from the same message, or from the last one of another input", () => {
    const rule = (threshold: string) =>
      modelOf({
        alarmCapabilities: enabled(false),
        alarmRule: {
          simpleRule: { inputProperty: "$input.Pressure.bar", comparisonOperator: "GREATER", threshold },
        },
      });
    const same = evaluateAlarm(
      rule("$input.Pressure.limit"),
      undefined,
      message({ bar: 8, limit: 7.5 }),
      occasion,
    );
    expect(same.state.ruleEvaluation).toEqual({
      simpleRuleEvaluation: { inputPropertyValue: "8", operator: "GREATER", thresholdValue: "7.5" },
    });
    const other = rule("$input.Setting.limit");
    const before = evaluateAlarm(other, undefined, message({ bar: 8 }), occasion);
    expect(before.state.stateName).toBe("NORMAL");
    const after = evaluateAlarm(other, before.state, message({ limit: 5 }, "Setting"), occasion);
    expect(after.state.stateName).toBe("ACTIVE");
    expect([...other.inputNames]).toEqual(["Pressure", "Setting"]);
  });

  it("logs what can't be compared, and goes on with the next message", () => {
    const model = modelOf({ alarmCapabilities: enabled(false) });
    const bad = evaluateAlarm(model, undefined, message({ bar: "high" }), occasion);
    expect(bad.log.map(({ kind, place }) => [kind, place])).toEqual([
      ["created", undefined],
      ["error", "alarmRule.simpleRule"],
    ]);
    expect(evaluateAlarm(model, bad.state, message({ bar: 90 }), occasion).state.stateName).toBe("ACTIVE");
  });
});

describe("the beginning", () => {
  it.each([
    ["no word of it", undefined, "DISABLED"],
    ["disabled", { initializationConfiguration: { disabledOnInitialization: true } }, "DISABLED"],
    ["enabled", { initializationConfiguration: { disabledOnInitialization: false } }, "NORMAL"],
  ] as const)("with %s", (_, alarmCapabilities, stateName) => {
    const { state } = evaluateAlarm(modelOf({ alarmCapabilities }), undefined, message({ bar: 1 }), occasion);
    expect(state.stateName).toBe(stateName);
  });
});

describe("a snooze", () => {
  const model = modelOf({ alarmCapabilities: enabled(true) });
  const snoozed = evaluateAlarm(
    model,
    inState("ACTIVE"),
    { kind: "customer", actionName: "SNOOZE", snoozeDurationSeconds: 60 },
    occasion,
  ).state;
  const later = { ...occasion, nowMs: NOW_MS + 60_000 };

  it.each([
    [90, "ACTIVE"],
    [10, "NORMAL"],
  ])("ends with the rule on the last value %d: %s", (bar, stateName) => {
    const heard = evaluateAlarm(model, snoozed, message({ bar }), occasion).state;
    expect(heard.stateName).toBe("SNOOZE_DISABLED");
    const { state, log } = evaluateAlarm(model, heard, { kind: "snoozeEnded" }, later);
    expect(state).toMatchObject({
      stateName,
      customerAction: { actionName: "SNOOZE" },
      systemEvent: {
        eventType: "STATE_CHANGE",
        stateChangeConfiguration: { triggerType: "SNOOZE_TIMEOUT" },
      },
      ruleEvaluation: { simpleRuleEvaluation: { inputPropertyValue: String(bar) } },
    });
    expect(state.snoozeUntilMs).toBeUndefined();
    expect(log.map(({ from, to }) => [from, to])).toEqual([["SNOOZE_DISABLED", stateName]]);
  });
  it("that is not over yet, or was ended by someone, doesn't end again", () => {
    expect(evaluateAlarm(model, snoozed, { kind: "snoozeEnded" }, occasion).state).toBe(snoozed);
    const woken = evaluateAlarm(model, snoozed, { kind: "customer", actionName: "ENABLE" }, occasion).state;
    expect(evaluateAlarm(model, woken, { kind: "snoozeEnded" }, later).state).toBe(woken);
  });
});

it("a reset forgets the last value", () => {
  const model = modelOf({ alarmCapabilities: enabled(true) });
  const active = evaluateAlarm(model, undefined, message({ bar: 90 }), occasion).state;
  const { state } = evaluateAlarm(model, active, { kind: "customer", actionName: "RESET" }, occasion);
  expect(state).toEqual({
    stateName: "NORMAL",
    inputs: {},
    customerAction: { actionName: "RESET", resetActionConfiguration: {} },
  });
});

describe("what a change of state tells", () => {
  const model = modelOf({
    alarmCapabilities: enabled(true),
    alarmEventActions: {
      alarmActions: [
        { sns: { targetArn: "arn:aws:sns:eu-west-1:123456789012:pumps" } },
        {
          iotTopicPublish: {
            mqttTopic: "'alarms/${$input.Pressure.pump}'",
            payload: { contentExpression: "'{\"bar\": ${$input.Pressure.bar}}'", type: "JSON" },
          },
        },
        {
          sqs: {
            queueUrl: "https://queue.example/1",
            payload: { contentExpression: "$input.Pressure.limit", type: "STRING" },
          },
        },
      ],
    },
    alarmNotification: {
      notificationActions: [
        {
          action: { lambdaAction: { functionArn: "arn:aws:lambda:eu-west-1:123456789012:function:tell" } },
          emailConfigurations: [
            {
              from: "alarms@example.com",
              content: { additionalMessage: "Close valve 3." },
              recipients: { to: [{ ssoIdentity: { identityStoreId: "d-1", userId: "anna" } }] },
            },
          ],
          smsConfigurations: [
            { senderId: "PUMPS", recipients: [{ ssoIdentity: { identityStoreId: "d-1", userId: "ben" } }] },
          ],
        },
      ],
    },
  });
  const { actions, log, state } = evaluateAlarm(
    model,
    undefined,
    message({ pump: "pump-7", bar: 82.5 }),
    occasion,
  );

  it("goes to every destination whose payload can be made; the others are logged", () => {
    expect(actions.map(({ kind, target }) => [kind, target])).toEqual([
      ["notification", "arn:aws:sns:eu-west-1:123456789012:pumps"],
      ["topic", "alarms/pump-7"],
      ["function", "arn:aws:lambda:eu-west-1:123456789012:function:tell"],
      ["mail", "anna"],
      ["text", "ben"],
    ]);
    expect(log.filter(({ kind }) => kind === "error").map(({ place }) => place)).toEqual([
      "alarmEventActions.alarmActions[2]",
    ]);
  });
  it("says what happened, in the words of the notification event", () => {
    const [sns, topic, call] = actions;
    const payload = {
      alarmModelName: "over-pressure",
      alarmModelVersion: "1",
      keyValue: "pump-7",
      severity: 3,
      stateUpdateTime: NOW_MS,
      alarmState: {
        stateName: "ACTIVE",
        ruleEvaluation: { simpleRule: { inputProperty: "82.5", operator: "GREATER", threshold: "70" } },
      },
    };
    expect(JSON.parse(sns?.body ?? "")).toEqual(payload);
    expect(topic?.body).toBe('{"bar": 82.5}');
    const { notificationEventPayload, ...people } = JSON.parse(call?.body ?? "");
    expect(JSON.parse(notificationEventPayload)).toEqual(payload);
    expect(people).toEqual({
      emailConfigurations: [
        { from: "alarms@example.com", to: ["anna"], additionalMessage: "Close valve 3." },
      ],
      smsConfigurations: [{ senderId: "PUMPS", phoneNumbers: ["ben"] }],
    });
  });
  it("is written out for people", () => {
    const [, , , mail, text] = actions;
    expect(mail?.details).toEqual({
      from: "alarms@example.com",
      subject: "Alarm over-pressure (pump-7) is ACTIVE",
    });
    expect(mail?.body).toBe(
      "The alarm over-pressure (pump-7) is ACTIVE since 15 Nov 2026, 12:00:00 UTC.\nSeverity: 3\nCompared last: 82.5 GREATER 70\n\nClose valve 3.",
    );
    expect(text?.body).toBe(
      "The alarm over-pressure (pump-7) is ACTIVE since 15 Nov 2026, 12:00:00 UTC.\nSeverity: 3\nCompared last: 82.5 GREATER 70",
    );
  });
  it("isn't told when nothing changed", () => {
    expect(evaluateAlarm(model, state, message({ bar: 83 }), occasion).actions).toEqual([]);
  });
  it("survives being written down", () => {
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });
});

describe("models that are refused", () => {
  const simpleRule = {
    inputProperty: "$input.Pressure.bar",
    comparisonOperator: "GREATER",
    threshold: "70",
  } as const;
  it.each([
    ["alarmRule", { alarmRule: {} }],
    [
      "alarmRule.simpleRule.inputProperty",
      { alarmRule: { simpleRule: { ...simpleRule, inputProperty: "70" } } },
    ],
    [
      "alarmRule.simpleRule.threshold (column 1)",
      { alarmRule: { simpleRule: { ...simpleRule, threshold: "high" } } },
    ],
    [
      "alarmRule.simpleRule.threshold",
      { alarmRule: { simpleRule: { ...simpleRule, threshold: "$variable.limit" } } },
    ],
    [
      "alarmRule.simpleRule.inputProperty (column 1)",
      { alarmRule: { simpleRule: { ...simpleRule, inputProperty: "$input.Nothing.bar" } } },
    ],
    ["alarmEventActions.alarmActions[0]", { alarmEventActions: { alarmActions: [{}] } }],
    ["key (column 3)", { key: "a..b" }],
  ])("at %s", (place, changes) => {
    const attempt = () => modelOf(changes);
    expect(attempt).toThrow(ModelFault);
    expect(attempt).toThrow(expect.objectContaining({ place }));
  });
});
