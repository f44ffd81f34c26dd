/** Schemas of actions by type. Members of other types are ignored. */
import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { byKind, described, given, otherwise, type Rule, ruled, texts, words } from "#kernel/shape";
import { actionLimits, HTTP_METHODS, RETRY_TYPES, retryLimits, TRANSPORT_TYPES } from "../domain/index.ts";
import { about, duration, instant, name, optionalText, secretText, text } from "./members.ts";

const MESSAGE_LENGTH_MAX = 16_384;
const PROPERTIES_MAX = 50;

const isHttp: Rule = {
  name: "httpAddress",
  says: "must be an address that begins with http:// or https://",
  check: (uri: string) => /^https?:\/\/[^/?#]/i.test(uri) && URL.canParse(uri),
};
const holdsNoPassword: Rule = {
  name: "noPasswordInAddress",
  says: "must not hold a user name or password; use authentication instead",
  check(uri: string) {
    const { username, password } = new URL(uri);
    return username === "" && password === "";
  },
};
const isHttps: Rule = {
  name: "httpsAddress",
  says: "must begin with https:// in an action of the type Https",
  check: (uri: string) => new URL(uri).protocol === "https:",
};
const address = (...more: readonly Rule[]) =>
  ruled(
    text("Where the request goes.", "https://example.org/clean-up", actionLimits.uriLengthMax),
    isHttp,
    holdsNoPassword,
    ...more,
  );

const HEADER_NAME_PATTERN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const HEADER_VALUE_PATTERN = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;
const NAME_SHOWN_MAX = 60;
const canBeSent: Rule = {
  name: "headersCanBeSent",
  says: "must have names and values that can be sent as headers",
  check(headers: Readonly<Record<string, string>>) {
    const wrong = Object.entries(headers).find(
      ([header, value]) => !HEADER_NAME_PATTERN.test(header) || !HEADER_VALUE_PATTERN.test(value),
    );
    return (
      wrong === undefined || `holds "${wrong[0].slice(0, NAME_SHOWN_MAX)}", which can't be sent as a header`
    );
  },
};

const kind = <const T extends readonly [string, ...string[]]>(...types: T) =>
  described(words(types), "Which kind it is.", types[0]);

const basic = Type.Object({
  type: kind("Basic"),
  username: ruled(text("Who calls.", "robot"), {
    name: "noColon",
    says: "must not hold a colon",
    check: (username: string) => !username.includes(":"),
  }),
  password: secretText("Their password.", "a-long-password"),
});
const certificateFact = (description: string, example: string) =>
  given(Type.String({ maxLength: 2_048, ...about(`${description} Read from the file.`, example) }));
const clientCertificate = Type.Object({
  type: kind("ClientCertificate"),
  pfx: given(
    ruled(
      secret(
        Type.String({ maxLength: MESSAGE_LENGTH_MAX, ...about("A PFX file in Base64.", "MIIKXAIBAzCC") }),
      ),
      {
        name: "base64",
        says: "must be a PFX file in Base64",
        check: (pfx: string) => /^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/.test(pfx),
      },
    ),
    { empty: true },
  ),
  password: secretText("What opens the file.", "a-long-password"),
  certificateThumbprint: certificateFact("The certificate's fingerprint.", "4A7DEB9B"),
  certificateSubjectName: certificateFact("Whose certificate it is.", "CN=robot"),
  certificateExpirationDate: certificateFact("Until when it is good.", "2031-01-31T08:00:00Z"),
});
const oauth = Type.Object({
  type: kind("ActiveDirectoryOAuth"),
  tenant: text("Who issues the token; a whole address is the token endpoint itself.", "example.org"),
  audience: text("Whom the token is for.", "https://example.org/"),
  clientId: text("Who asks for the token.", "2f9e1c5d-7a2e-4b3c-8d61-0c2f5a9b1e77"),
  secret: secretText("The client's secret.", "a-long-secret"),
});
const authentication = described(
  byKind("type", [Type.Object({ type: kind("NotSpecified") }), clientCertificate, oauth, basic]),
  "How the request shows who sends it.",
  { type: "Basic", username: "robot", password: "a-long-password" },
);
const requestOf = (...rules: readonly Rule[]) =>
  described(
    Type.Object({
      uri: address(...rules),
      method: otherwise(described(words(HTTP_METHODS), "GET when left out.", "POST"), "GET"),
      headers: given(
        described(ruled(texts({ membersMax: actionLimits.headersMax }), canBeSent), "Headers by name.", {
          "content-type": "application/json",
        }),
      ),
      body: optionalText("What is sent.", '{"of":"yesterday"}', actionLimits.bodyLengthMax),
      authentication: given(authentication),
    }),
    "The request of an HTTP action.",
    { uri: "https://example.org/clean-up", method: "POST" },
  );

const queueMessage = described(
  Type.Object({
    storageAccount: name("The account that the queue is in.", "office"),
    queueName: name("The queue.", "alarms"),
    message: text("What is put into the queue.", "no report", MESSAGE_LENGTH_MAX),
    sasToken: secretText("What opens the queue.", "sv=2020-08-04&sig=a-long-signature"),
  }),
  "The message of a storage-queue action.",
  { storageAccount: "office", queueName: "alarms", message: "no report" },
);

const sharedAccessKey = Type.Object({
  type: kind("SharedAccessKey"),
  sasKeyName: name("The key's name.", "sender"),
  sasKey: secretText("The key.", "a-long-key"),
});
const unauthenticated = Type.Object({
  type: Type.Optional({ ...kind("NotSpecified"), default: "NotSpecified" as const }),
});
const brokeredText = (description: string, example: string) => optionalText(description, example);
const brokered = Type.Object({
  contentType: brokeredText("The kind of content.", "text/plain"),
  correlationId: brokeredText("What the message belongs to.", "order-17"),
  label: brokeredText("What the message is about.", "month-end"),
  messageId: brokeredText("The message's own name.", "message-1"),
  partitionKey: brokeredText("What belongs into the same partition.", "office"),
  replyTo: brokeredText("Where answers go.", "answers"),
  replyToSessionId: brokeredText("The session that answers go to.", "session-2"),
  sessionId: brokeredText("The session that the message belongs to.", "session-1"),
  to: brokeredText("Whom the message is for.", "bookkeeping"),
  viaPartitionKey: brokeredText("What belongs into the same partition on the way.", "office"),
  forcePersistence: given(Type.Boolean(about("Whether the message is kept before it is accepted.", true))),
  scheduledEnqueueTimeUtc: given(instant("From when on the message can be received."), { empty: true }),
  timeToLive: given(
    duration("How long the message is good.", "PT1H", "must be an ISO 8601 duration such as PT1H"),
    { empty: true },
  ),
});
const busMembers = {
  namespace: name("The namespace that the receiver is in.", "office-bus"),
  message: text("What is sent.", "Close the books.", MESSAGE_LENGTH_MAX),
  transportType: given(described(words(TRANSPORT_TYPES), "How the message travels.", "AMQP")),
  authentication: given(
    described(byKind("type", [unauthenticated, sharedAccessKey]), "How the message shows who sends it.", {
      type: "SharedAccessKey",
      sasKeyName: "sender",
      sasKey: "a-long-key",
    }),
  ),
  brokeredMessageProperties: given(
    described(brokered, "What the broker is told of the message.", { label: "month-end" }),
  ),
  customMessageProperties: given(
    described(texts({ membersMax: PROPERTIES_MAX }), "What receivers are told of it, by name.", {
      priority: "high",
    }),
  ),
};
const busQueueMessage = described(
  Type.Object({ ...busMembers, queueName: name("The queue.", "bookkeeping") }),
  "The message of a service-bus queue action.",
  { namespace: "office-bus", queueName: "bookkeeping", message: "Close the books." },
);
const busTopicMessage = described(
  Type.Object({ ...busMembers, topicPath: name("The topic.", "bookkeeping") }),
  "The message of a service-bus topic action.",
  { namespace: "office-bus", topicPath: "bookkeeping", message: "Close the books." },
);

const retryPolicy = described(
  Type.Object({
    retryType: otherwise(
      described(words(RETRY_TYPES), "Whether a failed attempt is repeated; Fixed when left out.", "Fixed"),
      "Fixed",
    ),
    retryInterval: given(
      duration(
        "How long after the end of an attempt the next begins; PT30S when left out.",
        "PT1M",
        "must be an ISO 8601 duration from PT15S to P548D, such as PT1M",
        { msMin: retryLimits.retryIntervalMsMin, msMax: retryLimits.retryIntervalMsMax },
      ),
    ),
    retryCount: given(
      Type.Integer({
        minimum: retryLimits.retryCountMin,
        maximum: retryLimits.retryCountMax,
        ...about("How often an attempt is repeated; 4 when left out.", 3),
      }),
    ),
  }),
  "What follows a failed attempt.",
  { retryType: "Fixed", retryInterval: "PT1M", retryCount: 3 },
);

/** One list of types for the action and its error action. */
const typesWith = <T extends TProperties>(members: T) => [
  Type.Object({ type: kind("Http"), request: requestOf(), ...members }),
  Type.Object({ type: kind("Https"), request: requestOf(isHttps), ...members }),
  Type.Object({ type: kind("StorageQueue"), queueMessage, ...members }),
  Type.Object({ type: kind("ServiceBusQueue"), serviceBusQueueMessage: busQueueMessage, ...members }),
  Type.Object({ type: kind("ServiceBusTopic"), serviceBusTopicMessage: busTopicMessage, ...members }),
];
const errorAction = described(
  byKind("type", typesWith({ retryPolicy: given(retryPolicy) })),
  "What is done when all attempts failed; repeated by its own retry policy, or else the main action's.",
  {
    type: "StorageQueue",
    queueMessage: { storageAccount: "office", queueName: "alarms", message: "no report" },
  },
);
export const action = described(
  byKind("type", typesWith({ retryPolicy: given(retryPolicy), errorAction: given(errorAction) })),
  "What the job does.",
  { type: "Https", request: { uri: "https://example.org/clean-up", method: "POST" } },
);
export type GivenAction = Static<typeof action>;
export type GivenErrorAction = Static<typeof errorAction>;
