/** Policies: allow and deny by action and resource, with wildcards. Deny wins; nothing said means no. */
import { neutralName } from "../arn/arn.ts";
import { matchesPattern } from "../arn/wildcards.ts";

export type Policy = {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
};

/** Of an action (`Microsoft.Sql/servers/read`) or a path (`/…/providers/Microsoft.Sql/…`), in small letters. */
const MAKERS_PROVIDER = /(?<=^|\/providers\/)microsoft\./;
const plainly = (text: string): string => text.toLowerCase().replace(MAKERS_PROVIDER, "vendor.");

/** Actions are the same in any case and in either spelling. */
export const matchesAction = (pattern: string, action: string): boolean =>
  matchesPattern(plainly(pattern), plainly(action));

/** Resource-manager paths name one thing in any case; other names are what they are. */
const matchesResource = (pattern: string, resource: string): boolean =>
  pattern === "*" ||
  (resource.startsWith("/subscriptions/")
    ? matchesPattern(plainly(pattern), plainly(resource))
    : matchesPattern(neutralName(pattern), resource));

/** Those that have a say on an action. */
export const policiesOn = (policies: readonly Policy[], action: string): readonly Policy[] =>
  policies.filter(({ actions }) => actions.some((pattern) => matchesAction(pattern, action)));

export const isAllowed = (policies: readonly Policy[], action: string, resource: string): boolean =>
  isAllowedOn(policiesOn(policies, action), resource);
/** `policies`: those on the action in question. */
export const isAllowedOn = (policies: readonly Policy[], resource: string): boolean =>
  findDeciding(policies, resource)?.effect === "Allow";
/** The first that denies, or else the first that allows; `policies`: those on the action in question. */
export function findDeciding(policies: readonly Policy[], resource: string): Policy | undefined {
  let allowing: Policy | undefined;
  for (const policy of policies) {
    if (!policy.resources.some((pattern) => matchesResource(pattern, resource))) continue;
    if (policy.effect === "Deny") return policy;
    allowing ??= policy;
  }
  return allowing;
}
