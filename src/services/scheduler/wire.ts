/**
 * Shapes of job collections, jobs and history. What callers send is declared loosely, because words may be of any case and
 * single values may stand for lists; the reading rules in `domain` say precisely what is wrong.
 */
import { type TSchema, Type } from "@sinclair/typebox";
import {
  listOf,
  location,
  oneOf,
  proxyAnswer,
  tagChanges,
  tags,
  trackedAnswer,
} from "#kernel/resource-provider";

const given = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const text = (description: string, example: string) =>
  given(Type.String({ description, examples: [example] }));
const number = (description: string, example: number) =>
  given(Type.Number({ description, examples: [example] }));
const members = Type.Record(Type.String(), Type.Unknown());
const loose = (description: string, example: Record<string, unknown>) =>
  given(Type.Unsafe<Record<string, unknown>>({ ...members, description, examples: [example] }));

const collectionProperties = Type.Object(
  {
    sku: given(
      Type.Object(
        { name: text("Standard, Free, P10Premium or P20Premium; Standard when left out.", "Standard") },
        { description: "The plan." },
      ),
    ),
    state: text("Enabled or Disabled.", "Enabled"),
    quota: given(
      Type.Object(
        {
          maxJobCount: number("How many jobs there may be.", 10),
          maxJobOccurrence: number("How often one job may run.", 1000),
          maxRecurrence: given(
            Type.Object(
              {
                frequency: text("Minute, Hour, Day, Week or Month.", "Minute"),
                interval: number("How many of these lie between two runs at least.", 5),
              },
              { description: "How often a job may run at most." },
            ),
          ),
        },
        { description: "What the jobs of the collection may use." },
      ),
    ),
  },
  {
    description: "The plan of the collection, whether its jobs run, and how many there may be.",
    examples: [
      {
        sku: { name: "Standard" },
        state: "Enabled",
        quota: { maxJobCount: 10, maxRecurrence: { frequency: "Minute", interval: 5 } },
      },
    ],
  },
);
/** Members that clients send back as they read them, and that count for nothing. */
const echoedOf = (id: string, name: string, type: string) => ({
  id: text("May be sent back as it was read; counts for nothing.", id),
  name: text("May be sent back as it was read; counts for nothing.", name),
  type: text("May be sent back as it was read; counts for nothing.", type),
});
const COLLECTION_ID =
  "/subscriptions/00000000-0000-0000-0000-123456789012/resourceGroups/web-shop/providers/Vendor.Scheduler/jobCollections/nightly-work";
const COLLECTION_TYPE = "Vendor.Scheduler/jobCollections";
const echoedCollection = echoedOf(COLLECTION_ID, "nightly-work", COLLECTION_TYPE);

export const collectionPut = Type.Object({
  ...echoedCollection,
  location,
  tags: Type.Optional(tags),
  properties: Type.Optional(collectionProperties),
});
export const collectionPatch = Type.Object({
  ...echoedCollection,
  location: text("Where the collection is; it cannot be changed.", "westeurope"),
  tags: Type.Optional(tagChanges),
  properties: Type.Optional(collectionProperties),
});

const jobProperties = Type.Object(
  {
    startTime: text("ISO 8601; a job without it runs at once.", "2030-05-01T08:00:00Z"),
    state: text("Enabled or Disabled.", "Enabled"),
    recurrence: loose(
      "frequency, interval, count, endTime, timeZone, and a schedule of minutes, hours, weekDays, monthDays and monthlyOccurrences. A job without it runs once.",
      { frequency: "Day", interval: 1, schedule: { hours: [3], minutes: [30] } },
    ),
    action: loose(
      "type, one of request, queueMessage, serviceBusQueueMessage and serviceBusTopicMessage, and retryPolicy and errorAction.",
      { type: "Https", request: { uri: "https://example.org/clean-up", method: "POST" } },
    ),
  },
  { description: "What the job does, when it begins, and how often it runs." },
);
const echoedJob = echoedOf(`${COLLECTION_ID}/jobs/clean-up`, "clean-up", `${COLLECTION_TYPE}/jobs`);
export const jobBody = Type.Object({ ...echoedJob, properties: Type.Optional(jobProperties) });

const frequency = oneOf("Minute", "Hour", "Day", "Week", "Month");
const weekDay = oneOf("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");

export const collectionAnswer = trackedAnswer({
  properties: Type.Object({
    sku: Type.Object({ name: oneOf("Standard", "Free", "P10Premium", "P20Premium") }),
    state: oneOf("Enabled", "Disabled", "Suspended", "Deleted"),
    quota: Type.Object({
      maxJobCount: Type.Integer(),
      maxJobOccurrence: Type.Optional(Type.Integer()),
      maxRecurrence: Type.Object({ frequency, interval: Type.Integer() }),
    }),
  }),
});

const httpRequest = Type.Object({
  uri: Type.String(),
  method: Type.String(),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  body: Type.Optional(Type.String()),
  authentication: Type.Optional(
    Type.Object(
      {
        type: oneOf("NotSpecified", "ClientCertificate", "ActiveDirectoryOAuth", "Basic"),
        username: Type.Optional(Type.String()),
        tenant: Type.Optional(Type.String()),
        audience: Type.Optional(Type.String()),
        clientId: Type.Optional(Type.String()),
        certificateThumbprint: Type.Optional(Type.String()),
        certificateSubjectName: Type.Optional(Type.String()),
        certificateExpirationDate: Type.Optional(Type.String()),
      },
      { additionalProperties: false },
    ),
  ),
});
const queueMessage = Type.Object(
  { storageAccount: Type.String(), queueName: Type.String(), message: Type.String() },
  { additionalProperties: false },
);
const serviceBusMembers = {
  namespace: Type.String(),
  message: Type.String(),
  transportType: Type.Optional(oneOf("NotSpecified", "NetMessaging", "AMQP")),
  authentication: Type.Optional(
    Type.Object(
      { type: oneOf("NotSpecified", "SharedAccessKey"), sasKeyName: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
  ),
  brokeredMessageProperties: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()])),
  ),
  customMessageProperties: Type.Optional(Type.Record(Type.String(), Type.String())),
};
const retryPolicy = Type.Object({
  retryType: oneOf("None", "Fixed"),
  retryInterval: Type.Optional(Type.String()),
  retryCount: Type.Optional(Type.Integer()),
});
const actionMembers = {
  type: oneOf("Http", "Https", "StorageQueue", "ServiceBusQueue", "ServiceBusTopic"),
  request: Type.Optional(httpRequest),
  queueMessage: Type.Optional(queueMessage),
  serviceBusQueueMessage: Type.Optional(Type.Object({ ...serviceBusMembers, queueName: Type.String() })),
  serviceBusTopicMessage: Type.Optional(Type.Object({ ...serviceBusMembers, topicPath: Type.String() })),
  retryPolicy: Type.Optional(retryPolicy),
};
const recurrence = Type.Object({
  frequency,
  interval: Type.Integer(),
  count: Type.Optional(Type.Integer()),
  endTime: Type.Optional(Type.String()),
  timeZone: Type.Optional(Type.String()),
  schedule: Type.Optional(
    Type.Object({
      minutes: Type.Optional(Type.Array(Type.Integer())),
      hours: Type.Optional(Type.Array(Type.Integer())),
      weekDays: Type.Optional(Type.Array(weekDay)),
      monthDays: Type.Optional(Type.Array(Type.Integer())),
      monthlyOccurrences: Type.Optional(
        Type.Array(Type.Object({ day: weekDay, Occurrence: Type.Optional(Type.Integer()) })),
      ),
    }),
  ),
});

export const jobAnswer = proxyAnswer({
  properties: Type.Object(
    {
      startTime: Type.Optional(Type.String()),
      state: oneOf("Enabled", "Disabled", "Faulted", "Completed"),
      action: Type.Object({ ...actionMembers, errorAction: Type.Optional(Type.Object(actionMembers)) }),
      recurrence: Type.Optional(recurrence),
      status: Type.Object({
        executionCount: Type.Integer(),
        failureCount: Type.Integer(),
        faultedCount: Type.Integer(),
        lastExecutionTime: Type.Optional(Type.String()),
        nextExecutionTime: Type.Optional(Type.String()),
      }),
    },
    { additionalProperties: false },
  ),
});

export const historyAnswer = proxyAnswer({
  properties: Type.Object({
    startTime: Type.String(),
    endTime: Type.String(),
    expectedExecutionTime: Type.String(),
    actionName: oneOf("MainAction", "ErrorAction"),
    status: oneOf("Completed", "Failed", "Postponed"),
    message: Type.String(),
    retryCount: Type.Integer(),
    repeatCount: Type.Integer(),
  }),
});
export const historyList = listOf(historyAnswer);
