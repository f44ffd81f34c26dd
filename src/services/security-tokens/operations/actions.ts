/** The three actions, by form or by address. */
import { IDENTIFY } from "#kernel/auth";
import { type Answer, type Context, finishedJson, kernelErrors, operationsFor } from "#kernel/operation";
import { type QueryResult, queryAnswer } from "#kernel/protocols";
import { callerOf, findRoleIn, isRoleSession, roleArnOf, roleIdOf, sessionArnOf } from "../domain/callers.ts";
import { roleSeconds, SESSIONS_MAX, tokenSeconds } from "../domain/limits.ts";
import { type Policy, parsePolicy } from "../domain/policy-document.ts";
import { errors } from "../errors.ts";
import { makeSession } from "../sessions.ts";
import { findRole } from "../store.ts";
import type { RoleRow, Tables } from "../tables.ts";
import { ACTIONS, type Action, Parameters, POLICY_LENGTH_MAX, Response } from "../wire.ts";

export const NAMESPACE = "https://sts.amazonaws.com/doc/2011-06-15/";
const VERSION = "2011-06-15";

const operation = operationsFor<Tables>();
type Result = QueryResult;
type Perform = (input: Parameters, context: Context<Tables>) => Result | Promise<Result>;

function getCallerIdentity(_input: Parameters, { account, principal }: Context<Tables>): Result {
  const { arn, userId } = callerOf(account, principal.name);
  return { Arn: arn, UserId: userId, Account: account };
}

async function getSessionToken(input: Parameters, context: Context<Tables>): Promise<Result> {
  const { account, principal } = context;
  if (principal.session) throw kernelErrors.forbidden("Cannot call GetSessionToken with session credentials");
  const { name, scopes } = principal;
  const seconds = tokenSeconds(input.DurationSeconds);
  return { Credentials: await makeSession(context, { account, name, seconds, scopes, restrictions: [] }) };
}

/** The same words whether the role is missing or does not trust the caller, unless it would be the caller's own. */
function refuse(context: Context<Tables>, wanted: { account: string; role: string }, arn: string): never {
  const { account, principal } = context;
  const caller = callerOf(account, principal.name).arn;
  const hint =
    wanted.account === account ? ` The account has no such role, or another external id is asked for.` : "";
  throw kernelErrors.forbidden(
    `User: ${caller} is not authorized to perform: sts:AssumeRole on resource: ${arn}.${hint}`,
  );
}
async function getTrustingRole(input: Parameters, context: Context<Tables>, arn: string): Promise<RoleRow> {
  const wanted = findRoleIn(arn);
  if (!wanted) throw kernelErrors.invalidInput(`${arn} is invalid`);
  await context.requirePermission("sts:AssumeRole", roleArnOf(wanted.account, wanted.role));
  const role = await findRole(context.db, wanted.account, wanted.role);
  const isTrusted =
    role && (role.account === context.account || JSON.parse(role.trusted).includes(context.account));
  const isKnown = isTrusted && (role.external_id === null || role.external_id === input.ExternalId);
  return isKnown ? role : refuse(context, wanted, arn);
}

async function assumeRole(input: Parameters, context: Context<Tables>): Promise<Result> {
  const { RoleArn: arn, RoleSessionName: session, Policy: policy, SourceIdentity } = input;
  if (arn === undefined) throw kernelErrors.invalidInput("'RoleArn' must be given.");
  if (session === undefined) throw kernelErrors.invalidInput("'RoleSessionName' must be given.");
  const restriction = policy === undefined ? undefined : parsePolicy(policy);
  const { account, name, policy: own, seconds_max } = await getTrustingRole(input, context, arn);
  const isChained = isRoleSession(context.principal.name);
  const seconds = roleSeconds(input.DurationSeconds, Number(seconds_max), isChained);
  const restrictions: (readonly Policy[])[] = [];
  if (own !== null) restrictions.push(parsePolicy(own));
  if (restriction) restrictions.push(restriction);
  const sessionName = sessionArnOf(account, name, session);
  return {
    AssumedRoleUser: { AssumedRoleId: `${roleIdOf(account, name)}:${session}`, Arn: sessionName },
    Credentials: await makeSession(context, { account, name: sessionName, seconds, restrictions }),
    PackedPolicySize: policy === undefined ? undefined : Math.ceil((policy.length / POLICY_LENGTH_MAX) * 100),
    SourceIdentity,
  };
}

const PERFORM: Readonly<Record<Action, Perform>> = {
  GetCallerIdentity: getCallerIdentity,
  AssumeRole: assumeRole,
  GetSessionToken: getSessionToken,
};

async function perform(input: Parameters, context: Context<Tables>): Promise<Answer<string>> {
  const { Action: wanted, Version: version = VERSION } = input;
  if (wanted === undefined) throw errors.missingAction("The request lacks the parameter Action.");
  const action = ACTIONS.find((one) => one === wanted);
  if (!action || version !== VERSION)
    throw errors.invalidAction(`Could not find operation ${wanted} for version ${version}`);
  const managed = Object.keys(input).find((name) => /^(?:PolicyArns|SerialNumber|TokenCode)\b/.test(name));
  if (managed !== undefined)
    throw kernelErrors.invalidInput(`'${managed}' is not supported here, and would restrict the session.`);
  const result = await PERFORM[action](input, context);
  return queryAnswer(context.request, { namespace: NAMESPACE, action, result });
}

const declaration = {
  path: "/",
  permission: IDENTIFY,
  answers: { 200: finishedJson(Response, "text/xml") },
  errors: [
    errors.missingAction,
    errors.invalidAction,
    errors.malformedPolicy,
    errors.validation,
    errors.throttled,
  ],
  // Permissions are asked for here, after the action is known: nothing but the database is waited for in a transaction.
  transaction: "manual",
  noStore: true,
} as const;

export const actionOperations = [
  operation({
    ...declaration,
    id: "security-tokens.call",
    summary: "Returns the caller's identity, or creates a session key",
    description: `\`Action\` is GetCallerIdentity, GetSessionToken or AssumeRole; only AssumeRole needs a permission, sts:AssumeRole on the role. A session of a role lasts 15 minutes to 12 hours (by default one hour; one hour at most if assumed from another role), a session token up to 36 hours. An account may have ${SESSIONS_MAX} sessions. A session policy can only restrict; unsupported parameters that would restrict are refused. Responses are XML, or JSON if the caller accepts only that.`,
    method: "POST",
    body: Parameters,
    bodyKinds: ["form", "json"],
    handle: ({ body }, context) => perform(body, context),
  }),
  operation({
    ...declaration,
    id: "security-tokens.call-by-address",
    summary: "Returns the caller's identity, or creates a session key, with the parameters in the query",
    description: "Same as `security-tokens.call`.",
    method: "GET",
    query: Parameters,
    handle: ({ query }, context) => perform(query, context),
  }),
];
