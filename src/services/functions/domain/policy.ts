/** The access policy of one function: roles, members and conditions. */
import { errors } from "../errors.ts";
import { ROLES } from "./roles.ts";

export type Condition = {
  readonly expression: string;
  readonly title?: string;
  readonly description?: string;
  readonly location?: string;
};
export type Binding = {
  readonly role: string;
  readonly members: readonly string[];
  readonly condition?: Condition;
};
export type Policy = {
  readonly version: number;
  readonly bindings: readonly Binding[];
  readonly auditConfigs?: readonly unknown[];
  readonly etag: string;
};

const MEMBERS_MAX = 1500;
const BINDINGS_MAX = 100;
const EXPRESSION_LENGTH_MAX = 12_000;
/** Conditional bindings exist from this one on. */
export const CONDITIONAL_VERSION = 3;
const VERSIONS: ReadonlySet<number> = new Set([0, 1, CONDITIONAL_VERSION]);
const EVERYBODY: ReadonlySet<string> = new Set(["allUsers", "allAuthenticatedUsers"]);
const KINDS = ["user", "serviceAccount", "group", "domain", "principal", "principalSet"];

export const emptyPolicy: Policy = { version: 1, bindings: [], etag: "ACAB" };

const isMember = (member: string): boolean =>
  EVERYBODY.has(member) ||
  KINDS.some(
    (kind) => member.startsWith(`${kind}:`) && member.length > kind.length + 1 && member.length < 512,
  );

export function checkVersion(version: number): void {
  if (!VERSIONS.has(version))
    throw errors.invalidArgument(`The version of a policy is 0, 1 or 3, not ${version}.`);
}

/** `checkExpression` returns the problem of a condition. */
export function checkPolicy(
  { version, bindings }: Pick<Policy, "version" | "bindings">,
  checkExpression: (expression: string) => string | undefined,
): void {
  checkVersion(version);
  if (bindings.length > BINDINGS_MAX)
    throw errors.invalidArgument(`A policy has ${BINDINGS_MAX} bindings at the most.`);
  if (bindings.reduce((count, { members }) => count + members.length, 0) > MEMBERS_MAX)
    throw errors.invalidArgument(`A policy has ${MEMBERS_MAX} members at the most.`);
  for (const binding of bindings) checkBinding(binding, version, checkExpression);
}
function checkBinding(
  { role, members, condition }: Binding,
  version: number,
  checkExpression: (expression: string) => string | undefined,
): void {
  if (!ROLES.has(role)) throw errors.invalidArgument(`Role ${role} is not supported for this resource.`);
  for (const member of members)
    if (!isMember(member))
      throw errors.invalidArgument(
        `The member "${member}" is of no known kind, such as user:ann@example.org.`,
      );
  if (!condition) return;
  if (version < CONDITIONAL_VERSION)
    throw errors.invalidArgument("Conditional bindings need a policy of version 3.");
  if (members.some((member) => EVERYBODY.has(member)) && condition.expression === "")
    throw errors.invalidArgument("A condition needs an expression.");
  if (condition.expression.length > EXPRESSION_LENGTH_MAX)
    throw errors.invalidArgument(`A condition has ${EXPRESSION_LENGTH_MAX} characters at the most.`);
  const problem = checkExpression(condition.expression);
  if (problem !== undefined)
    throw errors.invalidArgument(`The condition "${condition.title ?? ""}" cannot be read: ${problem}`);
}

/** Callers with an older policy version get no conditional bindings, as the public documentation says. */
export function policyFor(policy: Policy, requestedVersion: number): Policy {
  const isConditional = policy.bindings.some(({ condition }) => condition !== undefined);
  if (!isConditional || requestedVersion >= CONDITIONAL_VERSION)
    return { ...policy, version: isConditional ? CONDITIONAL_VERSION : policy.version };
  return {
    ...policy,
    version: 1,
    bindings: policy.bindings.filter(({ condition }) => condition === undefined),
  };
}

/** Who is asking, by all names that a policy may have for them. */
export type Asking = { readonly members: ReadonlySet<string> };
export const nobodyKnown: Asking = { members: new Set(["allUsers"]) };

/** `holds`: whether a condition is true now. */
export function isGranted(
  { bindings }: Pick<Policy, "bindings">,
  permission: string,
  { members }: Asking,
  holds: (condition: Condition) => boolean,
): boolean {
  return bindings.some(
    (binding) =>
      ROLES.get(binding.role)?.has(permission) &&
      binding.members.some((member) => members.has(member) || isOfDomain(member, members)) &&
      (binding.condition === undefined || holds(binding.condition)),
  );
}
function isOfDomain(member: string, members: ReadonlySet<string>): boolean {
  if (!member.startsWith("domain:")) return false;
  const end = `@${member.slice("domain:".length)}`;
  return [...members].some((known) => known.startsWith("user:") && known.endsWith(end));
}
