/** Checks of roles, definitions and tags. */
import { parseArn } from "#kernel/arn";
import { ModelFault } from "../domain/index.ts";
import { errors } from "../errors.ts";

const RESERVED_KEY = /^(?:aws|vendor):/i;
type Tag = { readonly key: string; readonly value: string };

export const tagsOf = (tags: readonly Tag[]): Record<string, string> =>
  Object.fromEntries(tags.map(({ key, value }) => [key, value]));
export function checkTags(tags: readonly Tag[]): void {
  const keys = new Set<string>();
  for (const { key } of tags) {
    if (RESERVED_KEY.test(key))
      throw errors.invalidRequest(`The tag key "${key}" is reserved: keys that begin with "aws:" are.`);
    if (keys.has(key)) throw errors.invalidRequest(`The tag key "${key}" is given twice.`);
    keys.add(key);
  }
}

/** A role must belong to the caller's account. */
export function checkRole(roleArn: string, account: string): void {
  const role = parseArn(roleArn);
  if (role?.service !== "iam" || !role.resource.startsWith("role/"))
    throw errors.invalidRequest(`roleArn is not the ARN of a role: ${roleArn}`);
  if (role.account !== account)
    throw errors.invalidRequest(`roleArn must be a role of this account, ${account}: ${roleArn}`);
}

/** Converts a ModelFault to an API error. An exceeded limit has a separate error. */
export function refusalOf(fault: unknown): unknown {
  if (!(fault instanceof ModelFault)) return fault;
  const message = `${fault.place}: ${fault.message}`;
  return fault.limit ? errors.limitExceeded(message) : errors.invalidRequest(message);
}
