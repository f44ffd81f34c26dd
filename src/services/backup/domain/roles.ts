/** Roles: names of the account's own, in which work is done. */
import { parseArn } from "#kernel/arn";
import { errors } from "../errors.ts";

/** A role of another account cannot be used. */
export function checkRole(roleArn: string, account: string): void {
  const role = parseArn(roleArn);
  if (role?.service !== "iam" || !role.resource.startsWith("role/"))
    throw errors.invalidParameterValue(`IamRoleArn is not the ARN of a role: ${roleArn}.`);
  if (role.account !== account)
    throw errors.invalidParameterValue(`IamRoleArn must be a role of this account, ${account}: ${roleArn}.`);
}
