/** Policies: allow and deny by action and resource, with wildcards. Deny wins; without a match the answer is no. */
import { neutralName } from "../arn/arn.ts";
import { matchesPattern } from "../arn/wildcards.ts";

export type Policy = {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
};

/** In an action (`Microsoft.Sql/servers/read`) or a path (`/…/providers/Microsoft.Sql/…`), in lower case. */
const MAKERS_PROVIDER = /(?<=^|\/providers\/)microsoft\./;
const plainly = (text: string): string => text.toLowerCase().replace(MAKERS_PROVIDER, "vendor.");

/** Actions ignore case, and both spellings are equal. */
export const matchesAction = (pattern: string, action: string): boolean =>
  matchesPattern(plainly(pattern), plainly(action));

/**
 * Resource-manager paths ignore case; other names do not. Both sides are neutralised: a request with an unusual
 * encoding may still have the maker's spelling here.
 */
const matchesResource = (pattern: string, resource: string): boolean =>
  pattern === "*" ||
  (resource.startsWith("/subscriptions/")
    ? matchesPattern(plainly(pattern), plainly(resource))
    : matchesPattern(neutralName(pattern), neutralName(resource)));

/** The policies that match an action. */
export const policiesOn = (policies: readonly Policy[], action: string): readonly Policy[] =>
  policies.filter(({ actions }) => actions.some((pattern) => matchesAction(pattern, action)));

export const isAllowed = (policies: readonly Policy[], action: string, resource: string): boolean =>
  isAllowedOn(policiesOn(policies, action), resource);
/** `policies`: those that match the action. */
export const isAllowedOn = (policies: readonly Policy[], resource: string): boolean =>
  findDeciding(policies, resource)?.effect === "Allow";
/** The first that denies, or else the first that allows; `policies`: those that match the action. */
export function findDeciding(policies: readonly Policy[], resource: string): Policy | undefined {
  let allowing: Policy | undefined;
  for (const policy of policies) {
    if (!policy.resources.some((pattern) => matchesResource(pattern, resource))) continue;
    if (policy.effect === "Deny") return policy;
    allowing ??= policy;
  }
  return allowing;
}
