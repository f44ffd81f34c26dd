/** Schemas of messages, detectors and alarms. */
import { type TObject, type TProperties, Type } from "@sinclair/typebox";
import * as names from "./names.ts";

const ENTRIES_MAX = 10;
const EntryId = Type.String({
  pattern: "^[a-zA-Z0-9_-]+$",
  minLength: 1,
  maxLength: 64,
  description: "The entry's name in this request: errors name it.",
});
const Note = Type.String({ maxLength: 256, description: "Why." });

/** A batch of one to ten entries. */
const batchOf = <T extends TProperties>(entry: TObject<T>, description: string, example: object) =>
  Type.Array(entry, { minItems: 1, maxItems: ENTRIES_MAX, description, examples: [[example]] });

export const Messages = batchOf(
  Type.Object({
    messageId: EntryId,
    inputName: Type.String({
      pattern: "^[a-zA-Z0-9][a-zA-Z0-9_.-]*$",
      minLength: 1,
      maxLength: 128,
      description: "The input it is for.",
    }),
    payload: Type.String({ description: "JSON, in base64." }),
    timestamp: Type.Optional(
      Type.Object(
        {
          timeInMillis: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: Number.MAX_SAFE_INTEGER,
              description: "Milliseconds since 1970.",
            }),
          ),
        },
        { description: "When it was sent." },
      ),
    ),
  }),
  "The messages, in their order.",
  {
    messageId: "m1",
    inputName: "PressureInput",
    payload: Buffer.from('{"motorid":"motor-7","pressure":80}').toString("base64"),
  },
);

const alarmEntry = {
  requestId: EntryId,
  alarmModelName: names.AlarmModelName,
  keyValue: Type.Optional(names.KeyValue),
  note: Type.Optional(Note),
};
const alarmExample = { requestId: "r1", alarmModelName: "pressure-alarm", keyValue: "motor-7" };
export const AlarmEntries = batchOf(Type.Object(alarmEntry), "The alarms.", alarmExample);
export const SnoozeEntries = batchOf(
  Type.Object({
    ...alarmEntry,
    snoozeDuration: Type.Integer({ minimum: 1, maximum: 31_622_400, description: "For how many seconds." }),
  }),
  "The alarms, and for how many seconds each is to be silent.",
  { ...alarmExample, snoozeDuration: 600 },
);

const detectorEntry = {
  messageId: EntryId,
  detectorModelName: names.DetectorModelName,
  keyValue: Type.Optional(names.KeyValue),
};
const detectorExample = { messageId: "m1", detectorModelName: "motor-pressure", keyValue: "motor-7" };
const StateName = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "Only detectors in this state.",
  examples: ["Normal"],
});
const Variable = Type.Object({
  name: Type.String({
    pattern: "^[a-zA-Z][a-zA-Z0-9_]*$",
    minLength: 1,
    maxLength: 128,
    description: "The variable's name.",
  }),
  value: Type.String({ minLength: 1, maxLength: 1024, description: "Its value." }),
});
const Timer = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 128, description: "The timer's name." }),
  seconds: Type.Integer({ minimum: 1, maximum: 31_622_400, description: "After how many seconds it ends." }),
});
export const DetectorDeletions = batchOf(Type.Object(detectorEntry), "The detectors.", detectorExample);
export const DetectorUpdates = batchOf(
  Type.Object({
    ...detectorEntry,
    state: Type.Object(
      {
        stateName: Type.String({ minLength: 1, maxLength: 128, description: "The state." }),
        variables: Type.Array(Variable, { maxItems: 200, description: "All variables." }),
        timers: Type.Array(Timer, { maxItems: 200, description: "All timers, which start now." }),
      },
      { description: "What the detector is from now on." },
    ),
  }),
  "The detectors, and all that they are from now on.",
  { ...detectorExample, state: { stateName: "Normal", variables: [], timers: [] } },
);

const errorEntry = { errorCode: Type.String(), errorMessage: Type.String() };
export const MessageErrors = Type.Array(Type.Object({ messageId: EntryId, ...errorEntry }));
export const AlarmErrors = Type.Array(Type.Object({ requestId: EntryId, ...errorEntry }));

const head = { creationTime: names.Time, lastUpdateTime: names.Time };
const detectorHead = {
  detectorModelName: Type.String(),
  keyValue: Type.Optional(Type.String()),
  detectorModelVersion: Type.String(),
  ...head,
};
export const Detector = Type.Object({
  ...detectorHead,
  state: Type.Object({
    stateName: Type.String(),
    variables: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    timers: Type.Array(Type.Object({ name: Type.String(), timestamp: names.Time })),
  }),
});
export const DetectorSummary = Type.Object({
  ...detectorHead,
  state: Type.Object({ stateName: Type.String() }),
});
const alarmHead = {
  alarmModelName: Type.String(),
  alarmModelVersion: Type.String(),
  keyValue: Type.Optional(Type.String()),
  ...head,
};
const Noted = Type.Object({ note: Type.Optional(Type.String()) });
export const Alarm = Type.Object({
  ...alarmHead,
  alarmState: Type.Object({
    stateName: Type.String(),
    ruleEvaluation: Type.Optional(
      Type.Object({
        simpleRuleEvaluation: Type.Object({
          inputPropertyValue: Type.Optional(Type.String()),
          operator: Type.String(),
          thresholdValue: Type.Optional(Type.String()),
        }),
      }),
    ),
    customerAction: Type.Optional(
      Type.Object({
        actionName: Type.String(),
        snoozeActionConfiguration: Type.Optional(
          Type.Object({ snoozeDuration: Type.Optional(Type.Integer()), note: Type.Optional(Type.String()) }),
        ),
        enableActionConfiguration: Type.Optional(Noted),
        disableActionConfiguration: Type.Optional(Noted),
        acknowledgeActionConfiguration: Type.Optional(Noted),
        resetActionConfiguration: Type.Optional(Noted),
      }),
    ),
    systemEvent: Type.Optional(
      Type.Object({
        eventType: Type.String(),
        stateChangeConfiguration: Type.Optional(Type.Object({ triggerType: Type.String() })),
      }),
    ),
  }),
  severity: Type.Optional(Type.Integer()),
});
export const AlarmSummary = Type.Object({ ...alarmHead, stateName: Type.String() });
export { StateName };
