/** The access policy of a vault: allowed and denied actions by principal. */
import { matchesPattern, neutralName, parseArn } from "#kernel/arn";
import { errors } from "../errors.ts";

const POLICY_LENGTH_MAX = 20_480;
const STATEMENTS_MAX = 100;
const ACTION = /^(?:\*|backup:[A-Za-z*?]+)$/i;

type Statement = {
  readonly effect: "Allow" | "Deny";
  readonly principals: readonly string[];
  /** Whether the statement applies to everybody except the named principals (`NotPrincipal`). */
  readonly exceptPrincipals: boolean;
  readonly actions: readonly string[];
  readonly exceptActions: boolean;
  readonly resources: readonly string[];
  readonly conditions: readonly Condition[];
};
type Condition = {
  readonly operator: Operator;
  readonly key: ConditionKey;
  readonly values: readonly string[];
};

const OPERATORS = ["StringEquals", "StringNotEquals", "StringLike", "StringNotLike"] as const;
type Operator = (typeof OPERATORS)[number];
const CONDITION_KEYS = ["PrincipalAccount", "PrincipalArn"] as const;
type ConditionKey = (typeof CONDITION_KEYS)[number];

/** Who is asking: a user of an account, or a role in which a job works. */
export type Visitor = { readonly account: string; readonly arn: string };

const refuse = (what: string) => errors.invalidParameterValue(`The policy is not valid: ${what}`);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
function textsOf(value: unknown, what: string): readonly string[] {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.length === 0 || !texts.every((text): text is string => typeof text === "string"))
    throw refuse(`${what} must be a text or a list of texts.`);
  return texts.map(neutralName);
}

function principalsOf(value: unknown): readonly string[] {
  if (value === "*") return ["*"];
  if (!isObject(value)) throw refuse('Principal must be "*" or an object such as {"AWS": "…"}.');
  const [kind, ...more] = Object.keys(value);
  if (more.length > 0 || !["AWS", "Vendor"].includes(kind ?? ""))
    throw refuse("Principal can name accounts, users and roles, as AWS or Vendor.");
  return textsOf(value[kind as string], "Principal");
}
function conditionsOf(value: unknown): readonly Condition[] {
  if (value === undefined) return [];
  if (!isObject(value)) throw refuse("Condition must be an object.");
  return Object.entries(value).flatMap(([operator, keys]) => {
    const known = OPERATORS.find((one) => one === operator);
    if (!known || !isObject(keys)) throw refuse(`Condition knows ${OPERATORS.join(", ")}, not ${operator}.`);
    return Object.entries(keys).map(([key, values]): Condition => {
      const found = CONDITION_KEYS.find((one) => key.toLowerCase().endsWith(`:${one.toLowerCase()}`));
      if (!found) throw refuse(`Condition knows aws:PrincipalAccount and aws:PrincipalArn, not ${key}.`);
      return { operator: known, key: found, values: textsOf(values, `Condition ${key}`) };
    });
  });
}
function statementOf(value: unknown): Statement {
  if (!isObject(value)) throw refuse("each Statement must be an object.");
  const { Effect, Principal, NotPrincipal, Action, NotAction, Resource = "*", Condition } = value;
  if (Effect !== "Allow" && Effect !== "Deny") throw refuse('Effect must be "Allow" or "Deny".');
  if ((Principal === undefined) === (NotPrincipal === undefined))
    throw refuse("a Statement needs either Principal or NotPrincipal.");
  if ((Action === undefined) === (NotAction === undefined))
    throw refuse("a Statement needs either Action or NotAction.");
  const actions = textsOf(Action ?? NotAction, "Action");
  for (const action of actions)
    if (!ACTION.test(action)) throw refuse(`${action} is no action of this service.`);
  return {
    effect: Effect,
    principals: principalsOf(Principal ?? NotPrincipal),
    exceptPrincipals: NotPrincipal !== undefined,
    actions,
    exceptActions: NotAction !== undefined,
    resources: textsOf(Resource, "Resource"),
    conditions: conditionsOf(Condition),
  };
}

export function parsePolicy(text: string): readonly Statement[] {
  if (text.length > POLICY_LENGTH_MAX) throw refuse(`it has more than ${POLICY_LENGTH_MAX} characters.`);
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    throw refuse("it is not JSON.");
  }
  if (!isObject(policy)) throw refuse("it must be an object.");
  const statements = Array.isArray(policy.Statement) ? policy.Statement : [policy.Statement];
  if (policy.Statement === undefined || statements.length === 0) throw refuse("it has no Statement.");
  if (statements.length > STATEMENTS_MAX) throw refuse(`it can have ${STATEMENTS_MAX} Statements.`);
  return statements.map(statementOf);
}

/** An account as principal includes all its users and roles. */
function isNamed(principal: string, { account, arn }: Visitor): boolean {
  if (principal === "*" || principal === account || principal === arn) return true;
  const named = parseArn(principal);
  return named?.account === account && named.resource === "root";
}
function holds({ operator, key, values }: Condition, { account, arn }: Visitor): boolean {
  const value = key === "PrincipalAccount" ? account : arn;
  const isLike = operator.endsWith("Like");
  const isMet = values.some((one) => (isLike ? matchesPattern(one, value) : one === value));
  return operator.includes("Not") ? !isMet : isMet;
}
function applies(statement: Statement, visitor: Visitor, action: string, resource: string): boolean {
  const isOne = statement.principals.some((principal) => isNamed(principal, visitor));
  const isDone = statement.actions.some((one) => matchesPattern(one.toLowerCase(), action.toLowerCase()));
  return (
    isOne !== statement.exceptPrincipals &&
    isDone !== statement.exceptActions &&
    statement.resources.some((one) => matchesPattern(one, resource)) &&
    statement.conditions.every((condition) => holds(condition, visitor))
  );
}

/** Deny wins. `unsaid`: no statement applies. Then the vault's own account is allowed and others are not. */
export function decide(
  policy: string | null,
  visitor: Visitor,
  action: string,
  resource: string,
): "allowed" | "denied" | "unsaid" {
  if (policy === null) return "unsaid";
  const applying = parsePolicy(policy).filter((one) => applies(one, visitor, action, resource));
  if (applying.some(({ effect }) => effect === "Deny")) return "denied";
  return applying.length > 0 ? "allowed" : "unsaid";
}
