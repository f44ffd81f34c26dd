/** Five detector models as people write them, each with a story of messages and what must come of it, second by second. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are templates of the expression language.
import type { DetectorModelDefinition, EvaluationMethod } from "../../src/services/events/domain/index.ts";

type Step = { readonly atSecond: number; readonly inputName: string; readonly payload: unknown };
export type ModelStory = {
  readonly name: string;
  readonly inputs: Readonly<Record<string, readonly { readonly jsonPath: string }[]>>;
  readonly key: string;
  readonly evaluationMethod: EvaluationMethod;
  readonly definition: DetectorModelDefinition;
  readonly steps: readonly Step[];
  /** How long to wait after the last message. */
  readonly endSecond: number;
  /** `second key: from → to (event)`. */
  readonly transitions: readonly string[];
  /** `second key: kind target`, and what was sent where the model says so itself. */
  readonly sent: readonly string[];
  /** Names and values of the first key's variables in the end. */
  readonly variables: Readonly<Record<string, string>>;
};

const set = (variableName: string, value: string) => ({ setVariable: { variableName, value } });
const json = (contentExpression: string) => ({ contentExpression, type: "JSON" as const });
const topic = (mqttTopic: string, contentExpression?: string) => ({
  iotTopicPublish: {
    mqttTopic,
    ...(contentExpression !== undefined && { payload: json(contentExpression) }),
  },
});
const notification = (name: string) => ({ sns: { targetArn: `arn:aws:sns:eu-west-1:123456789012:${name}` } });
const NOTIFICATIONS = "notification arn:aws:sns:eu-west-1:123456789012:";

const PRESSURE = "$input.PressureInput.sensorData.pressure";
const pressure = (atSecond: number, motorid: string, value: number): Step => ({
  atSecond,
  inputName: "PressureInput",
  payload: { motorid, sensorData: { pressure: value } },
});
/** After one reading above 70 a motor is in danger until three in a row are not. */
const motorPressure: ModelStory = {
  name: "motor-pressure",
  inputs: { PressureInput: [{ jsonPath: "motorid" }, { jsonPath: "sensorData.pressure" }] },
  key: "motorid",
  evaluationMethod: "BATCH",
  definition: {
    initialStateName: "Normal",
    states: [
      {
        stateName: "Normal",
        onEnter: { events: [{ eventName: "init", condition: "true", actions: [set("breached", "0")] }] },
        onInput: {
          transitionEvents: [
            {
              eventName: "Overpressurized",
              condition: `${PRESSURE} > 70`,
              actions: [set("breached", "$variable.breached + 3")],
              nextState: "Dangerous",
            },
          ],
        },
      },
      {
        stateName: "Dangerous",
        onEnter: {
          events: [
            { eventName: "Breached", condition: "$variable.breached > 1", actions: [notification("over")] },
          ],
        },
        onInput: {
          events: [
            { eventName: "StillOver", condition: `${PRESSURE} > 70`, actions: [set("breached", "3")] },
            {
              eventName: "Okay",
              condition: `${PRESSURE} <= 70`,
              actions: [set("breached", "$variable.breached - 1")],
            },
          ],
          transitionEvents: [
            {
              eventName: "BackToNormal",
              condition: `${PRESSURE} <= 70 && $variable.breached <= 1`,
              nextState: "Normal",
            },
          ],
        },
        onExit: {
          events: [{ eventName: "Restored", condition: "true", actions: [notification("restored")] }],
        },
      },
    ],
  },
  steps: [
    pressure(0, "A", 60),
    pressure(1, "B", 90),
    pressure(2, "A", 71),
    pressure(3, "A", 70),
    pressure(4, "B", 65),
    pressure(5, "A", 69),
    pressure(6, "A", 75),
    pressure(7, "A", 60),
    pressure(8, "A", 60),
    pressure(9, "A", 60),
    pressure(10, "A", 60),
    pressure(11, "B", 65),
  ],
  endSecond: 12,
  transitions: [
    "1 B: Normal → Dangerous (Overpressurized)",
    "2 A: Normal → Dangerous (Overpressurized)",
    "9 A: Dangerous → Normal (BackToNormal)",
  ],
  sent: [`1 B: ${NOTIFICATIONS}over`, `2 A: ${NOTIFICATIONS}over`, `9 A: ${NOTIFICATIONS}restored`],
  variables: { breached: "0" },
};

const DEGREES = "$input.RoomClimate.degrees";
const degrees = (atSecond: number, value: number): Step => ({
  atSecond,
  inputName: "RoomClimate",
  payload: { room: "attic", degrees: value },
});
const climate = (name: string, atSecond: number) => `${atSecond} attic: topic climate/${name}`;
/** On below 20, off above 22, and never off before three minutes have gone by. */
const thermostat: ModelStory = {
  name: "thermostat",
  inputs: {
    RoomClimate: [{ jsonPath: "room" }, { jsonPath: "degrees" }],
    RoomWish: [{ jsonPath: "room" }, { jsonPath: "wanted" }],
  },
  key: "room",
  evaluationMethod: "SERIAL",
  definition: {
    initialStateName: "Idle",
    states: [
      {
        stateName: "Idle",
        onEnter: {
          events: [
            {
              eventName: "begin",
              condition: "isUndefined($variable.wanted)",
              actions: [set("wanted", "21"), set("cycles", "0")],
            },
          ],
        },
        onInput: {
          events: [
            {
              eventName: "wish",
              condition: 'currentInput("RoomWish")',
              actions: [set("wanted", "$input.RoomWish.wanted")],
            },
          ],
          transitionEvents: [
            {
              eventName: "TooCold",
              condition: `${DEGREES} < $variable.wanted - 1`,
              actions: [set("cycles", "$variable.cycles + 1")],
              nextState: "Heating",
            },
          ],
        },
      },
      {
        stateName: "Heating",
        onEnter: {
          events: [
            {
              eventName: "on",
              actions: [
                topic("climate/on", "'{\"cycle\": ${$variable.cycles}}'"),
                { setTimer: { timerName: "minimum", durationExpression: "3 * 60" } },
                set("mayStop", "false"),
              ],
            },
          ],
        },
        onInput: {
          events: [
            {
              eventName: "ranLongEnough",
              condition: 'timeout("minimum")',
              actions: [set("mayStop", "true")],
            },
          ],
          transitionEvents: [
            {
              eventName: "WarmEnough",
              condition: `$variable.mayStop && ${DEGREES} > $variable.wanted + 1`,
              nextState: "Idle",
            },
          ],
        },
        onExit: {
          events: [
            { eventName: "off", actions: [topic("climate/off"), { clearTimer: { timerName: "minimum" } }] },
          ],
        },
      },
    ],
  },
  steps: [
    degrees(0, 21),
    degrees(10, 20),
    degrees(20, 19.9),
    degrees(60, 21),
    degrees(100, 22.5),
    degrees(300, 21.5),
    degrees(360, 20.5),
    degrees(400, 19),
    degrees(600, 21),
    degrees(610, 22),
    degrees(620, 22.1),
    { atSecond: 700, inputName: "RoomWish", payload: { room: "attic", wanted: 24 } },
  ],
  endSecond: 900,
  transitions: [
    "20 attic: Idle → Heating (TooCold)",
    "200 attic: Heating → Idle (WarmEnough)",
    "400 attic: Idle → Heating (TooCold)",
    "620 attic: Heating → Idle (WarmEnough)",
    "700 attic: Idle → Heating (TooCold)",
  ],
  sent: [
    `${climate("on", 20)} {"cycle": 1}`,
    climate("off", 200),
    `${climate("on", 400)} {"cycle": 2}`,
    climate("off", 620),
    `${climate("on", 700)} {"cycle": 3}`,
  ],
  variables: { wanted: "24", cycles: "3", mayStop: "true" },
};

const beat = (atSecond: number, truck: string): Step => ({
  atSecond,
  inputName: "Heartbeat",
  payload: { truck, battery: 80 },
});
/** Late after two minutes of silence, lost after ten more. */
const fleetHeartbeat: ModelStory = {
  name: "fleet-heartbeat",
  inputs: { Heartbeat: [{ jsonPath: "truck" }, { jsonPath: "battery" }] },
  key: "truck",
  evaluationMethod: "BATCH",
  definition: {
    initialStateName: "Online",
    states: [
      {
        stateName: "Online",
        onEnter: {
          events: [{ eventName: "listen", actions: [{ setTimer: { timerName: "silence", seconds: 120 } }] }],
        },
        onInput: {
          events: [
            {
              eventName: "heard",
              condition: 'currentInput("Heartbeat")',
              actions: [{ resetTimer: { timerName: "silence" } }],
            },
          ],
          transitionEvents: [{ eventName: "silent", condition: 'timeout("silence")', nextState: "Late" }],
        },
      },
      {
        stateName: "Late",
        onEnter: {
          events: [
            {
              eventName: "wait",
              actions: [
                { setTimer: { timerName: "patience", seconds: 600 } },
                topic("fleet/late", "'{\"battery\": ${$input.Heartbeat.battery}}'"),
              ],
            },
          ],
        },
        onInput: {
          transitionEvents: [
            { eventName: "back", condition: 'triggerType("Message")', nextState: "Online" },
            { eventName: "gone", condition: 'timeout("patience")', nextState: "Lost" },
          ],
        },
        onExit: {
          events: [{ eventName: "stopWaiting", actions: [{ clearTimer: { timerName: "patience" } }] }],
        },
      },
      {
        stateName: "Lost",
        onEnter: { events: [{ eventName: "raise", actions: [notification("lost")] }] },
        onInput: {
          transitionEvents: [
            { eventName: "found", condition: 'triggerType("Message")', nextState: "Online" },
          ],
        },
      },
    ],
  },
  steps: [beat(0, "T1"), beat(30, "T2"), beat(100, "T1"), beat(219, "T1"), beat(500, "T1"), beat(2000, "T2")],
  endSecond: 2060,
  transitions: [
    "150 T2: Online → Late (silent)",
    "339 T1: Online → Late (silent)",
    "500 T1: Late → Online (back)",
    "620 T1: Online → Late (silent)",
    "750 T2: Late → Lost (gone)",
    "1220 T1: Late → Lost (gone)",
    "2000 T2: Lost → Online (found)",
  ],
  sent: [
    '150 T2: topic fleet/late {"battery": 80}',
    '339 T1: topic fleet/late {"battery": 80}',
    '620 T1: topic fleet/late {"battery": 80}',
    `750 T2: ${NOTIFICATIONS}lost`,
    `1220 T1: ${NOTIFICATIONS}lost`,
  ],
  variables: {},
};

const alert = (atSecond: number, code: string): Step => ({
  atSecond,
  inputName: "Alert",
  payload: { site: "north", code },
});
/** The first of equal alerts goes out; those of the next five minutes are counted and told of together. */
const duplicateSuppression: ModelStory = {
  name: "duplicate-suppression",
  inputs: { Alert: [{ jsonPath: "site" }, { jsonPath: "code" }] },
  key: "site",
  evaluationMethod: "BATCH",
  definition: {
    initialStateName: "Quiet",
    states: [
      {
        stateName: "Quiet",
        onInput: {
          transitionEvents: [
            {
              eventName: "first",
              condition: 'triggerType("Message")',
              actions: [
                set("code", "$input.Alert.code"),
                set("suppressed", "0"),
                topic("'alerts/' + $input.Alert.code", '\'{"code": "${$input.Alert.code}"}\''),
              ],
              nextState: "Suppressing",
            },
          ],
        },
      },
      {
        stateName: "Suppressing",
        onEnter: {
          events: [{ eventName: "window", actions: [{ setTimer: { timerName: "window", seconds: 300 } }] }],
        },
        onInput: {
          events: [
            {
              eventName: "again",
              condition: 'triggerType("Message") && $input.Alert.code == $variable.code',
              actions: [set("suppressed", "$variable.suppressed + 1")],
            },
          ],
          transitionEvents: [
            {
              eventName: "another",
              condition: 'triggerType("Message") && $input.Alert.code != $variable.code',
              actions: [
                set("code", "$input.Alert.code"),
                topic("'alerts/' + $input.Alert.code", '\'{"code": "${$input.Alert.code}"}\''),
              ],
              nextState: "Suppressing",
            },
            { eventName: "over", condition: 'timeout("window")', nextState: "Quiet" },
          ],
        },
        onExit: {
          events: [
            {
              eventName: "summary",
              condition: "$variable.suppressed > 0",
              actions: [
                topic("alerts/summary", "'{\"suppressed\": ${$variable.suppressed}}'"),
                set("suppressed", "0"),
              ],
            },
          ],
        },
      },
    ],
  },
  steps: [
    alert(0, "E1"),
    alert(10, "E1"),
    alert(20, "E1"),
    alert(310, "E1"),
    alert(400, "E1"),
    alert(450, "E2"),
    alert(460, "E2"),
    alert(800, "E2"),
  ],
  endSecond: 1200,
  transitions: [
    "0 north: Quiet → Suppressing (first)",
    "300 north: Suppressing → Quiet (over)",
    "310 north: Quiet → Suppressing (first)",
    "450 north: Suppressing → Suppressing (another)",
    "750 north: Suppressing → Quiet (over)",
    "800 north: Quiet → Suppressing (first)",
    "1100 north: Suppressing → Quiet (over)",
  ],
  sent: [
    '0 north: topic alerts/E1 {"code": "E1"}',
    '300 north: topic alerts/summary {"suppressed": 2}',
    '310 north: topic alerts/E1 {"code": "E1"}',
    '450 north: topic alerts/E2 {"code": "E2"}',
    '450 north: topic alerts/summary {"suppressed": 1}',
    '750 north: topic alerts/summary {"suppressed": 1}',
    '800 north: topic alerts/E2 {"code": "E2"}',
  ],
  variables: { code: '"E2"', suppressed: "0" },
};

const level = (atSecond: number, litres: number): Step => ({
  atSecond,
  inputName: "TankLevel",
  payload: { tank: "T9", litres },
});
const operator = (atSecond: number, name: string | null): Step => ({
  atSecond,
  inputName: "Operator",
  payload: { tank: "T9", name },
});
/** The team first; after five minutes without an answer the chief, again every ten. */
const escalation: ModelStory = {
  name: "escalation",
  inputs: {
    TankLevel: [{ jsonPath: "tank" }, { jsonPath: "litres" }],
    Operator: [{ jsonPath: "tank" }, { jsonPath: "name" }],
    Incident: [{ jsonPath: "tank" }, { jsonPath: "level" }],
  },
  key: "tank",
  evaluationMethod: "SERIAL",
  definition: {
    initialStateName: "Fine",
    states: [
      {
        stateName: "Fine",
        onEnter: { events: [{ eventName: "calm", actions: [set("pages", "0"), set("owner", "'nobody'")] }] },
        onInput: {
          transitionEvents: [
            { eventName: "low", condition: "$input.TankLevel.litres < 100", nextState: "Warned" },
          ],
        },
      },
      {
        stateName: "Warned",
        onEnter: {
          events: [
            {
              eventName: "team",
              actions: [notification("team"), { setTimer: { timerName: "answer", seconds: 300 } }],
            },
          ],
        },
        onInput: {
          events: [
            {
              eventName: "taken",
              condition: 'currentInput("Operator") && !isNull($input.Operator.name)',
              actions: [set("owner", "$input.Operator.name"), { clearTimer: { timerName: "answer" } }],
            },
          ],
          transitionEvents: [
            { eventName: "refilled", condition: "$input.TankLevel.litres >= 150", nextState: "Fine" },
            { eventName: "handled", condition: "$variable.owner != 'nobody'", nextState: "Handled" },
            { eventName: "unanswered", condition: 'timeout("answer")', nextState: "Escalated" },
          ],
        },
      },
      {
        stateName: "Escalated",
        onEnter: {
          events: [
            {
              eventName: "chief",
              actions: [
                set("pages", "$variable.pages + 1"),
                notification("chief"),
                {
                  iotEvents: {
                    inputName: "Incident",
                    payload: json('\'{"tank": "${$input.TankLevel.tank}", "level": ${$variable.pages}}\''),
                  },
                },
                { setTimer: { timerName: "again", durationExpression: "600" } },
              ],
            },
          ],
        },
        onInput: {
          transitionEvents: [
            {
              eventName: "handled",
              condition: 'currentInput("Operator") && !isNull($input.Operator.name)',
              actions: [set("owner", "$input.Operator.name")],
              nextState: "Handled",
            },
            { eventName: "stillUnanswered", condition: 'timeout("again")', nextState: "Escalated" },
          ],
        },
        onExit: { events: [{ eventName: "stop", actions: [{ clearTimer: { timerName: "again" } }] }] },
      },
      {
        stateName: "Handled",
        onEnter: {
          events: [{ eventName: "tell", actions: [topic("'tanks/handled/' + $variable.owner")] }],
        },
        onInput: {
          transitionEvents: [
            { eventName: "refilled", condition: "$input.TankLevel.litres >= 150", nextState: "Fine" },
          ],
        },
      },
    ],
  },
  steps: [
    level(0, 200),
    level(60, 90),
    operator(100, null),
    level(200, 80),
    operator(1600, "ines"),
    level(1700, 140),
    level(1800, 180),
    level(2000, 50),
    operator(2100, "juri"),
    level(2200, 400),
  ],
  endSecond: 4000,
  transitions: [
    "60 T9: Fine → Warned (low)",
    "360 T9: Warned → Escalated (unanswered)",
    "960 T9: Escalated → Escalated (stillUnanswered)",
    "1560 T9: Escalated → Escalated (stillUnanswered)",
    "1600 T9: Escalated → Handled (handled)",
    "1800 T9: Handled → Fine (refilled)",
    "2000 T9: Fine → Warned (low)",
    "2100 T9: Warned → Handled (handled)",
    "2200 T9: Handled → Fine (refilled)",
  ],
  sent: [
    `60 T9: ${NOTIFICATIONS}team`,
    `360 T9: ${NOTIFICATIONS}chief`,
    '360 T9: input Incident {"tank": "T9", "level": 1}',
    `960 T9: ${NOTIFICATIONS}chief`,
    '960 T9: input Incident {"tank": "T9", "level": 2}',
    `1560 T9: ${NOTIFICATIONS}chief`,
    '1560 T9: input Incident {"tank": "T9", "level": 3}',
    "1600 T9: topic tanks/handled/ines",
    `2000 T9: ${NOTIFICATIONS}team`,
    "2100 T9: topic tanks/handled/juri",
  ],
  variables: { pages: "0", owner: '"nobody"' },
};

export const MODEL_STORIES: readonly ModelStory[] = [
  motorPressure,
  thermostat,
  fleetHeartbeat,
  duplicateSuppression,
  escalation,
];
