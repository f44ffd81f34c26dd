/** Permissions of a role: the account's policies, evaluated with the role's ARN as the resource. */
import { type Context, kernelErrors, ServiceError, sameKind } from "#kernel/operation";

export async function isRoleAllowed(context: Context, roleArn: string, action: string): Promise<boolean> {
  try {
    await context.requirePermission(action, roleArn);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && sameKind(error.kind, kernelErrors.forbidden)) return false;
    throw error;
  }
}
