/** People who sign in through the identity service, as the credentials file names them. */
import type { EndUser } from "#kernel/auth";
import { type Context, definePort } from "#kernel/operation";

type NamedUser = { readonly account: string; readonly userId: string };
type NamedSignIn =
  | (NamedUser & {
      readonly kind: "proven";
      readonly username: string;
      /** Changes with the password. */
      readonly stamp: string;
    })
  | { readonly kind: "wrong" }
  | { readonly kind: "locked"; readonly waitMs: number };

export type EndUsers = {
  /** Makes them if they are not there yet, and sets their passwords; joins the context's transaction where it can. */
  ensure(context: Context, users: readonly EndUser[]): Promise<void>;
  /** The accounts whose owners name somebody by this user name or address. */
  listAccountsNaming(context: Context, name: string): Promise<readonly string[]>;
  /**
   * Only people whom the account's owner names. Others who sign up cannot act for the account. Guesses are limited
   * as at the sign-in page. Not inside a transaction.
   */
  signIn(
    context: Context,
    given: { readonly account: string; readonly name: string; readonly password: string },
  ): Promise<NamedSignIn>;
  /** Undefined where the owner no longer names the person. */
  findStamp(context: Context, user: NamedUser): Promise<string | undefined>;
};
export const endUsers = definePort<EndUsers>("end-users");
