/** Names and parts that operations share, spelt as clients spell them. */
import { Type } from "@sinclair/typebox";

export const PAGE_SIZE_MAX = 1000;

export const VaultName = Type.String({
  pattern: "^[a-zA-Z0-9_-]{2,50}$",
  description: "The vault's name.",
  examples: ["nightly"],
});
export const MaxResults = Type.Integer({
  minimum: 1,
  maximum: PAGE_SIZE_MAX,
  description: "How many a page has at most.",
  examples: [100],
});
export const NextToken = Type.String({
  maxLength: 4000,
  description: "Where the next page goes on, as the page before it said.",
  examples: [""],
});
/** Most lists. */
export const page = { maxResults: Type.Optional(MaxResults), nextToken: Type.Optional(NextToken) };
/** Lists of audits, restore tests and summaries. */
export const capitalPage = { MaxResults: Type.Optional(MaxResults), NextToken: Type.Optional(NextToken) };

export const RoleArn = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "The role of this account that the work is done in.",
  examples: ["arn:vendor:iam::123456789012:role/backup"],
});
export const ResourceArn = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "The resource's ARN.",
  examples: ["arn:vendor:files:us-east-1:123456789012:folder/photos"],
});
export const ResourceType = Type.String({
  pattern: "^[a-zA-Z0-9_.-]{1,50}$",
  description: "The kind of resource.",
  examples: ["ConfigurationStore"],
});
export const AccountId = Type.String({
  pattern: "^[0-9]{12}$",
  description: "An account.",
  examples: ["123456789012"],
});
export const Tags = Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 256 }), {
  description: "Tags.",
  examples: [{ team: "platform" }],
});
export const Lifecycle = Type.Object(
  {
    MoveToColdStorageAfterDays: Type.Optional(
      Type.Integer({
        description: "After how many days it moves to cold storage; -1 means never.",
        examples: [30],
      }),
    ),
    DeleteAfterDays: Type.Optional(
      Type.Integer({ description: "After how many days it is deleted; -1 means never.", examples: [365] }),
    ),
    OptInToArchiveForSupportedResources: Type.Optional(
      Type.Boolean({ description: "Whether resources that can be archived are." }),
    ),
  },
  { description: "When a recovery point moves to cold storage and when it is deleted." },
);

/** Seconds since 1970, with fractions. */
export const Time = Type.Number({
  description: "An instant, in seconds since 1970.",
  examples: [1893456000],
});
export const timeOf = (ms: number): number => ms / 1000;
/** In queries instants are written out. */
export const TimeInQuery = Type.String({
  format: "date-time",
  description: "An instant.",
  examples: ["2030-01-01T00:00:00Z"],
});
export const Nothing = Type.Object({});

/** Leaves out members that are null. */
export const said = <Name extends string, Value>(
  name: Name,
  value: Value | null,
): { [key in Name]?: Value } => (value === null ? {} : { [name]: value }) as { [key in Name]?: Value };
export const saidTime = <Name extends string>(name: Name, ms: number | null): { [key in Name]?: number } =>
  said(name, ms === null ? null : timeOf(ms));
