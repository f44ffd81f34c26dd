/** Roles: what is not told by a query action is told in JSON. */
import { Type } from "@sinclair/typebox";
import { makersName } from "#kernel/arn";
import { isoOf } from "#kernel/clock";
import { answer, type Context, noBody, operationsFor } from "#kernel/operation";
import { keepRole } from "../actions/roles.ts";
import { roleArnOf } from "../domain/callers.ts";
import { ROLES_MAX } from "../domain/limits.ts";
import { errors } from "../errors.ts";
import * as store from "../store.ts";
import type { RoleRow, Tables } from "../tables.ts";
import { Role, RoleBody, RoleName } from "../wire.ts";

const operation = operationsFor<Tables>();
const named = Type.Object({ name: RoleName });
const resource = ({ params }: { params: { name: string } }, account: string): string =>
  roleArnOf(account, params.name);

const viewOf = (row: RoleRow): Role => ({
  name: row.name,
  arn: makersName(roleArnOf(row.account, row.name)),
  ...(row.description !== null && { description: row.description }),
  ...(row.policy !== null && { policy: JSON.parse(row.policy) }),
  trustedAccounts: JSON.parse(row.trusted),
  ...(row.external_id !== null && { externalId: row.external_id }),
  maxSessionDuration: Number(row.seconds_max),
  createdAt: isoOf(row.created_at),
  updatedAt: isoOf(row.updated_at),
});
async function getRole({ db, account }: Context<Tables>, name: string): Promise<RoleRow> {
  const role = await store.findRole(db, account, name);
  if (!role) throw errors.noSuchRole(`The role with name ${name} cannot be found.`);
  return role;
}

const putRole = operation({
  id: "security-tokens.roles.put",
  summary: "Creates or replaces a role",
  description: `Accounts in \`trustedAccounts\` may assume it, with the external id if there is one. Replacing the policy affects new sessions only. An account may have ${ROLES_MAX} roles. Next, call AssumeRole with its ARN.`,
  method: "PUT",
  path: "/roles/{name}",
  permission: "iam:CreateRole",
  resource,
  params: named,
  body: RoleBody,
  answers: { 200: Role, 201: Role },
  errors: [errors.malformedPolicy, errors.limitExceeded],
  examples: {
    body: {
      description: "Looks, changes nothing.",
      policy: { Statement: [{ Effect: "Allow", Action: ["*:Get*", "*:List*"], Resource: "*" }] },
    },
  },
  async handle({ params: { name }, body }, context) {
    const { role, isNew } = await keepRole(context, name, body);
    return answer(isNew ? 201 : 200, viewOf(role));
  },
});

const readRole = operation({
  id: "security-tokens.roles.get",
  summary: "Returns a role",
  description: "Includes the policy, the trusted accounts and the longest session duration.",
  method: "GET",
  path: "/roles/{name}",
  permission: "iam:GetRole",
  resource,
  params: named,
  answers: { 200: Role },
  errors: [errors.noSuchRole],
  handle: async ({ params }, context) => viewOf(await getRole(context, params.name)),
});

const NextToken = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "Leads to the next page; absent on the last.",
  examples: ["eyJhZnRlciI6InJlYWRlciJ9"],
});
const listRoles = operation({
  id: "security-tokens.roles.list",
  summary: "Lists roles by name",
  description: "Only roles of the caller's account.",
  method: "GET",
  path: "/roles",
  permission: "iam:ListRoles",
  query: Type.Object({
    size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 100,
        description: "How many a page has at the most.",
      }),
    ),
    next: Type.Optional(NextToken),
  }),
  answers: {
    200: Type.Object({
      roles: Type.Array(Role, { description: "The roles of this page." }),
      next: Type.Optional(NextToken),
    }),
  },
  async handle({ query: { size = 100, next } }, { db, account, pages }) {
    const { rows, nextToken } = await pages.of(
      { size, token: next, filter: {} },
      (role: RoleRow) => [role.name],
      (after, limit) => store.listRoles(db, account, { after: after?.[0], limit }),
    );
    return { roles: rows.map(viewOf), ...(nextToken !== undefined && { next: nextToken }) };
  },
});

const removeRole = operation({
  id: "security-tokens.roles.delete",
  summary: "Deletes a role",
  description: "Sessions that were started stay valid until they end.",
  method: "DELETE",
  path: "/roles/{name}",
  permission: "iam:DeleteRole",
  resource,
  params: named,
  answers: { 204: noBody },
  errors: [errors.noSuchRole],
  async handle({ params }, context) {
    const { name } = await getRole(context, params.name);
    await store.deleteRole(context.db, context.account, name);
  },
});

export const roleOperations = [putRole, readRole, listRoles, removeRole];
