/** The member names by which a policy can refer to the caller. */
import type { Principal } from "#kernel/operation";
import { type Asking, nobodyKnown } from "./domain/index.ts";

export function askingOf(principal: Principal | undefined): Asking {
  if (!principal) return nobodyKnown;
  const { account, name, subject } = principal;
  return {
    members: new Set([
      "allUsers",
      "allAuthenticatedUsers",
      ...(subject === undefined
        ? [`serviceAccount:${name}@${account}`, `serviceAccount:${account}`]
        : [`user:${subject}`, `user:${name}`]),
    ]),
  };
}
/**
 * Credentials of the function's account have the owner's rights. Signed-in people have the rights that
 * policies grant.
 */
export const isOwner = (principal: Principal | undefined, account: string): boolean =>
  principal !== undefined && principal.account === account && principal.subject === undefined;
