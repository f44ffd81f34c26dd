/** Shapes of what models are made of, as clients spell them. */
import { Type } from "@sinclair/typebox";

const Name = Type.String({ minLength: 1, maxLength: 128 });
const Expression = Type.String({ minLength: 1, maxLength: 1024 });
const Arn = Type.String({ minLength: 1, maxLength: 2048 });
const Text = Type.String({ maxLength: 1024 });

const Payload = Type.Object({
  contentExpression: Expression,
  type: Type.Union([Type.Literal("STRING"), Type.Literal("JSON")]),
});
const payload = Type.Optional(Payload);

const AssetPropertyValue = Type.Object({
  value: Type.Optional(
    Type.Object({
      stringValue: Type.Optional(Text),
      integerValue: Type.Optional(Text),
      doubleValue: Type.Optional(Text),
      booleanValue: Type.Optional(Text),
    }),
  ),
  timestamp: Type.Optional(Type.Object({ timeInSeconds: Text, offsetInNanos: Type.Optional(Text) })),
  quality: Type.Optional(Text),
});

/** Those that alarms know as well. */
const outgoingActions = {
  sns: Type.Optional(Type.Object({ targetArn: Arn, payload })),
  iotTopicPublish: Type.Optional(
    Type.Object({ mqttTopic: Type.String({ minLength: 1, maxLength: 128 }), payload }),
  ),
  lambda: Type.Optional(Type.Object({ functionArn: Arn, payload })),
  iotEvents: Type.Optional(Type.Object({ inputName: Name, payload })),
  sqs: Type.Optional(
    Type.Object({ queueUrl: Text, useBase64: Type.Optional(Type.Boolean()), payload }),
  ),
  firehose: Type.Optional(
    Type.Object({
      deliveryStreamName: Text,
      separator: Type.Optional(Type.Union(["\n", "\t", "\r\n", ","].map((one) => Type.Literal(one)))),
      payload,
    }),
  ),
  dynamoDB: Type.Optional(
    Type.Object({
      hashKeyType: Type.Optional(Text),
      hashKeyField: Text,
      hashKeyValue: Text,
      rangeKeyType: Type.Optional(Text),
      rangeKeyField: Type.Optional(Text),
      rangeKeyValue: Type.Optional(Text),
      operation: Type.Optional(Text),
      payloadField: Type.Optional(Text),
      tableName: Text,
      payload,
    }),
  ),
  dynamoDBv2: Type.Optional(Type.Object({ tableName: Text, payload })),
  iotSiteWise: Type.Optional(
    Type.Object({
      entryId: Type.Optional(Text),
      assetId: Type.Optional(Text),
      propertyId: Type.Optional(Text),
      propertyAlias: Type.Optional(Text),
      propertyValue: Type.Optional(AssetPropertyValue),
    }),
  ),
};
const Action = Type.Object({
  setVariable: Type.Optional(
    Type.Object({
      variableName: Type.String({ pattern: "^[a-zA-Z][a-zA-Z0-9_]*$", minLength: 1, maxLength: 128 }),
      value: Expression,
    }),
  ),
  setTimer: Type.Optional(
    Type.Object({
      timerName: Name,
      seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 31_622_400 })),
      durationExpression: Type.Optional(Expression),
    }),
  ),
  clearTimer: Type.Optional(Type.Object({ timerName: Name })),
  resetTimer: Type.Optional(Type.Object({ timerName: Name })),
  ...outgoingActions,
});
const AlarmAction = Type.Object(outgoingActions);

const Condition = Type.String({ maxLength: 512 });
const Event = Type.Object({
  eventName: Type.String({ maxLength: 128 }),
  condition: Type.Optional(Condition),
  actions: Type.Optional(Type.Array(Action)),
});
const TransitionEvent = Type.Object({
  eventName: Type.String({ maxLength: 128 }),
  condition: Condition,
  actions: Type.Optional(Type.Array(Action)),
  nextState: Name,
});
const State = Type.Object({
  stateName: Name,
  onInput: Type.Optional(
    Type.Object({
      events: Type.Optional(Type.Array(Event)),
      transitionEvents: Type.Optional(Type.Array(TransitionEvent)),
    }),
  ),
  onEnter: Type.Optional(Type.Object({ events: Type.Optional(Type.Array(Event)) })),
  onExit: Type.Optional(Type.Object({ events: Type.Optional(Type.Array(Event)) })),
});
export const EXAMPLE_DEFINITION = {
  initialStateName: "Normal",
  states: [
    {
      stateName: "Normal",
      onInput: {
        transitionEvents: [
          { eventName: "Overpressured", condition: "$input.PressureInput.pressure > 70", nextState: "Dangerous" },
        ],
      },
    },
    {
      stateName: "Dangerous",
      onInput: {
        transitionEvents: [
          { eventName: "Recovered", condition: "$input.PressureInput.pressure <= 70", nextState: "Normal" },
        ],
      },
    },
  ],
};
export const DetectorModelDefinition = Type.Object(
  {
    states: Type.Array(State, { minItems: 1 }),
    initialStateName: Name,
  },
  { description: "The states of a detector, and what happens in them.", examples: [EXAMPLE_DEFINITION] },
);

export const AlarmRule = Type.Object(
  {
    simpleRule: Type.Optional(
      Type.Object({
        inputProperty: Type.String({ minLength: 1, maxLength: 512 }),
        comparisonOperator: Type.Union(
          ["GREATER", "GREATER_OR_EQUAL", "LESS", "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL"].map((one) =>
            Type.Literal(one),
          ),
        ),
        threshold: Type.String({ minLength: 1, maxLength: 512 }),
      }),
    ),
  },
  {
    description: "What is compared with what.",
    examples: [
      {
        simpleRule: {
          inputProperty: "$input.PressureInput.pressure",
          comparisonOperator: "GREATER",
          threshold: "70",
        },
      },
    ],
  },
);
const Recipient = Type.Object({
  ssoIdentity: Type.Optional(
    Type.Object({
      identityStoreId: Type.String({ minLength: 1, maxLength: 36 }),
      userId: Type.Optional(Type.String({ minLength: 1, maxLength: 47 })),
    }),
  ),
});
const NotificationAction = Type.Object({
  action: Type.Object({ lambdaAction: Type.Optional(Type.Object({ functionArn: Arn, payload })) }),
  smsConfigurations: Type.Optional(
    Type.Array(
      Type.Object({
        senderId: Type.Optional(Type.String({ minLength: 1, maxLength: 11, pattern: "^[A-Za-z0-9]+$" })),
        additionalMessage: Type.Optional(Type.String({ minLength: 1, maxLength: 140 })),
        recipients: Type.Array(Recipient, { minItems: 1 }),
      }),
      { minItems: 1 },
    ),
  ),
  emailConfigurations: Type.Optional(
    Type.Array(
      Type.Object({
        from: Type.String({ minLength: 1, maxLength: 320 }),
        content: Type.Optional(
          Type.Object({
            subject: Type.Optional(Type.String({ minLength: 1, maxLength: 998 })),
            additionalMessage: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
          }),
        ),
        recipients: Type.Object({ to: Type.Optional(Type.Array(Recipient, { minItems: 1 })) }),
      }),
      { minItems: 1 },
    ),
  ),
});
export const AlarmNotification = Type.Object(
  { notificationActions: Type.Optional(Type.Array(NotificationAction, { minItems: 1, maxItems: 1 })) },
  { description: "Whom mails and texts go to when the alarm's state changes.", examples: [{}] },
);
export const AlarmEventActions = Type.Object(
  { alarmActions: Type.Optional(Type.Array(AlarmAction)) },
  {
    description: "What is done when the alarm's state changes.",
    examples: [{ alarmActions: [{ iotTopicPublish: { mqttTopic: "alarms/pressure" } }] }],
  },
);
export const AlarmCapabilities = Type.Object(
  {
    initializationConfiguration: Type.Optional(Type.Object({ disabledOnInitialization: Type.Boolean() })),
    acknowledgeFlow: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
  },
  {
    description: "Whether alarms begin disabled, and whether they wait to be acknowledged.",
    examples: [{ acknowledgeFlow: { enabled: true } }],
  },
);
