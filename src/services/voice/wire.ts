/**
 * Request and response shapes. Members that the vendor names after products have neutral names here; see
 * dialect.ts.
 */
import { type Static, Type } from "@sinclair/typebox";
import { otherwise, ruled, says } from "#kernel/shape";
import { EVENT_TYPES } from "./domain/calls.ts";
import {
  ARN_LENGTH_MAX,
  type Destination,
  type DestinationKind,
  NAME_PATTERN,
  ROLE_PATTERN,
  TARGETS,
} from "./domain/destinations.ts";

const NUMBER_LENGTH_MAX = 64;
/** Twice the limit of spoken or marked-up text, because some characters count twice here. */
const TEXT_LENGTH_MAX = 12_000;
const TOKEN_LENGTH_MAX = 2_048;
const URL_LENGTH_MAX = 2_048;
const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 1_000;

const about = (description: string, example: unknown) => ({ description, examples: [example] });
const Text = (description: string, example: string, lengthMax: number) =>
  Type.Optional(Type.String({ maxLength: lengthMax, ...about(description, example) }));
const TOPIC_ARN = "arn:vendor:topics:us-east-1:123456789012:calls";
const EventTypeName = Type.Union(EVENT_TYPES.map((name) => Type.Literal(name)));

/** A required name that matches the pattern. */
const named = (words: { readonly description: string; readonly examples: string[] }) =>
  says(Type.String({ minLength: 1, maxLength: 64, pattern: NAME_PATTERN, ...words }), {
    missing: "is missing",
    wrong: "must be 1 to 64 letters, digits, hyphens or underscores",
  });
const arnOf = (title: string, pattern: string, description: string, example: string) =>
  says(Type.String({ maxLength: ARN_LENGTH_MAX, pattern, ...about(description, example) }), {
    missing: "is missing",
    wrong: `is not the ARN of ${title}`,
  });
const targetOf = (kind: DestinationKind, description: string, example: string) =>
  arnOf(TARGETS[kind].title, TARGETS[kind].pattern, description, example);

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
export const SetBody = Type.Object({ ConfigurationSetName: named(setNameWords) });
export const PageQuery = Type.Object({
  NextToken: Text("Where the next page goes on, as the page before it said.", "MTAw", TOKEN_LENGTH_MAX),
  PageSize: otherwise(
    Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, ...about("How many names a page has.", 20) }),
    PAGE_SIZE_DEFAULT,
  ),
});

const endpoint = ruled(
  Type.String({
    maxLength: URL_LENGTH_MAX,
    ...about("The web address that its messages are sent to.", "https://example.org/calls"),
  }),
  {
    name: "webAddress",
    says: "is not an http or https address",
    check: (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
  },
  {
    name: "noPassword",
    says: "must not hold a user name or password",
    check(text: string) {
      const { username, password } = new URL(text);
      return username === "" && password === "";
    },
  },
);
export const TopicSubscription = Type.Object({
  TopicArn: targetOf("topic", "The topic.", TOPIC_ARN),
  Endpoint: endpoint,
});
export const Nothing = Type.Object({});

const role = () =>
  arnOf(
    "a role",
    ROLE_PATTERN,
    "The role that may write there.",
    "arn:vendor:iam::123456789012:role/voice-events",
  );
const LogsDestination = Type.Object(
  {
    IamRoleArn: role(),
    LogGroupArn: targetOf("log", "The log group.", "arn:vendor:logs:us-east-1:123456789012:log-group:calls"),
  },
  { description: "Events are written to a log group." },
);
const StreamDestination = Type.Object(
  {
    DeliveryStreamArn: targetOf(
      "stream",
      "The delivery stream.",
      "arn:vendor:streams:us-east-1:123456789012:deliverystream/calls",
    ),
    IamRoleArn: role(),
  },
  { description: "Events are put into a delivery stream." },
);
const TopicDestination = Type.Object(
  { TopicArn: targetOf("topic", "The topic.", TOPIC_ARN) },
  { description: "Events are sent to a topic." },
);
const destinations = {
  LogsDestination: Type.Optional(LogsDestination),
  StreamDestination: Type.Optional(StreamDestination),
  TopicDestination: Type.Optional(TopicDestination),
};
const enabled = Type.Boolean(about("Whether events are sent; not when left out.", true));
const eventTypes = Type.Array(EventTypeName, {
  minItems: 1,
  maxItems: 100,
  ...about("Which events are sent.", [EVENT_TYPES[0]]),
});
const isGiven = (one: unknown): boolean => one !== undefined;
const definition = ruled(
  Type.Object(
    {
      Enabled: otherwise(enabled, false),
      MatchingEventTypes: says(eventTypes, "must name at least one event type"),
      ...destinations,
    },
    {
      description: "Which events are sent, and the one place that they are sent to.",
      examples: [
        { Enabled: true, MatchingEventTypes: [EVENT_TYPES[0]], TopicDestination: { TopicArn: TOPIC_ARN } },
      ],
    },
  ),
  {
    name: "oneDestination",
    says: "must name exactly one destination: a log group, a delivery stream or a topic",
    of: Object.keys(destinations),
    check: (value: Record<string, unknown>) =>
      Object.keys(destinations).filter((name) => isGiven(value[name])).length === 1,
  },
);
type Definition = Static<typeof definition>;
const EventDestinationDefinition = says(definition, { missing: "is missing" });
export const DestinationPost = Type.Object({
  EventDestination: EventDestinationDefinition,
  EventDestinationName: named(destinationNameWords),
});
export const DestinationPut = Type.Object({ EventDestination: EventDestinationDefinition });

/**
 * Listed form of a destination. If the request shows no dialect, the names are those of the creation
 * request.
 */
export const EventDestination = Type.Object({
  Name: Type.String(destinationNameWords),
  Enabled: enabled,
  MatchingEventTypes: eventTypes,
  ...destinations,
  CloudWatchLogsDestination: Type.Optional(LogsDestination),
  KinesisFirehoseDestination: Type.Optional(StreamDestination),
  SnsDestination: Type.Optional(TopicDestination),
});

const spokenText = (description: string, example: string) =>
  says(Type.String({ maxLength: TEXT_LENGTH_MAX, ...about(description, example) }), {
    missing: "is missing",
  });
const spoken = (description: string, example: string) =>
  Type.Object(
    {
      LanguageCode: Text("The language that is spoken.", "en-US", 64),
      Text: spokenText(description, example),
      VoiceId: Text("The voice that speaks.", "Matthew", 64),
    },
    { description },
  );
const contents = {
  CallInstructionsMessage: Type.Optional(
    Type.Object(
      {
        Text: spokenText(
          "What is said, as SSML that may also wait.",
          'Your table is ready. <wait time="2s"/> Goodbye.',
        ),
      },
      { description: "What is said, with pauses." },
    ),
  ),
  PlainTextMessage: Type.Optional(spoken("What is said.", "Your table is ready.")),
  SSMLMessage: Type.Optional(spoken("What is said, as SSML.", "<speak>Your table is ready.</speak>")),
};
const CONTENT_SAYS = "must hold exactly one of PlainTextMessage, SSMLMessage and CallInstructionsMessage";
const Content = says(
  ruled(
    Type.Object(contents, {
      description: "What is said: exactly one of the three.",
      examples: [
        { PlainTextMessage: { LanguageCode: "en-US", Text: "Your table is ready.", VoiceId: "Matthew" } },
      ],
    }),
    {
      name: "oneMessage",
      says: CONTENT_SAYS,
      of: Object.keys(contents),
      check: (value: Record<string, unknown>) =>
        Object.keys(contents).filter((name) => isGiven(value[name])).length === 1,
    },
  ),
  { missing: CONTENT_SAYS },
);
export type VoiceMessageContent = Static<typeof Content>;
export const VoiceMessage = Type.Object({
  CallerId: Text("The number that the called person sees.", "+12065550100", NUMBER_LENGTH_MAX),
  ConfigurationSetName: Type.Optional(Type.String({ maxLength: 1_024, ...setNameWords })),
  Content,
  DestinationPhoneNumber: says(
    Type.String({ maxLength: NUMBER_LENGTH_MAX, ...about("The number to call.", "+12065550142") }),
    { missing: "is missing" },
  ),
  OriginationPhoneNumber: Text("The number that calls.", "+12065550100", NUMBER_LENGTH_MAX),
});

const KINDS = {
  log: { neutral: "LogsDestination", makers: "CloudWatchLogsDestination" },
  stream: { neutral: "StreamDestination", makers: "KinesisFirehoseDestination" },
  topic: { neutral: "TopicDestination", makers: "SnsDestination" },
} as const satisfies Record<DestinationKind, { neutral: keyof Definition; makers: string }>;
export const makersMembers: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(KINDS).map(({ neutral, makers }) => [makers, neutral]),
);

/** Removes duplicate event types. */
export function destinationOf(given: Definition): Destination {
  const { LogsDestination: log, StreamDestination: stream, TopicDestination: topic } = given;
  const common = { enabled: given.Enabled, eventTypes: [...new Set(given.MatchingEventTypes)] };
  if (log) return { ...common, kind: "log", targetArn: log.LogGroupArn, roleArn: log.IamRoleArn };
  if (stream)
    return { ...common, kind: "stream", targetArn: stream.DeliveryStreamArn, roleArn: stream.IamRoleArn };
  return { ...common, kind: "topic", targetArn: topic?.TopicArn ?? "", roleArn: null };
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
