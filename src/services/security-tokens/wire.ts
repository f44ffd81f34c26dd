/** Shapes, spelt as clients spell them. */
import { type Static, type TObject, Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import { ROLE_SECONDS, ROLE_SECONDS_MAX } from "./domain/limits.ts";

export const ACTIONS = ["GetCallerIdentity", "AssumeRole", "GetSessionToken"] as const;
export type Action = (typeof ACTIONS)[number];
const SESSION_NAME = "^[\\w+=,.@-]{2,64}$";

/** One address serves every action: which of these an action takes, it says itself. */
export const POLICY_LENGTH_MAX = 2048;
export const Parameters = Type.Object({
  Action: Type.Optional(
    Type.String({
      maxLength: 128,
      description: `What to do: ${ACTIONS.join(", ")}.`,
      examples: ["GetSessionToken"],
    }),
  ),
  Version: Type.Optional(
    Type.String({ maxLength: 32, description: "The interface's version.", examples: ["2011-06-15"] }),
  ),
  RoleArn: Type.Optional(
    Type.String({
      minLength: 20,
      maxLength: 2048,
      description: "AssumeRole: the role.",
      examples: ["arn:aws:iam::111111111111:role/reader"],
    }),
  ),
  RoleSessionName: Type.Optional(
    Type.String({
      pattern: SESSION_NAME,
      description: "AssumeRole: what the session is called.",
      examples: ["nightly-build"],
    }),
  ),
  DurationSeconds: Type.Optional(
    Type.Integer({
      description: "How long the session lasts: AssumeRole 900 to 43200, GetSessionToken 900 to 129600.",
      examples: [3600],
    }),
  ),
  Policy: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: POLICY_LENGTH_MAX,
      description: "AssumeRole: a policy document that restricts the session further.",
      examples: ['{"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}'],
    }),
  ),
  ExternalId: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 1224,
      description: "AssumeRole: what the role asks its callers for.",
      examples: ["order-4711"],
    }),
  ),
  SourceIdentity: Type.Optional(
    Type.String({
      pattern: SESSION_NAME,
      description: "AssumeRole: whom the caller acts for. It is answered, and has no other effect.",
      examples: ["ann"],
    }),
  ),
});
export type Parameters = Static<typeof Parameters>;

const RequestId = Type.String({
  description: "The request.",
  examples: ["01234567-89ab-4def-8123-456789abcdef"],
});
const ResponseMetadata = Type.Object({ RequestId }, { description: "About the answer itself." });
const Credentials = Type.Object(
  {
    AccessKeyId: Type.String({
      description: "The session's access key.",
      examples: ["ASIA0123456789ABCDEF"],
    }),
    SecretAccessKey: secret(Type.String({ description: "What to sign with.", examples: ["wJalrXUtnFEMI"] })),
    SessionToken: secret(
      Type.String({
        description: "To be sent with each request, as X-Amz-Security-Token.",
        examples: ["FwoGZXIvYXdzEBYaD"],
      }),
    ),
    Expiration: Type.Integer({
      description: "When the session ends, in seconds since 1970; in XML an ISO time.",
      examples: [1767225600],
    }),
  },
  { description: "The key of a session." },
);
const responseOf = (action: Action, result: TObject) =>
  Type.Optional(
    Type.Object(
      { [`${action}Result`]: result, ResponseMetadata },
      { description: `What ${action} answers.` },
    ),
  );
/** As JSON; XML has the same names. */
export const Response = Type.Object({
  GetCallerIdentityResponse: responseOf(
    "GetCallerIdentity",
    Type.Object(
      {
        Arn: Type.String({
          description: "The caller's name.",
          examples: ["arn:aws:iam::111111111111:user/MDLYFIRST000000001"],
        }),
        UserId: Type.String({ description: "The caller's id.", examples: ["AIDA0123456789ABCDEFG"] }),
        Account: Type.String({ description: "The caller's account.", examples: ["111111111111"] }),
      },
      { description: "Who is asking." },
    ),
  ),
  AssumeRoleResponse: responseOf(
    "AssumeRole",
    Type.Object(
      {
        AssumedRoleUser: Type.Object(
          {
            AssumedRoleId: Type.String({
              description: "The role's id and the session's name.",
              examples: ["AROA0123456789ABCDEFG:nightly-build"],
            }),
            Arn: Type.String({
              description: "The session's name.",
              examples: ["arn:aws:sts::111111111111:assumed-role/reader/nightly-build"],
            }),
          },
          { description: "Whom the session stands for." },
        ),
        Credentials,
        PackedPolicySize: Type.Optional(
          Type.Integer({
            description: "How much of the room for policies is used, in percent.",
            examples: [4],
          }),
        ),
        SourceIdentity: Type.Optional(
          Type.String({ description: "Whom the caller acts for.", examples: ["ann"] }),
        ),
      },
      { description: "The session." },
    ),
  ),
  GetSessionTokenResponse: responseOf(
    "GetSessionToken",
    Type.Object({ Credentials }, { description: "The session." }),
  ),
});

export const RoleName = Type.String({
  pattern: "^[\\w+=,.@-]{1,64}$",
  description: "The role's name.",
  examples: ["reader"],
});
const NameOrNames = Type.Union([
  Type.String({ maxLength: 2048 }),
  Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 200 }),
]);
const Statement = Type.Object({
  Sid: Type.Optional(
    Type.String({ maxLength: 256, description: "The statement's own name.", examples: ["Read"] }),
  ),
  Effect: Type.String({ maxLength: 8, description: "Allow or Deny.", examples: ["Allow"] }),
  Action: { ...NameOrNames, description: "What may be done, or must not.", examples: ["backup:List*"] },
  Resource: { ...NameOrNames, description: "On what.", examples: ["*"] },
});
const PolicyDocument = Type.Object(
  {
    Version: Type.Optional(
      Type.String({ maxLength: 16, description: "Of the policy language.", examples: ["2012-10-17"] }),
    ),
    Id: Type.Optional(
      Type.String({ maxLength: 256, description: "The document's own name.", examples: ["p1"] }),
    ),
    Statement: Type.Array(Statement, { maxItems: 100, description: "What it says." }),
  },
  { description: "What the role may do of what its account may; all of it when absent." },
);
export const RoleBody = Type.Object({
  description: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: "What the role is for.",
      examples: ["Looks, changes nothing."],
    }),
  ),
  policy: Type.Optional(PolicyDocument),
  trustedAccounts: Type.Optional(
    Type.Array(Type.String({ pattern: "^[0-9]{12}$", examples: ["222222222222"] }), {
      maxItems: 100,
      description: "Other accounts that may assume the role.",
    }),
  ),
  externalId: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 1224,
      description: "What callers must send as ExternalId.",
      examples: ["order-4711"],
    }),
  ),
  maxSessionDuration: Type.Optional(
    Type.Integer({
      minimum: ROLE_SECONDS,
      maximum: ROLE_SECONDS_MAX,
      default: ROLE_SECONDS,
      description: "The longest a session may last, in seconds.",
    }),
  ),
});
export type RoleBody = Static<typeof RoleBody>;
export const Role = Type.Composite([
  Type.Object({
    name: RoleName,
    arn: Type.String({ description: "The role's ARN.", examples: ["arn:aws:iam::111111111111:role/reader"] }),
  }),
  RoleBody,
  Type.Object({
    createdAt: Type.String({ description: "When it was made.", examples: ["2026-01-02T03:04:05.000Z"] }),
    updatedAt: Type.String({
      description: "When it was last changed.",
      examples: ["2026-01-02T03:04:05.000Z"],
    }),
  }),
]);
export type Role = Static<typeof Role>;
