/** What the operations have in common. */

import { parseArn } from "#kernel/arn";
import { operationsFor } from "#kernel/operation";
import type { PageRequest } from "#kernel/paging";
import { type ModelKind, modelArnOf } from "../domain/arns.ts";
import { ModelFault } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";

export const operation = operationsFor<Tables, State>();

export const pageRequestOf = (
  { maxResults, nextToken }: { maxResults: number; nextToken?: string | undefined },
  filter: unknown,
): PageRequest => ({ size: maxResults, token: nextToken, filter, invalid: errors.invalidRequest });

/** Roles are names of the account's own: nobody acts in another's. */
export function checkRole(roleArn: string, account: string): void {
  const role = parseArn(roleArn);
  if (role?.service !== "iam" || !role.resource.startsWith("role/"))
    throw errors.invalidRequest(`roleArn is not the ARN of a role: ${roleArn}`);
  if (role.account !== account)
    throw errors.invalidRequest(`roleArn must be a role of this account, ${account}: ${roleArn}`);
}

/** What is wrong with a definition, in words: a limit that was passed has an error of its own. */
export function refusalOf(fault: unknown): unknown {
  if (!(fault instanceof ModelFault)) return fault;
  const message = `${fault.place}: ${fault.message}`;
  return fault.limit ? errors.limitExceeded(message) : errors.invalidRequest(message);
}

/** For policies. */
export const namedModel =
  (kind: ModelKind) =>
  (name: string, account: string, region: string): string =>
    modelArnOf({ account, region, kind, name });
