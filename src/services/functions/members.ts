/** By which names a policy may know whoever is asking. */
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
/** Credentials of the account that a function belongs to are its owner's; people who sign in have what policies give them. */
export const isOwner = (principal: Principal | undefined, account: string): boolean =>
  principal !== undefined && principal.account === account && principal.subject === undefined;
