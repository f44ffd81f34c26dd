/** Schemas of the public API, in the neutral spelling of names. */
import { type Static, Type } from "@sinclair/typebox";
import {
  type Configuration,
  type Group,
  type GroupReference,
  QUERY_KINDS,
  type QueryError,
  type WrittenQuery,
} from "./domain/index.ts";
import type { Settings } from "./store/index.ts";

const GROUP_NAME = "[a-zA-Z0-9_.-]{1,300}";
const GROUP_ARN = "arn:vendor(-[a-z]+)*:resource-groups:[a-z0-9-]+:[0-9]{12}:group/";
/** Names are three letters longer than in the maker's spelling, for which the limits are defined. */
const LONGER = 3;

export const Name = Type.String({
  pattern: "^[a-zA-Z0-9_.-]+$",
  minLength: 1,
  maxLength: 300,
  description: "The group's name.",
  examples: ["production"],
});
export const Description = Type.String({
  pattern: "^[\\sa-zA-Z0-9_.-]*$",
  maxLength: 1024,
  description: "What the group is for.",
  examples: ["Everything that customers see."],
});
export const GroupText = Type.String({
  pattern: `^(${GROUP_ARN})?${GROUP_NAME}$`,
  maxLength: 1600,
  description: "The name or the ARN of a group.",
  examples: ["production"],
});
export const GroupArn = Type.String({
  pattern: `^${GROUP_ARN}${GROUP_NAME}$`,
  maxLength: 1600,
  description: "The ARN of the group.",
  examples: ["arn:vendor:resource-groups:us-east-1:123456789012:group/production"],
});
const ResourceArn = Type.String({
  pattern: "^arn:vendor(-[a-z]+)*:[a-zA-Z0-9-]*:[a-z0-9-]*:([0-9]{12})?:[^\\x00-\\x1f]+$",
  maxLength: 1024,
});
export const ResourceArns = Type.Array(ResourceArn, {
  minItems: 1,
  maxItems: 10,
  description: "The ARNs of the resources.",
  examples: [["arn:vendor:storage:us-east-1:123456789012:bucket/photos"]],
});
export const Tags = Type.Record(Type.String(), Type.String(), {
  description: "The tags of the group.",
  examples: [{ team: "platform" }],
});
export const TagKeys = Type.Array(Type.String(), {
  maxItems: 200,
  description: "The names of the tags.",
  examples: [["team"]],
});

export const ResourceQuery = Type.Object(
  {
    Type: Type.Union(
      QUERY_KINDS.map((kind) => Type.Literal(kind)),
      { description: "What kind of query it is.", examples: ["TAG_FILTERS_1_0"] },
    ),
    Query: Type.String({
      maxLength: 4096 + 100 * LONGER,
      description: "The query, as JSON in a text.",
      examples: [
        '{"ResourceTypeFilters":["Vendor::AllSupported"],"TagFilters":[{"Key":"stage","Values":["production"]}]}',
      ],
    }),
  },
  { description: "Which resources belong to the group." },
);
const ConfigurationParameter = Type.Object({
  Name: Type.String({
    pattern: "^[a-z-]+$",
    minLength: 1,
    maxLength: 80,
    description: "The parameter's name.",
    examples: ["allowed-resource-types"],
  }),
  Values: Type.Optional(
    Type.Array(Type.String({ pattern: "^[a-zA-Z0-9:/._-]+$", minLength: 1, maxLength: 256 + LONGER }), {
      maxItems: 100,
      description: "Its values.",
      examples: [["Vendor::Storage::Bucket"]],
    }),
  ),
});
const ConfigurationItem = Type.Object({
  Type: Type.String({
    pattern: "^Vendor::[a-zA-Z0-9]+::[a-zA-Z0-9]+$",
    maxLength: 40 + LONGER,
    description: "The type of the configuration.",
    examples: ["Vendor::ResourceGroups::Generic"],
  }),
  Parameters: Type.Optional(
    Type.Array(ConfigurationParameter, { maxItems: 20, description: "The parameters of the type." }),
  ),
});
export const ConfigurationList = Type.Array(ConfigurationItem, {
  maxItems: 2,
  description: "What services are told of the group, as types with their parameters.",
  examples: [
    [
      {
        Type: "Vendor::ResourceGroups::Generic",
        Parameters: [{ Name: "allowed-resource-types", Values: ["Vendor::Storage::Bucket"] }],
      },
    ],
  ],
});

const FILTERS_MAX = 10;
export const GroupFilters = Type.Array(
  Type.Object({
    Name: Type.Union([Type.Literal("resource-type"), Type.Literal("configuration-type")], {
      description: "What is looked at.",
    }),
    Values: Type.Array(
      Type.String({
        pattern: "^Vendor::(AllSupported|[a-zA-Z0-9]+::[a-zA-Z0-9]+)$",
        maxLength: 128 + LONGER,
      }),
      { minItems: 1, maxItems: 5, description: "Any of these.", examples: [["Vendor::AllSupported"]] },
    ),
  }),
  {
    maxItems: FILTERS_MAX,
    description: "Groups alone that fit all of these.",
    examples: [[{ Name: "resource-type", Values: ["Vendor::AllSupported"] }]],
  },
);
export const ResourceFilters = Type.Array(
  Type.Object({
    Name: Type.Literal("resource-type", { description: "What is looked at." }),
    Values: Type.Array(Type.String({ pattern: "^Vendor::[a-zA-Z0-9]+::\\w+$", maxLength: 128 + LONGER }), {
      minItems: 1,
      maxItems: 5,
      description: "Any of these.",
      examples: [["Vendor::Storage::Bucket"]],
    }),
  }),
  {
    maxItems: FILTERS_MAX,
    description: "Resources alone that fit all of these.",
    examples: [[{ Name: "resource-type", Values: ["Vendor::Storage::Bucket"] }]],
  },
);
export const PAGE_SIZE_MAX = 50;
export const MaxResults = Type.Integer({
  minimum: 1,
  maximum: PAGE_SIZE_MAX,
  description: "How many a page has at most.",
  examples: [20],
});
export const NextToken = Type.String({
  pattern: "^[a-zA-Z0-9+/]*={0,2}$",
  maxLength: 8192,
  description: "Where the next page goes on, as the page before it said.",
  examples: ["MTAw"],
});

const shownGroupArn = Type.String({
  description: "The ARN of the group.",
  examples: ["arn:vendor:resource-groups:us-east-1:123456789012:group/production"],
});
export const GroupView = Type.Object({
  GroupArn: shownGroupArn,
  Name: Type.String({ description: "The group's name.", examples: ["production"] }),
  Description: Type.Optional(Type.String({ description: "What the group is for." })),
});
export const groupViewOf = ({ arn, name, description }: Group): Static<typeof GroupView> => ({
  GroupArn: arn,
  Name: name,
  ...(description !== undefined && { Description: description }),
});

type ResourceQueryText = Static<typeof ResourceQuery>;
export const writtenQueryOf = ({ Type: kind, Query }: ResourceQueryText): WrittenQuery => ({
  kind,
  text: Query,
});
export const queryViewOf = ({ kind, text }: WrittenQuery): ResourceQueryText => ({ Type: kind, Query: text });
export const GroupQueryView = Type.Object({
  GroupName: Type.String({ description: "The group's name." }),
  ResourceQuery,
});

type ConfigurationView = Static<typeof ConfigurationList>;
export const configurationOf = (items: ConfigurationView): Configuration =>
  items.map((item) => ({
    type: item.Type,
    ...(item.Parameters && {
      parameters: item.Parameters.map(({ Name: name, Values }) => ({
        name,
        ...(Values && { values: Values }),
      })),
    }),
  }));
const configurationItemsOf = (configuration: Configuration): ConfigurationView =>
  configuration.map(({ type, parameters }) => ({
    Type: type,
    ...(parameters && {
      Parameters: parameters.map(({ name, values }) => ({
        Name: name,
        ...(values && { Values: [...values] }),
      })),
    }),
  }));
export const GroupConfigurationView = Type.Object({
  Configuration: Type.Optional(ConfigurationList),
  ProposedConfiguration: Type.Optional(ConfigurationList),
  Status: Type.Optional(
    Type.Union(
      (["UPDATING", "UPDATE_COMPLETE", "UPDATE_FAILED"] as const).map((status) => Type.Literal(status)),
      { description: "How far the last change has come." },
    ),
  ),
  FailureReason: Type.Optional(Type.String({ description: "Why it failed." })),
});
export const configurationViewOf = (group: Group): Static<typeof GroupConfigurationView> => ({
  ...(group.configuration && { Configuration: configurationItemsOf(group.configuration) }),
  ...(group.proposed && { ProposedConfiguration: configurationItemsOf(group.proposed) }),
  ...(group.configurationStatus && { Status: group.configurationStatus }),
  ...(group.failureReason !== undefined && { FailureReason: group.failureReason }),
});

export const ResourceIdentifier = Type.Object({
  ResourceArn: Type.String({ description: "The ARN of the resource." }),
  ResourceType: Type.String({ description: "Its type.", examples: ["Vendor::Storage::Bucket"] }),
});
export const QueryErrors = Type.Array(
  Type.Object({
    ErrorCode: Type.String({ description: "What kind of problem it is." }),
    Message: Type.String({ description: "What is wrong." }),
  }),
  { description: "What keeps the query from finding everything." },
);
export const queryErrorsOf = (problems: readonly QueryError[]): Static<typeof QueryErrors> =>
  problems.map(({ code, message }) => ({ ErrorCode: code, Message: message }));

const DesiredStatus = Type.Union([Type.Literal("ACTIVE"), Type.Literal("INACTIVE")], {
  description: "Whether changes of groups are sent as events.",
});
export const SettingsChange = Type.Object({
  GroupLifecycleEventsDesiredStatus: Type.Optional(DesiredStatus),
});
export const AccountSettings = Type.Object({
  GroupLifecycleEventsDesiredStatus: DesiredStatus,
  GroupLifecycleEventsStatus: Type.Union(
    (["ACTIVE", "INACTIVE", "IN_PROGRESS", "ERROR"] as const).map((status) => Type.Literal(status)),
    { description: "Whether they are sent now." },
  ),
  GroupLifecycleEventsStatusMessage: Type.Optional(Type.String({ description: "Why they are not." })),
});
export const settingsViewOf = ({ desired, status, message }: Settings): Static<typeof AccountSettings> => ({
  GroupLifecycleEventsDesiredStatus: desired,
  GroupLifecycleEventsStatus: status,
  ...(message !== undefined && { GroupLifecycleEventsStatusMessage: message }),
});

/** Members that most requests use to name a group. */
export const groupMembers = { GroupName: Type.Optional(Name), Group: Type.Optional(GroupText) };
export const referenceOf = (body: {
  GroupName?: string | undefined;
  Group?: string | undefined;
}): GroupReference => ({ group: body.Group, groupName: body.GroupName });
