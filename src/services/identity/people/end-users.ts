/** The port by which the app loads the people of the credentials file, and lets them in. */
import { digestOf, type EndUser, hashNamedPassword, verifyPassword } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import type { EndUsers } from "#ports/end-users";
import { keyOf } from "./domain/names.ts";
import { putNamedUser } from "./named-users.ts";
import { signInByPassword } from "./sign-in.ts";
import { findNamedUser, findNamedUserById, listNamedUsers } from "./store/named-users.ts";
import { findUser } from "./store/users.ts";
import type { Tables, UserRow } from "./tables.ts";

const HASHED_AT_ONCE = 4;
type Prepared = { readonly user: EndUser; readonly passwordHash: string };

/** Hashing is slow, so it runs before the transaction, and only if the file has changed. */
async function prepare(context: Context<Tables>, user: EndUser): Promise<Prepared | undefined> {
  const known = await findNamedUser(context.db, context.account, keyOf(user.username));
  const samePassword = known !== undefined && (await verifyPassword(known.password_hash, user.password));
  const sameWords = known?.email === (user.email ?? null) && known.name === (user.name ?? null);
  if (samePassword && sameWords) return undefined;
  const passwordHash = samePassword
    ? known.password_hash
    : await hashNamedPassword(user.username, user.password);
  return { user, passwordHash };
}

const stampOf = (user: Pick<UserRow, "password_hash">): string => digestOf(user.password_hash);

export const endUsersPort: EndUsers = {
  async listAccountsNaming({ db }, name) {
    return (await listNamedUsers(db, undefined, keyOf(name))).map(({ account }) => account);
  },
  async signIn(context, given) {
    const outcome = await signInByPassword(context, given);
    if (outcome.kind === "locked") return outcome;
    if (outcome.kind !== "proven") return { kind: "wrong" };
    const { id: userId, username } = outcome.user;
    const { account } = given;
    if (!(await findNamedUserById(context.db, account, userId))) return { kind: "wrong" };
    return { kind: "proven", account, userId, username, stamp: stampOf(outcome.user) };
  },
  async findStamp({ db }, { account, userId }) {
    const named = await findNamedUserById(db, account, userId);
    // After a reset of state they come back as the owner names them.
    return named && stampOf((await findUser(db, userId)) ?? named);
  },
  async ensure(context, users) {
    const prepared: Prepared[] = [];
    for (let start = 0; start < users.length; start += HASHED_AT_ONCE) {
      const some = users.slice(start, start + HASHED_AT_ONCE);
      const ready = await Promise.all(some.map((user) => prepare(context, user)));
      prepared.push(...ready.filter((one) => one !== undefined));
    }
    if (prepared.length === 0) return;
    await context.transact(async (inner) => {
      for (const { user, passwordHash } of prepared) await putNamedUser(inner, user, passwordHash);
    });
  },
};
