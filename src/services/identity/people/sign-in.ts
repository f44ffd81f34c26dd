/** Proving who one is by name and password, within the limits on guessing. */
import { networkOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { keyOf } from "./domain/names.ts";
import { countAttempt, forgetAttempts, limits, uncountAttempt } from "./guessing.ts";
import { bringNamedUsers } from "./named-users.ts";
import { findByPassword } from "./passwords.ts";
import type { Tables, UserRow } from "./tables.ts";
import { listSignInCandidates } from "./users.ts";

export type SignInAttempt = {
  /** Undefined where no application, and so no account, is involved. */
  readonly account: string | undefined;
  readonly name: string;
  readonly password: string;
};
export type SignInOutcome =
  | { readonly kind: "proven"; readonly user: UserRow }
  | { readonly kind: "wrong" }
  /** The name and password fit people of several accounts. */
  | { readonly kind: "ambiguous" }
  | { readonly kind: "locked"; readonly waitMs: number };

const aboutName = (account: string | undefined, name: string) => `${account ?? ""}\0${keyOf(name)}`;

/** Needs a context outside any transaction: hashing takes time. */
export async function signInByPassword(
  context: Context<Tables>,
  { account, name, password }: SignInAttempt,
): Promise<SignInOutcome> {
  const network = networkOf(context.request.remoteAddress);
  const waitMs = await context.transact(async (inner) => {
    await bringNamedUsers(inner, account, name);
    return (
      (await countAttempt(inner, limits.signInAddress, network)) ??
      (await countAttempt(inner, limits.signInName, aboutName(account, name)))
    );
  });
  if (waitMs !== undefined) return { kind: "locked", waitMs };
  const candidates = await listSignInCandidates(context.db, account, name);
  const [user, another] = await findByPassword(candidates, password);
  if (!user) return { kind: "wrong" };
  await context.transact(async (inner) => {
    await forgetAttempts(inner, limits.signInName, aboutName(account, name));
    await uncountAttempt(inner, limits.signInAddress, network);
  });
  return another ? { kind: "ambiguous" } : { kind: "proven", user };
}

/** After a new password was set by mail, the owner of the mailbox may try again at once. */
export async function forgetGuesses(context: Context<Tables>, user: UserRow): Promise<void> {
  for (const account of [undefined, user.account])
    for (const name of [user.username, user.email ?? user.username])
      await forgetAttempts(context, limits.signInName, aboutName(account, name));
}
