/** Users of the identity service, as named in the credentials file. */
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
  /** Creates missing users and sets passwords. Joins the context's transaction if possible. */
  ensure(context: Context, users: readonly EndUser[]): Promise<void>;
  /** Accounts whose owners name a user with this name or address. */
  listAccountsNaming(context: Context, name: string): Promise<readonly string[]>;
  /**
   * Signs in users that the account's owner named. Users who signed up themselves cannot act for the
   * account. Attempts are limited as on the sign-in page. Must not run in a transaction.
   */
  signIn(
    context: Context,
    given: { readonly account: string; readonly name: string; readonly password: string },
  ): Promise<NamedSignIn>;
  /** Undefined if the owner no longer names the user. */
  findStamp(context: Context, user: NamedUser): Promise<string | undefined>;
};
export const endUsers = definePort<EndUsers>("end-users");
