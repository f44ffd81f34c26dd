/** Shapes exactly as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import { described, given, numberedWords, texts } from "#kernel/shape";
import { ENVIRONMENTS } from "./domain/index.ts";

const text = (description: string, example: string, lengthMax = 2048) =>
  given(Type.String({ maxLength: lengthMax, description, examples: [example] }));
const count = (description: string, example: number, maximum: number) =>
  given(Type.Integer({ minimum: 0, maximum, description, examples: [example] }));
const shown = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }));

const ENVIRONMENT_WORDS = ["ENVIRONMENT_UNSPECIFIED", ...ENVIRONMENTS] as const;
const INGRESS = [
  "INGRESS_SETTINGS_UNSPECIFIED",
  "ALLOW_ALL",
  "ALLOW_INTERNAL_ONLY",
  "ALLOW_INTERNAL_AND_GCLB",
] as const;
const RETRIES = ["RETRY_POLICY_UNSPECIFIED", "RETRY_POLICY_DO_NOT_RETRY", "RETRY_POLICY_RETRY"] as const;
const REGISTRIES = ["DOCKER_REGISTRY_UNSPECIFIED", "CONTAINER_REGISTRY", "ARTIFACT_REGISTRY"] as const;
const SECURITY = ["SECURITY_LEVEL_UNSPECIFIED", "SECURE_ALWAYS", "SECURE_OPTIONAL"] as const;
const EGRESS = ["VPC_CONNECTOR_EGRESS_SETTINGS_UNSPECIFIED", "PRIVATE_RANGES_ONLY", "ALL_TRAFFIC"] as const;

/** Numbers of 64 bits travel as texts. */
const Generation = Type.Union([Type.String({ pattern: "^[0-9]{1,19}$" }), Type.Integer({ minimum: 0 })], {
  description: "The generation of the object; the newest when left out or 0.",
  examples: ["1700000000000000"],
});
export const StorageSource = Type.Object(
  {
    bucket: text("The bucket that holds the archive.", "gcf-v2-uploads-demo-us-central1", 222),
    object: text("The archive's name in the bucket.", "9f8e.zip", 1024),
    generation: given(Generation),
  },
  { description: "An archive that was uploaded." },
);
const RepoSource = Type.Object(
  {
    projectId: text("The repository's project.", "demo"),
    repoName: text("The repository's name.", "default"),
    branchName: text("A branch.", "main"),
    tagName: text("A tag.", "v1"),
    commitSha: text("A commit.", "0f3c1d2e"),
    dir: text("The folder that holds the source.", "functions"),
    invertRegex: given(Type.Boolean({ description: "Whether the pattern excludes.", examples: [false] })),
  },
  { description: "A repository, which this installation does not read." },
);
const Source = Type.Object(
  { storageSource: given(StorageSource), repoSource: given(RepoSource) },
  { description: "Where the source is." },
);
export const BuildConfig = Type.Object(
  {
    runtime: text("The runtime to run on.", "nodejs20", 64),
    entryPoint: text("The name of the function in the source.", "hello", 128),
    source: given(Source),
    environmentVariables: given(
      described(texts({ membersMax: 100 }), "Variables of the build.", { NODE_ENV: "production" }),
    ),
    dockerRegistry: given(
      described(numberedWords(REGISTRIES), "Which registry keeps images.", "ARTIFACT_REGISTRY"),
    ),
    dockerRepository: text("The repository that keeps images.", ""),
    workerPool: text("The pool of builders.", ""),
    build: shown("Set by the service: the build's name.", "builds/1"),
    sourceProvenance: Type.Optional(
      Type.Unknown({ description: "Set by the service: the source that was really used.", examples: [{}] }),
    ),
  },
  { description: "How the source becomes something that runs." },
);

const SecretEnvironmentVariable = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 128, description: "The variable.", examples: ["API_KEY"] }),
    projectId: text("The secret's project.", "demo"),
    secret: Type.String({ minLength: 1, maxLength: 255, description: "The secret.", examples: ["api-key"] }),
    version: text("Its version.", "latest", 64),
  },
  { description: "A variable whose value is a secret." },
);
const SecretVolume = Type.Object(
  {
    mountPath: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The folder that holds it.",
      examples: ["/etc/secrets"],
    }),
    projectId: text("The secret's project.", "demo"),
    secret: Type.String({ minLength: 1, maxLength: 255, description: "The secret.", examples: ["api-key"] }),
    versions: given(
      Type.Array(
        Type.Object({
          path: text("The file's name.", "key"),
          version: text("The secret's version.", "latest", 64),
        }),
        { maxItems: 50, description: "Files, one for each version.", examples: [[]] },
      ),
    ),
  },
  { description: "A folder whose files are a secret's versions." },
);
export const ServiceConfig = Type.Object(
  {
    availableMemory: text("How much memory an instance has.", "256M", 20),
    availableCpu: text("How many processors an instance has.", "1", 10),
    timeoutSeconds: count("How long a request may take.", 60, 3600),
    maxInstanceCount: count("How many instances run at most.", 100, 1000),
    minInstanceCount: count("How many instances stay warm.", 0, 100),
    maxInstanceRequestConcurrency: count("How many requests an instance takes at once.", 1, 1000),
    environmentVariables: given(
      described(texts({ membersMax: 1000 }), "Variables that the function sees.", { GREETING: "Hello" }),
    ),
    secretEnvironmentVariables: given(
      Type.Array(SecretEnvironmentVariable, {
        maxItems: 100,
        description: "Variables whose values are secrets.",
        examples: [[]],
      }),
    ),
    secretVolumes: given(
      Type.Array(SecretVolume, { maxItems: 20, description: "Folders of secrets.", examples: [[]] }),
    ),
    ingressSettings: given(described(numberedWords(INGRESS), "Who may call it at all.", "ALLOW_ALL")),
    securityLevel: given(
      described(numberedWords(SECURITY), "Whether calls must be encrypted.", "SECURE_OPTIONAL"),
    ),
    serviceAccountEmail: text("The identity that the function runs as.", "worker@demo.iam.example.org"),
    allTrafficOnLatestRevision: given(
      Type.Boolean({
        description: "Whether the newest revision gets all requests. Otherwise they stay where they were.",
        examples: [true],
      }),
    ),
    vpcConnector: text("A network connector, which has no effect here.", ""),
    vpcConnectorEgressSettings: given(
      described(numberedWords(EGRESS), "What goes through it.", "PRIVATE_RANGES_ONLY"),
    ),
    uri: shown(
      "Set by the service: where the function answers.",
      "http://127.0.0.1:4020/functions/run/hello",
    ),
    revision: shown("Set by the service: the revision that answers.", "hello-00001"),
    service: shown(
      "Set by the service: the service behind it.",
      "projects/demo/locations/us-central1/services/hello",
    ),
  },
  { description: "How it runs." },
);
export const EventTrigger = Type.Object(
  {
    eventType: text(
      "The type of events that it is called for.",
      "google.cloud.pubsub.topic.v1.messagePublished",
      512,
    ),
    eventFilters: given(
      Type.Array(
        Type.Object({
          attribute: Type.String({
            minLength: 1,
            maxLength: 100,
            description: "An attribute of events.",
            examples: ["bucket"],
          }),
          value: Type.String({ maxLength: 1024, description: "What it must be.", examples: ["pictures"] }),
          operator: text("`match-path-pattern`, or nothing for an exact match.", "match-path-pattern", 40),
        }),
        { maxItems: 20, description: "All of them must hold.", examples: [[]] },
      ),
    ),
    pubsubTopic: text("The topic whose messages it is called for.", "projects/demo/topics/orders"),
    channel: text("The channel that events come by.", ""),
    retryPolicy: given(
      described(numberedWords(RETRIES), "Whether a failed call is repeated.", "RETRY_POLICY_RETRY"),
    ),
    serviceAccountEmail: text("The identity that calls come from.", ""),
    triggerRegion: text("Where events come from.", "us-central1"),
    trigger: shown(
      "Set by the service: the trigger's name.",
      "projects/demo/locations/us-central1/triggers/t",
    ),
  },
  { description: "Which events it is called for." },
);

const EXAMPLE_SOURCE = { storageSource: { bucket: "gcf-v2-uploads-demo-us-central1", object: "9f8e.zip" } };
/** Members that callers can set. Members that only the service sets are accepted and ignored. */
export const FunctionBody = Type.Object({
  name: text("The function's name.", "projects/demo/locations/us-central1/functions/hello"),
  description: text("What it is for.", "Says hello.", 1024),
  environment: given(described(numberedWords(ENVIRONMENT_WORDS), "The generation of the runtime.", "GEN_2")),
  labels: given(described(texts({ membersMax: 64 }), "Labels.", { team: "web" })),
  kmsKeyName: text("A key that the source is sealed with, which has no effect here.", ""),
  buildConfig: given(
    described(BuildConfig, "How the source becomes something that runs.", {
      runtime: "nodejs20",
      entryPoint: "hello",
      source: EXAMPLE_SOURCE,
    }),
  ),
  serviceConfig: given(described(ServiceConfig, "How it runs.", { availableMemory: "256M" })),
  eventTrigger: given(
    described(EventTrigger, "Which events it is called for; without it, it is called by HTTP.", {
      eventType: "google.cloud.pubsub.topic.v1.messagePublished",
      pubsubTopic: "projects/demo/topics/orders",
    }),
  ),
});
export type FunctionInput = Static<typeof FunctionBody>;

const StateMessage = Type.Object({
  severity: Type.String({ description: "ERROR, WARNING or INFO.", examples: ["ERROR"] }),
  type: Type.String({ description: "A short name for it.", examples: ["BuildFailed"] }),
  message: Type.String({ description: "What happened.", examples: ["The archive has no index.js."] }),
});
export const FunctionView = Type.Object({
  name: Type.String({ description: "The function's name." }),
  description: Type.Optional(Type.String({ description: "What it is for." })),
  environment: Type.String({ description: "The generation of the runtime." }),
  state: Type.String({ description: "ACTIVE, FAILED, DEPLOYING, DELETING or UNKNOWN." }),
  stateMessages: Type.Array(StateMessage, { description: "What is wrong with it, if anything." }),
  createTime: Type.String({ format: "date-time", description: "When it was made." }),
  updateTime: Type.String({ format: "date-time", description: "When it was changed last." }),
  labels: Type.Record(Type.String(), Type.String(), { description: "Labels." }),
  kmsKeyName: Type.Optional(Type.String({ description: "The key of its source." })),
  buildConfig: Type.Unknown({ description: "How its source became something that runs." }),
  serviceConfig: Type.Unknown({ description: "How it runs." }),
  eventTrigger: Type.Optional(Type.Unknown({ description: "Which events it is called for." })),
  upgradeInfo: Type.Optional(Type.Unknown({ description: "How far its upgrade has come." })),
  url: Type.String({ description: "Where it answers." }),
});
export const OperationView = Type.Object({
  name: Type.String({ description: "The operation's name." }),
  metadata: Type.Unknown({ description: "What it does, to what, and how far it has come." }),
  done: Type.Boolean({ description: "Whether it has ended." }),
  response: Type.Optional(Type.Unknown({ description: "What came of it." })),
  error: Type.Optional(
    Type.Object({
      code: Type.Integer({ description: "The number of the canonical error." }),
      message: Type.String({ description: "What went wrong." }),
      details: Type.Optional(Type.Array(Type.Unknown(), { description: "More about it." })),
    }),
  ),
});

export const PageSize = Type.Optional(
  Type.Integer({ minimum: 0, description: "How many come at once.", examples: [100] }),
);
export const PageToken = Type.Optional(
  Type.String({ maxLength: 4096, description: "Where the next page goes on.", examples: [""] }),
);
export const Filter = Type.Optional(
  Type.String({ maxLength: 2048, description: "Which ones are wanted.", examples: ['state = "ACTIVE"'] }),
);
export const NextPageToken = Type.Optional(Type.String({ description: "Where the next page goes on." }));
/** A name with slashes in the path. */
export const name = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 400, description, examples: [example] });
