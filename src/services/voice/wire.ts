/** Shapes on the wire. Members that the maker names after products have neutral names here; see dialect.ts. */
import { type Static, Type } from "@sinclair/typebox";
import { EVENT_TYPES } from "./domain/calls.ts";
import {
  checkEventTypes,
  checkRole,
  checkTarget,
  type Destination,
  type DestinationKind,
} from "./domain/destinations.ts";
import { errors } from "./errors.ts";

const Text = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }));
const TOPIC_ARN = "arn:vendor:topics:us-east-1:123456789012:calls";
const EventTypeName = Type.Union(EVENT_TYPES.map((name) => Type.Literal(name)));

const setNameWords = {
  description: "The name of the configuration set.",
  examples: ["appointment-reminders"],
};
const destinationNameWords = {
  description: "The name of the event destination.",
  examples: ["all-to-the-log"],
};
export const SetPath = Type.Object({ ConfigurationSetName: Type.String(setNameWords) });
export const DestinationPath = Type.Object({
  ConfigurationSetName: Type.String(setNameWords),
  EventDestinationName: Type.String(destinationNameWords),
});
export const SetName = Type.Optional(Type.String(setNameWords));
export const DestinationName = Type.Optional(Type.String(destinationNameWords));
export const PageQuery = Type.Object({
  NextToken: Text("Where the next page goes on, as the page before it said.", "MTAw"),
  PageSize: Text("How many names a page has.", "20"),
});
export const topicMembers = {
  TopicArn: Type.String({ description: "The topic.", examples: [TOPIC_ARN] }),
  Endpoint: Type.String({
    description: "The web address that its messages are sent to.",
    examples: ["https://example.org/calls"],
  }),
};
export const Nothing = Type.Object({});

const role = () => Text("The role that may write there.", "arn:vendor:iam::123456789012:role/voice-events");
const LogsDestination = Type.Object(
  {
    IamRoleArn: role(),
    LogGroupArn: Text("The log group.", "arn:vendor:logs:us-east-1:123456789012:log-group:calls"),
  },
  { description: "Events are written to a log group." },
);
const StreamDestination = Type.Object(
  {
    DeliveryStreamArn: Text(
      "The delivery stream.",
      "arn:vendor:streams:us-east-1:123456789012:deliverystream/calls",
    ),
    IamRoleArn: role(),
  },
  { description: "Events are put into a delivery stream." },
);
const TopicDestination = Type.Object(
  { TopicArn: Text("The topic.", TOPIC_ARN) },
  { description: "Events are sent to a topic." },
);
const definitionMembers = {
  Enabled: Type.Optional(Type.Boolean({ description: "Whether events are sent; not when left out." })),
  LogsDestination: Type.Optional(LogsDestination),
  MatchingEventTypes: Type.Optional(
    Type.Array(EventTypeName, { maxItems: 100, description: "Which events are sent." }),
  ),
  StreamDestination: Type.Optional(StreamDestination),
  TopicDestination: Type.Optional(TopicDestination),
};
export const EventDestinationDefinition = Type.Object(definitionMembers, {
  description: "Which events are sent, and the one place that they are sent to.",
  examples: [
    {
      Enabled: true,
      MatchingEventTypes: [EVENT_TYPES[0]],
      TopicDestination: { TopicArn: TOPIC_ARN },
    },
  ],
});
/** As it is listed: in the words it was made with, when the request does not show which words are wanted. */
export const EventDestination = Type.Object({
  Name: Type.String(),
  ...definitionMembers,
  CloudWatchLogsDestination: Type.Optional(LogsDestination),
  KinesisFirehoseDestination: Type.Optional(StreamDestination),
  SnsDestination: Type.Optional(TopicDestination),
});
type Definition = Static<typeof EventDestinationDefinition>;

const spoken = (description: string, example: string) =>
  Type.Object(
    {
      LanguageCode: Text("The language that is spoken.", "en-US"),
      Text: Text(description, example),
      VoiceId: Text("The voice that speaks.", "Matthew"),
    },
    { description },
  );
export const VoiceMessageContent = Type.Object(
  {
    CallInstructionsMessage: Type.Optional(
      Type.Object(
        {
          Text: Text(
            "What is said, as SSML that may also wait.",
            'Your table is ready. <wait time="2s"/> Goodbye.',
          ),
        },
        { description: "What is said, with pauses." },
      ),
    ),
    PlainTextMessage: Type.Optional(spoken("What is said.", "Your table is ready.")),
    SSMLMessage: Type.Optional(spoken("What is said, as SSML.", "<speak>Your table is ready.</speak>")),
  },
  {
    description: "What is said: exactly one of the three.",
    examples: [
      { PlainTextMessage: { LanguageCode: "en-US", Text: "Your table is ready.", VoiceId: "Matthew" } },
    ],
  },
);
export const VoiceMessage = Type.Object({
  CallerId: Text("The number that the called person sees.", "+12065550100"),
  ConfigurationSetName: SetName,
  Content: Type.Optional(VoiceMessageContent),
  DestinationPhoneNumber: Text("The number to call.", "+12065550142"),
  OriginationPhoneNumber: Text("The number that calls.", "+12065550100"),
});

const KINDS = {
  log: { neutral: "LogsDestination", makers: "CloudWatchLogsDestination" },
  stream: { neutral: "StreamDestination", makers: "KinesisFirehoseDestination" },
  topic: { neutral: "TopicDestination", makers: "SnsDestination" },
} as const satisfies Record<DestinationKind, { neutral: keyof Definition; makers: string }>;
export const makersMembers: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(KINDS).map(({ neutral, makers }) => [makers, neutral]),
);

export function readDefinition(definition: Definition | undefined): Destination {
  if (definition === undefined) throw errors.badRequest("EventDestination is missing.");
  const { LogsDestination: log, StreamDestination: stream, TopicDestination: topic } = definition;
  if ([log, stream, topic].filter((one) => one !== undefined).length !== 1)
    throw errors.badRequest(
      "EventDestination must name exactly one destination: a log group, a delivery stream or a topic.",
    );
  const common = {
    enabled: definition.Enabled ?? false,
    eventTypes: checkEventTypes(definition.MatchingEventTypes),
  };
  if (log)
    return {
      ...common,
      kind: "log",
      targetArn: checkTarget("log", log.LogGroupArn, "LogGroupArn"),
      roleArn: checkRole(log.IamRoleArn, "IamRoleArn"),
    };
  if (stream)
    return {
      ...common,
      kind: "stream",
      targetArn: checkTarget("stream", stream.DeliveryStreamArn, "DeliveryStreamArn"),
      roleArn: checkRole(stream.IamRoleArn, "IamRoleArn"),
    };
  return {
    ...common,
    kind: "topic",
    targetArn: checkTarget("topic", topic?.TopicArn, "TopicArn"),
    roleArn: null,
  };
}

function targetMembers({ kind, targetArn, roleArn }: Destination) {
  if (kind === "topic") return { TopicArn: targetArn };
  const role = roleArn === null ? {} : { IamRoleArn: roleArn };
  return kind === "log" ? { LogGroupArn: targetArn, ...role } : { DeliveryStreamArn: targetArn, ...role };
}

export function showDestination(
  name: string,
  destination: Destination,
  words: "neutral" | "makers",
): Static<typeof EventDestination> {
  return {
    Name: name,
    Enabled: destination.enabled,
    MatchingEventTypes: [...destination.eventTypes],
    [KINDS[destination.kind][words]]: targetMembers(destination),
  };
}
