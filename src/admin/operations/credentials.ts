/** Accounts and credentials. */
import { Type } from "@sinclair/typebox";
import { AccountId, AccountShape, accountsStore, type CredentialKind, matchesAction } from "#kernel/auth";
import { isoOf, parseDurationMs } from "#kernel/clock";
import { answer, type Context, defineErrors, kernelErrors, noBody, operationsFor } from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { endUsers } from "#ports/end-users";
import { ACKNOWLEDGE_PERMISSION, ADMIN_PERMISSION, OWN_PERMISSION } from "../protocol.ts";

const operation = operationsFor<KernelTables>();
const errors = defineErrors({
  noSuchCredential: ["NoSuchCredential", 404],
  noSuchAccount: ["NoSuchAccount", 404],
});
const Kind = Type.String({
  pattern: "^(token|apiKey|accessKey|basic)$",
  description: "What kind of credential to make.",
  examples: ["token"],
});
const Shown = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  scopes: Type.Optional(Type.Array(Type.String())),
  expiresAt: Type.Optional(Type.String()),
  createdAt: Type.String(),
});
const NewCredential = Type.Object({
  accounts: Type.Optional(
    Type.Array(AccountShape, {
      minItems: 1,
      description: "Whole accounts to load, as in a credentials file; the rest of the body is then left out.",
      examples: [[{ id: "123456789012", name: "Demo" }]],
    }),
  ),
  account: Type.Optional(AccountId),
  kind: Type.Optional(Kind),
  scopes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
      maxItems: 50,
      description: "What it may do at most; all that its account may when left out.",
      examples: [["braille:*"]],
    }),
  ),
  expiresIn: Type.Optional(
    Type.String({ description: "How long it is good for; always when absent.", examples: ["8h"] }),
  ),
  username: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: "For basic: the name.", examples: ["ann"] }),
  ),
  session: Type.Optional(Type.Boolean({ description: "For access keys: with a session token." })),
});

type Created = { credential?: Record<string, string>; accounts?: readonly string[] };

async function loadAccounts(
  kernel: Kernel,
  accounts: Parameters<typeof kernel.accounts.load>[0],
): Promise<Created> {
  await kernel.accounts.load(accounts);
  const people = kernel.findPort(endUsers);
  for (const { id, users = [] } of people ? accounts : [])
    await people?.ensure(kernel.jobContext("medley", id, kernel.ids.next("load")), users);
  return { accounts: accounts.map(({ id }) => id) };
}

/**
 * Rejects scopes that match no operation. Such a credential would be useless, so the scope is probably a
 * typo.
 */
function refuseIdleScopes({ services }: Kernel, scopes: readonly string[]): void {
  const actions = [
    ADMIN_PERMISSION,
    OWN_PERMISSION,
    ACKNOWLEDGE_PERMISSION,
    ...services.flatMap(({ operations }) =>
      operations.flatMap(({ permission, alsoNeeds = [] }) => [permission, ...alsoNeeds]),
    ),
  ];
  const idle = scopes.find((scope) => !actions.some((action) => matchesAction(scope, action)));
  if (idle !== undefined)
    throw kernelErrors.invalidInput(
      `The scope "${idle}" opens nothing here: scopes are actions, with * for any characters, such as braille:* or medley:*.`,
    );
}

async function createCredential(
  kernel: Kernel,
  wanted: {
    kind: CredentialKind;
    account?: string;
    expiresIn?: string;
    scopes?: string[];
    username?: string;
    session?: boolean;
  },
  context: Context,
): Promise<Created> {
  const account = wanted.account ?? context.account;
  if (!(await accountsStore.findAccount(context.db, account)))
    throw errors.noSuchAccount(`There is no account ${account}.`);
  refuseIdleScopes(kernel, wanted.scopes ?? []);
  const expiresInMs = wanted.expiresIn === undefined ? undefined : parseDurationMs(wanted.expiresIn);
  if (wanted.expiresIn !== undefined && expiresInMs === undefined)
    throw kernelErrors.invalidInput(`"${wanted.expiresIn}" is not a duration such as 8h.`);
  const { kind, scopes, username, session } = wanted;
  const credential = await kernel.accounts.create(account, {
    kind,
    ...(scopes && { scopes }),
    ...(username !== undefined && { username }),
    ...(session !== undefined && { session }),
    ...(expiresInMs !== undefined && { expiresAtMs: context.clock.nowMs() + expiresInMs }),
  });
  return { credential };
}

const listOperation = () =>
  operation({
    id: "medley.credentials.list",
    summary: "Lists accounts with their credentials and policies",
    description: "All on one page. Secrets are not included: they are stored as digests or encrypted.",
    method: "GET",
    path: "/credentials",
    permission: ADMIN_PERMISSION,
    answers: {
      200: Type.Object({
        accounts: Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            admin: Type.Boolean(),
            policies: Type.Array(Type.Unknown()),
            credentials: Type.Array(Shown),
          }),
        ),
      }),
    },
    async handle(_input, { db }) {
      const accounts = [];
      for (const account of await accountsStore.listAccounts(db)) {
        const credentials = await accountsStore.listCredentials(db, account.id);
        accounts.push({
          id: account.id,
          name: account.name,
          admin: account.admin === 1,
          policies: await accountsStore.listPolicies(db, account.id),
          credentials: credentials.map((row) => ({
            id: row.id,
            kind: row.kind,
            name: row.name,
            createdAt: isoOf(row.created_at),
            ...(row.scopes !== null && { scopes: JSON.parse(row.scopes) }),
            ...(row.expires_at !== null && { expiresAt: isoOf(row.expires_at) }),
          })),
        });
      }
      return { accounts };
    },
  });

export const credentialOperations = (kernel: Kernel) => [
  listOperation(),
  operation({
    id: "medley.credentials.create",
    summary: "Creates a credential, or loads accounts",
    description:
      "The secret is returned once. Scopes that match no operation are refused. With `accounts`, the accounts are loaded as from a credentials file, including their people; what they contain already stays.",
    method: "POST",
    path: "/credentials",
    permission: ADMIN_PERMISSION,
    transaction: "manual",
    body: NewCredential,
    answers: {
      201: Type.Object({
        credential: Type.Optional(Type.Record(Type.String(), Type.String())),
        accounts: Type.Optional(Type.Array(Type.String())),
      }),
    },
    errors: [errors.noSuchAccount],
    examples: { body: { kind: "token", scopes: ["braille:*"], expiresIn: "8h" } },
    async handle({ body }, context) {
      const { accounts, kind, ...wanted } = body;
      if (accounts === undefined && kind === undefined)
        throw kernelErrors.invalidInput("Say which kind of credential to make, or which accounts to load.");
      const created = accounts
        ? await loadAccounts(kernel, accounts)
        : await createCredential(kernel, { ...wanted, kind: kind as CredentialKind }, context);
      return answer(201, created as { credential?: Record<string, string>; accounts?: string[] });
    },
  }),
  operation({
    id: "medley.credentials.revoke",
    summary: "Revokes a credential, or deletes an account",
    description:
      "It stops working immediately on this node, and within moments on others. Deleting an account deletes its credentials and policies, not the data of services. The calling account cannot be deleted.",
    method: "DELETE",
    path: "/credentials",
    permission: ADMIN_PERMISSION,
    query: Type.Object({
      id: Type.Optional(
        Type.String({ description: "The credential to revoke.", examples: ["cred_1m7fqc7680000eyv1bw2px5"] }),
      ),
      account: Type.Optional(AccountId),
    }),
    answers: { 204: noBody },
    errors: [errors.noSuchCredential, errors.noSuchAccount],
    async handle({ query }, context) {
      const { db } = context;
      context.afterCommit(() => kernel.accounts.forget());
      if (query.id !== undefined) {
        if (!(await accountsStore.deleteCredential(db, query.id)))
          throw errors.noSuchCredential(`There is no credential ${query.id}.`);
      } else if (query.account !== undefined) {
        if (query.account === context.account)
          throw kernelErrors.conflict("This is the account that asks: another admin account may remove it.");
        if (!(await accountsStore.findAccount(db, query.account)))
          throw errors.noSuchAccount(`There is no account ${query.account}.`);
        await accountsStore.deleteAccount(db, query.account);
      } else throw kernelErrors.invalidInput("Say which credential by id, or which account.");
    },
  }),
];
