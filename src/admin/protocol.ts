/** Who may use the admin interface: admin accounts, and every account for its own records; by a bearer token. */
import { ACKNOWLEDGE_OWN, ADMINISTER, READ_OWN } from "#kernel/auth";
import { kernelErrors, type Principal } from "#kernel/operation";
import { bearer, plain } from "#kernel/protocols";

export const adminProtocol = plain({ scheme: bearer });

export const ADMIN_PERMISSION = ADMINISTER;
/** For operations that answer with records of accounts: each sees its own, admins see all. */
export const OWN_PERMISSION = READ_OWN;
export const ACKNOWLEDGE_PERMISSION = ACKNOWLEDGE_OWN;

/** Whose records to show; undefined for everybody's. */
export function visibleAccountOf(
  { account, admin }: Principal,
  wanted: string | undefined,
): string | undefined {
  if (admin) return wanted;
  if (wanted !== undefined && wanted !== account)
    throw kernelErrors.forbidden("Records of other accounts are for admins.");
  return account;
}
