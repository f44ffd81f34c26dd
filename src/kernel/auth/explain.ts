/** Explains why an action is allowed or refused: the same decision as on every request, with its reason. */
import { ADMINISTER, builtInPolicy } from "./built-in.ts";
import { findDeciding, matchesAction, type Policy, policiesOn } from "./policies.ts";

export type Decision = {
  readonly allowed: boolean;
  /** `statement`: a policy of the account; `built-in`: what every account may do; `nothing`: no policy matches. */
  readonly decidedBy: "statement" | "built-in" | "scope" | "admin" | "nothing";
  /** Among the account's policies. */
  readonly position?: number;
  readonly statement?: Policy;
};
export type Asking = {
  readonly admin: boolean;
  readonly scopes?: readonly string[] | undefined;
  readonly policies: readonly Policy[];
};

export function explain({ admin, scopes, policies }: Asking, action: string, resource: string): Decision {
  if (scopes && !scopes.some((scope) => matchesAction(scope, action)))
    return { allowed: false, decidedBy: "scope" };
  if (action === ADMINISTER && !admin) return { allowed: false, decidedBy: "admin" };
  const statement = findDeciding(policiesOn([builtInPolicy(admin), ...policies], action), resource);
  if (!statement) return { allowed: false, decidedBy: "nothing" };
  const allowed = statement.effect === "Allow";
  const position = policies.indexOf(statement);
  if (position < 0) return { allowed, decidedBy: "built-in", statement };
  return { allowed, decidedBy: "statement", position, statement };
}
