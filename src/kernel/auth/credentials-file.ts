/** The credentials file: accounts with plain secrets, as written by people or by the first start. */
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Ids } from "../clock/ids.ts";
import { FailedError } from "../manifest/index.ts";

const Secret = Type.String({ minLength: 8, maxLength: 512 });
export const AccountId = Type.String({
  pattern: "^[0-9]{12}$",
  description: "The account's number: twelve digits.",
  examples: ["123456789012"],
});
export const PolicyShape = Type.Object({
  effect: Type.Union([Type.Literal("Allow"), Type.Literal("Deny")]),
  actions: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 200 }),
  resources: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { minItems: 1, maxItems: 200 }),
});
export const EndUserShape = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 128 }),
  password: Secret,
  name: Type.Optional(Type.String({ maxLength: 256 })),
  email: Type.Optional(Type.String({ maxLength: 256 })),
});
export const AccountShape = Type.Object({
  id: AccountId,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  apiKeys: Type.Optional(Type.Array(Secret, { maxItems: 1000 })),
  accessKeys: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String({ pattern: "^[A-Za-z0-9_]{4,128}$" }),
        secret: Secret,
        sessionToken: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
      }),
      { maxItems: 1000 },
    ),
  ),
  tokens: Type.Optional(Type.Array(Secret, { maxItems: 1000 })),
  basic: Type.Optional(
    Type.Array(Type.Object({ username: Type.String({ minLength: 1, maxLength: 128 }), password: Secret }), {
      maxItems: 1000,
    }),
  ),
  users: Type.Optional(Type.Array(EndUserShape, { maxItems: 10_000 })),
  policies: Type.Optional(Type.Array(PolicyShape, { maxItems: 100 })),
  admin: Type.Optional(Type.Boolean()),
});
/** What the token service knows of a role; it reads the policy document itself. */
const RoleShape = Type.Object({
  name: Type.String({ pattern: "^[\\w+=,.@-]{1,64}$" }),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  policy: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  trustedAccounts: Type.Optional(Type.Array(AccountId, { maxItems: 100 })),
  externalId: Type.Optional(Type.String({ minLength: 2, maxLength: 1224 })),
  maxSessionDuration: Type.Optional(Type.Integer({ minimum: 3600, maximum: 43_200 })),
});
export type RoleFile = Static<typeof RoleShape>;
const FileAccountShape = Type.Composite([
  AccountShape,
  Type.Object({ roles: Type.Optional(Type.Array(RoleShape, { maxItems: 1000 })) }),
]);
export const CredentialsFileShape = Type.Object({
  accounts: Type.Array(FileAccountShape, { maxItems: 10_000 }),
});
export type AccountFile = Static<typeof AccountShape>;
export type CredentialsFile = Static<typeof CredentialsFileShape>;
export type EndUser = Static<typeof EndUserShape>;

class CredentialsFileError extends FailedError {}

export function parseCredentialsFile(text: string): CredentialsFile {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new CredentialsFileError(`the credentials file is not JSON: ${(error as Error).message}`);
  }
  const problem = Value.Errors(CredentialsFileShape, content).First();
  if (problem)
    throw new CredentialsFileError(`the credentials file at ${problem.path || "/"}: ${problem.message}`);
  return content as CredentialsFile;
}

/** One account with all permissions, and a secret of each kind. */
export function freshCredentials(ids: Ids): CredentialsFile {
  return {
    accounts: [
      {
        id: ids.digits(12),
        name: "default",
        apiKeys: [ids.secret(32)],
        accessKeys: [{ id: `MDLY${ids.secret(16).toUpperCase()}`, secret: ids.secret(40) }],
        tokens: [ids.secret(40)],
        basic: [{ username: "medley", password: ids.secret(24) }],
        users: [{ username: "demo", password: ids.secret(16), name: "Demo User", email: "demo@example.org" }],
        policies: [{ effect: "Allow", actions: ["*"], resources: ["*"] }],
        admin: true,
      },
    ],
  };
}
