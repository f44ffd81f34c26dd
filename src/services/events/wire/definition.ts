/** Schemas of model definitions in the public API. */
import { Type } from "@sinclair/typebox";
import { Action, named, outgoingActions } from "./actions.ts";

const actions = Type.Optional(Type.Array(Action, { description: "What is done then." }));
const eventName = Type.String({ maxLength: 128, description: "The event's name." });
const Condition = Type.String({
  maxLength: 512,
  description: "The expression that must be true for it; always without it.",
});
const events = Type.Optional(
  Type.Array(Type.Object({ eventName, condition: Type.Optional(Condition), actions }), {
    description: "Events, looked at in this order.",
  }),
);
const TransitionEvent = Type.Object({
  eventName,
  condition: Condition,
  actions,
  nextState: named("The state it leads to."),
});
const State = Type.Object({
  stateName: named("The state's name."),
  onInput: Type.Optional(
    Type.Object(
      {
        events,
        transitionEvents: Type.Optional(
          Type.Array(TransitionEvent, { description: "Events that lead to another state." }),
        ),
      },
      { description: "When a message comes, or a timer ends." },
    ),
  ),
  onEnter: Type.Optional(Type.Object({ events }, { description: "When the state is entered." })),
  onExit: Type.Optional(Type.Object({ events }, { description: "When the state is left." })),
});
const transition = (eventName: string, condition: string, nextState: string) => ({
  onInput: { transitionEvents: [{ eventName, condition, nextState }] },
});
const EXAMPLE_DEFINITION = {
  initialStateName: "Normal",
  states: [
    {
      stateName: "Normal",
      ...transition("Overpressured", "$input.PressureInput.pressure > 70", "Dangerous"),
    },
    { stateName: "Dangerous", ...transition("Recovered", "$input.PressureInput.pressure <= 70", "Normal") },
  ],
};
export const DetectorModelDefinition = Type.Object(
  {
    states: Type.Array(State, { minItems: 1, description: "The states." }),
    initialStateName: named("The state that detectors begin in."),
  },
  { description: "The states of a detector, and what happens in them.", examples: [EXAMPLE_DEFINITION] },
);

const OPERATORS = ["GREATER", "GREATER_OR_EQUAL", "LESS", "LESS_OR_EQUAL", "EQUAL", "NOT_EQUAL"] as const;
export const AlarmRule = Type.Object(
  {
    simpleRule: Type.Optional(
      Type.Object(
        {
          inputProperty: Type.String({
            minLength: 1,
            maxLength: 512,
            description: "The part of a message that is compared.",
          }),
          comparisonOperator: Type.Union(
            OPERATORS.map((one) => Type.Literal(one)),
            { description: "How it is compared." },
          ),
          threshold: Type.String({
            minLength: 1,
            maxLength: 512,
            description: "What it is compared with: a number, or a part of the message.",
          }),
        },
        { description: "A comparison of two values." },
      ),
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
    Type.Object(
      {
        identityStoreId: Type.String({ minLength: 1, maxLength: 36, description: "Where people are known." }),
        userId: Type.Optional(Type.String({ minLength: 1, maxLength: 47, description: "Who it is." })),
      },
      { description: "A person." },
    ),
  ),
});
const recipients = Type.Array(Recipient, { minItems: 1, description: "Who gets it." });
const NotificationAction = Type.Object({
  action: Type.Object(
    { lambdaAction: outgoingActions.lambda },
    { description: "The function that is called to send it." },
  ),
  smsConfigurations: Type.Optional(
    Type.Array(
      Type.Object({
        senderId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 11,
            pattern: "^[A-Za-z0-9]+$",
            description: "Whom texts come from.",
          }),
        ),
        additionalMessage: Type.Optional(
          Type.String({ minLength: 1, maxLength: 140, description: "What is added to the text." }),
        ),
        recipients,
      }),
      { minItems: 1, description: "Texts." },
    ),
  ),
  emailConfigurations: Type.Optional(
    Type.Array(
      Type.Object({
        from: Type.String({ minLength: 1, maxLength: 320, description: "Whom mails come from." }),
        content: Type.Optional(
          Type.Object(
            {
              subject: Type.Optional(
                Type.String({ minLength: 1, maxLength: 998, description: "The mail's subject." }),
              ),
              additionalMessage: Type.Optional(
                Type.String({ minLength: 1, maxLength: 1024, description: "What is added to the mail." }),
              ),
            },
            { description: "What the mail says." },
          ),
        ),
        recipients: Type.Object({ to: Type.Optional(recipients) }, { description: "Who gets it." }),
      }),
      { minItems: 1, description: "Mails." },
    ),
  ),
});
export const AlarmNotification = Type.Object(
  {
    notificationActions: Type.Optional(
      Type.Array(NotificationAction, { minItems: 1, maxItems: 1, description: "How people are told." }),
    ),
  },
  { description: "Whom mails and texts go to when the alarm's state changes.", examples: [{}] },
);
export const AlarmEventActions = Type.Object(
  {
    alarmActions: Type.Optional(
      Type.Array(Type.Object(outgoingActions), { description: "The actions, in their order." }),
    ),
  },
  {
    description: "What is done when the alarm's state changes.",
    examples: [{ alarmActions: [{ iotTopicPublish: { mqttTopic: "alarms/pressure" } }] }],
  },
);
export const AlarmCapabilities = Type.Object(
  {
    initializationConfiguration: Type.Optional(
      Type.Object(
        { disabledOnInitialization: Type.Boolean({ description: "Whether it begins disabled." }) },
        { description: "How an alarm begins." },
      ),
    ),
    acknowledgeFlow: Type.Optional(
      Type.Object(
        { enabled: Type.Boolean({ description: "Whether it does." }) },
        { description: "Whether an alarm waits for somebody to acknowledge it." },
      ),
    ),
  },
  {
    description: "Whether alarms begin disabled, and whether they wait to be acknowledged.",
    examples: [{ acknowledgeFlow: { enabled: true } }],
  },
);
