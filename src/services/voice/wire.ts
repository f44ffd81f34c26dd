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

const Text = (options = {}) => Type.Optional(Type.String(options));
const EventTypeName = Type.Union(EVENT_TYPES.map((name) => Type.Literal(name)));

export const SetPath = Type.Object({ ConfigurationSetName: Type.String() });
export const DestinationPath = Type.Object({
  ConfigurationSetName: Type.String(),
  EventDestinationName: Type.String(),
});
export const Nothing = Type.Object({});

const LogsDestination = Type.Object({ IamRoleArn: Text(), LogGroupArn: Text() });
const StreamDestination = Type.Object({ DeliveryStreamArn: Text(), IamRoleArn: Text() });
const TopicDestination = Type.Object({ TopicArn: Text() });
const definitionMembers = {
  Enabled: Type.Optional(Type.Boolean()),
  LogsDestination: Type.Optional(LogsDestination),
  MatchingEventTypes: Type.Optional(Type.Array(EventTypeName, { maxItems: 100 })),
  StreamDestination: Type.Optional(StreamDestination),
  TopicDestination: Type.Optional(TopicDestination),
};
export const EventDestinationDefinition = Type.Object(definitionMembers);
/** As it is listed: in the words it was made with, when the request does not show which words are wanted. */
export const EventDestination = Type.Object({
  Name: Type.String(),
  ...definitionMembers,
  CloudWatchLogsDestination: Type.Optional(LogsDestination),
  KinesisFirehoseDestination: Type.Optional(StreamDestination),
  SnsDestination: Type.Optional(TopicDestination),
});
type Definition = Static<typeof EventDestinationDefinition>;

const SpokenText = Type.Object({ LanguageCode: Text(), Text: Text(), VoiceId: Text() });
export const VoiceMessageContent = Type.Object({
  CallInstructionsMessage: Type.Optional(Type.Object({ Text: Text() })),
  PlainTextMessage: Type.Optional(SpokenText),
  SSMLMessage: Type.Optional(SpokenText),
});
export const VoiceMessage = Type.Object({
  CallerId: Text(),
  ConfigurationSetName: Text(),
  Content: Type.Optional(VoiceMessageContent),
  DestinationPhoneNumber: Text(),
  OriginationPhoneNumber: Text(),
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
