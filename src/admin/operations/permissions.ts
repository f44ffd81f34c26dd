/** Permissions: policies of accounts, and explanations of access decisions. */
import { Type } from "@sinclair/typebox";
import { AccountId, ADMINISTER, accountsStore, type Decision, explain, PolicyShape } from "#kernel/auth";
import { type Context, defineErrors, kernelErrors, operationsFor } from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { ADMIN_PERMISSION } from "../protocol.ts";

const operation = operationsFor<KernelTables>();
const errors = defineErrors({
  noSuchCredential: ["NoSuchCredential", 404],
  noSuchAccount: ["NoSuchAccount", 404],
});
const Policies = Type.Array(PolicyShape, {
  maxItems: 100,
  description: "All that is said; what was said before is gone.",
  examples: [[{ effect: "Allow", actions: ["braille:*"], resources: ["*"] }]],
});
const Question = Type.Object(
  {
    credential: Type.Optional(
      Type.String({
        maxLength: 100,
        description: "The credential that is asked about; its account as a whole when absent.",
        examples: ["cred_1m7fqc7680000eyv1bw2px5"],
      }),
    ),
    account: Type.Optional(AccountId),
    action: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: "What it wants to do.",
        examples: ["braille:Translate"],
      }),
    ),
    operation: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: "Instead: the operation it wants to call, with all that this needs.",
        examples: ["voice.SendVoiceMessage"],
      }),
    ),
    resource: Type.String({
      minLength: 1,
      maxLength: 2048,
      default: "*",
      description: "On which resource.",
      examples: ["*"],
    }),
  },
  { additionalProperties: false },
);
const DecisionView = Type.Object({
  allowed: Type.Boolean({ description: "Whether it may." }),
  action: Type.String({ description: "The action that was decided on.", examples: ["braille:Translate"] }),
  decidedBy: Type.Union(
    (["statement", "built-in", "scope", "admin", "expiry", "nothing", "anyone"] as const).map((word) =>
      Type.Literal(word),
    ),
    { description: "What decided it." },
  ),
  position: Type.Optional(
    Type.Integer({ description: "Which of the account's policies it was, from 0.", examples: [0] }),
  ),
  statement: Type.Optional(
    Type.Object(PolicyShape.properties, { description: "The policy that decided it." }),
  ),
  why: Type.String({
    description: "The same in words.",
    examples: ["The policy at position 0 allows it."],
  }),
});

type PermissionContext = Context<KernelTables>;
type Asked = { readonly credential?: string; readonly account?: string };

async function askingOf({ db, clock, account: own }: PermissionContext, { credential, account }: Asked) {
  const row = credential === undefined ? undefined : await accountsStore.findCredentialById(db, credential);
  if (credential !== undefined && !row)
    throw errors.noSuchCredential(`There is no credential ${credential}.`);
  const id = row?.account ?? account ?? own;
  const found = await accountsStore.findAccount(db, id);
  if (!found) throw errors.noSuchAccount(`There is no account ${id}.`);
  const expiresAt = row?.expires_at ?? null;
  return {
    admin: found.admin === 1,
    scopes: row && row.scopes !== null ? (JSON.parse(row.scopes) as string[]) : undefined,
    policies: await accountsStore.listPolicies(db, id),
    hasExpired: expiresAt !== null && expiresAt <= clock.nowMs(),
  };
}

function actionsOf({ services }: Kernel, action: string | undefined, wanted: string | undefined) {
  if ((action === undefined) === (wanted === undefined))
    throw kernelErrors.invalidInput("Say either an action or an operation.");
  if (action !== undefined) return [action];
  for (const { operations } of services)
    for (const { id, permission, alsoNeeds = [] } of operations)
      if (id === wanted) return [permission, ...alsoNeeds];
  throw kernelErrors.invalidInput(`There is no operation named ${wanted}.`);
}

const WHY: Readonly<Record<Decision["decidedBy"], (decision: Decision) => string>> = {
  statement: ({ allowed, position }) =>
    `The policy at position ${position} ${allowed ? "allows" : "denies"} it.`,
  "built-in": () => "Every account may do this with its own records, and admin accounts with the rest.",
  scope: () => "The scopes of the credential do not cover it.",
  admin: () => "This is for admin accounts alone.",
  nothing: () => "No policy says anything of it, which means no.",
};

const checkOperation = (kernel: Kernel) =>
  operation({
    id: "medley.credentials.check",
    summary: "Checks whether a credential may do something",
    description: "Names the policy, scope or rule that decides. Nothing is called or changed.",
    method: "POST",
    path: "/credentials/check",
    permission: ADMIN_PERMISSION,
    transaction: "read",
    body: Question,
    answers: { 200: DecisionView },
    errors: [errors.noSuchCredential, errors.noSuchAccount],
    examples: { body: { action: "braille:Translate" } },
    async handle({ body: { resource, action, operation: wanted, ...asked } }, context) {
      const asking = await askingOf(context, asked);
      const actions = actionsOf(kernel, action, wanted);
      const [first = ""] = actions;
      if (first === "anyone")
        return {
          allowed: true,
          action: first,
          decidedBy: "anyone" as const,
          why: "No credential is asked for.",
        };
      if (asking.hasExpired)
        return {
          allowed: false,
          action: first,
          decidedBy: "expiry" as const,
          why: "The credential has expired.",
        };
      const decided = actions.map((one) => ({ action: one, ...explain(asking, one, resource) }));
      const decision = decided.find(({ allowed }) => !allowed) ?? decided[0];
      if (!decision) throw kernelErrors.invalidInput("There is nothing to decide on.");
      const { statement, ...rest } = decision;
      return {
        ...rest,
        ...(statement && {
          statement: { ...statement, actions: [...statement.actions], resources: [...statement.resources] },
        }),
        why: WHY[decision.decidedBy](decision),
      };
    },
  });

const replaceOperation = (kernel: Kernel) =>
  operation({
    id: "medley.credentials.policies",
    summary: "Replaces the policies of an account",
    description:
      "Takes effect immediately. An action that no policy mentions is denied. Refused if it would lock out the calling account.",
    method: "PUT",
    path: "/credentials/policies",
    permission: ADMIN_PERMISSION,
    body: Type.Object(
      { account: Type.Optional(AccountId), policies: Policies },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ policies: Policies }) },
    errors: [errors.noSuchAccount],
    examples: {
      body: { policies: [{ effect: "Allow", actions: ["braille:*"], resources: ["*"] }] },
    },
    async handle({ body: { account: wanted, policies } }, context) {
      const { db, account: own } = context;
      const account = wanted ?? own;
      const found = await accountsStore.findAccount(db, account);
      if (!found) throw errors.noSuchAccount(`There is no account ${account}.`);
      const admin = found.admin === 1;
      if (account === own && !explain({ admin, policies }, ADMINISTER, "*").allowed)
        throw kernelErrors.conflict(
          "This would shut out the account that asks: another admin account may do it.",
        );
      await accountsStore.replacePolicies(db, account, policies);
      context.afterCommit(() => kernel.accounts.forget());
      return { policies };
    },
  });

export const permissionOperations = (kernel: Kernel) => [checkOperation(kernel), replaceOperation(kernel)];
