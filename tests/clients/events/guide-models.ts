/**
 * Models of the structure that the public developer guide prints: states, conditions, timers and variables are its facts, written anew.
 * Its account number is replaced by the caller's, as its readers do.
 */
import type { DetectorModelDefinition, Event, State, TransitionEvent } from "@aws-sdk/client-iot-events";
import { account } from "./story.ts";

export const guideRole = `arn:aws:iam::${account}:role/IoTEventsRole`;
export const topicNamed = (name: string): string => `arn:aws:sns:us-west-2:${account}:${name}`;

const to = (nextState: string, condition: string): TransitionEvent => ({
  eventName: `to_${nextState}`,
  actions: [],
  condition,
  nextState,
});
const sets = (variableName: string, value: string) => ({ setVariable: { variableName, value } });
const state = (
  stateName: string,
  transitionEvents: TransitionEvent[],
  { events = [], entering = [] }: { events?: Event[]; entering?: Event[] } = {},
): State => ({
  stateName,
  onEnter: { events: entering },
  onInput: { transitionEvents, events },
  onExit: { events: [] },
});

export const SIMPLE = "Blueprints_Simple_Alarm_Input";
const simple = `$input.${SIMPLE}`;
const says = (input: string, command: string): string => `${input}.command == "${command}"`;

export const simpleAlarm: DetectorModelDefinition = {
  initialStateName: "Normal",
  states: [
    state("Snooze", [to("Alarming", 'timeout("snoozeTime")'), to("Normal", says(simple, "reset"))], {
      events: [{ eventName: "DND", condition: says(simple, "dnd"), actions: [sets("dnd_active", "1")] }],
      entering: [
        {
          eventName: "Create Timer",
          condition: "true",
          actions: [{ setTimer: { timerName: "snoozeTime", seconds: 120 } }],
        },
      ],
    }),
    state("Normal", [to("Alarming", `${simple}.value > $variable.threshold`)], {
      events: [
        {
          eventName: "Create Config variables",
          condition: "$variable.threshold != $variable.threshold",
          actions: [sets("threshold", `${simple}.threshold`)],
        },
      ],
      entering: [{ eventName: "Init", condition: "true", actions: [sets("dnd_active", "0")] }],
    }),
    state("Alarming", [to("Normal", says(simple, "reset")), to("Snooze", says(simple, "acknowledge"))], {
      events: [
        {
          eventName: "Escalated Alarm Notification",
          condition: 'timeout("unacknowledgeTIme")',
          actions: [{ sns: { targetArn: topicNamed("escalatedAlarmNotification") } }],
        },
      ],
      entering: [
        {
          eventName: "Alarm Notification",
          condition: "$variable.dnd_active != 1",
          actions: [
            { sns: { targetArn: topicNamed("alarmNotification") } },
            { setTimer: { timerName: "unacknowledgeTIme", seconds: 300 } },
          ],
        },
      ],
    }),
  ],
};

export const ISA = "Blueprints_ISA_Alarm_Input";
const isa = `$input.${ISA}`;
const abnormal = `${isa}.value > $variable.higher_threshold || ${isa}.value < $variable.lower_threshold`;
const normal = `(${isa}.value <= $variable.higher_threshold && ${isa}.value >= $variable.lower_threshold)`;
const setAside = [
  to("Shelved", says(isa, "shelve")),
  to("Out_of_service", says(isa, "remove")),
  to("Suppressed_by_design", says(isa, "suppressed")),
];
const SAVED = {
  rtnunack: "RTN_Unacknowledged",
  ack: "Acknowledged",
  unack: "Unacknowledged",
  normal: "Normal",
};
const back = (command: string): TransitionEvent[] =>
  Object.entries(SAVED).map(([saved, next]) =>
    to(next, `${says(isa, command)} && $variable.state == "${saved}"`),
  );
const saving = (value: string): Event => ({
  eventName: "State Save",
  condition: "true",
  actions: [sets("state", `"${value}"`)],
});

export const isaAlarm: DetectorModelDefinition = {
  initialStateName: "Normal",
  states: [
    state("Shelved", back("unshelve")),
    state(
      "RTN_Unacknowledged",
      [to("Unacknowledged", abnormal), to("Normal", says(isa, "acknowledge")), ...setAside],
      {
        entering: [saving("rtnunack")],
      },
    ),
    state("Normal", [to("Unacknowledged", abnormal), ...setAside], {
      events: [
        {
          eventName: "Create Config variables",
          condition: "$variable.lower_threshold != $variable.lower_threshold",
          actions: [
            sets("lower_threshold", `${isa}.lower_threshold`),
            sets("higher_threshold", `${isa}.higher_threshold`),
          ],
        },
      ],
      entering: [saving("normal")],
    }),
    state(
      "Unacknowledged",
      [to("Acknowledged", says(isa, "acknowledge")), to("RTN_Unacknowledged", normal), ...setAside],
      { entering: [saving("unack")] },
    ),
    state("Suppressed_by_design", back("unsuppressed")),
    state("Out_of_service", back("add")),
    state(
      "Acknowledged",
      [to("Unacknowledged", 'timeout("snooze")'), to("Normal", says(isa, "reset")), ...setAside],
      {
        entering: [
          {
            eventName: "Create Timer",
            condition: "true",
            actions: [{ setTimer: { timerName: "snooze", seconds: 60 } }],
          },
          saving("ack"),
        ],
      },
    ),
  ],
};

/** The crane counts hot messages; the newer version tells of it once. */
export const craneModel = (hot: number, cold: number, isToldOnce: boolean): DetectorModelDefinition => ({
  initialStateName: "Running",
  states: [
    {
      stateName: "Running",
      onEnter: {
        events: [
          {
            eventName: "init",
            condition: "true",
            actions: [
              sets("craneThresholdBreached", "0"),
              ...(isToldOnce ? [sets("alarmRaised", "'false'")] : []),
            ],
          },
        ],
      },
      onInput: {
        events: [
          {
            eventName: "Overheated",
            condition: `$input.TemperatureInput.temperature > ${hot}`,
            actions: [sets("craneThresholdBreached", "$variable.craneThresholdBreached + 1")],
          },
          {
            eventName: "Crane Threshold Breached",
            condition: `$variable.craneThresholdBreached > 5${isToldOnce ? " && $variable.alarmRaised == 'false'" : ""}`,
            actions: [
              { sns: { targetArn: topicNamed("CraneSNSTopic") } },
              ...(isToldOnce ? [sets("alarmRaised", "'true'")] : []),
            ],
          },
          {
            eventName: "Underheated",
            condition: `$input.TemperatureInput.temperature < ${cold}`,
            actions: [sets("craneThresholdBreached", "0")],
          },
        ],
      },
    },
  ],
});
/** Both inputs of the motor count together: a message has the one, and the other is remembered. */
export const motorModel: DetectorModelDefinition = {
  initialStateName: "Running",
  states: [
    {
      stateName: "Running",
      onEnter: {
        events: [{ eventName: "init", condition: "true", actions: [sets("motorThresholdBreached", "0")] }],
      },
      onInput: {
        events: [
          {
            eventName: "Overheated And Overpressurized",
            condition: "$input.PressureInput.pressure > 70 && $input.TemperatureInput.temperature > 30",
            actions: [sets("motorThresholdBreached", "$variable.motorThresholdBreached + 1")],
          },
          {
            eventName: "Motor Threshold Breached",
            condition: "$variable.motorThresholdBreached > 5",
            actions: [{ sns: { targetArn: topicNamed("MotorSNSTopic") } }],
          },
        ],
      },
    },
  ],
};
