/**
 * People that an account's owner lists in the credentials file. Like other credentials, they survive a reset of state:
 * a missing person is created again from the file at the next lookup.
 */
import type { EndUser } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { keyOf } from "./domain/names.ts";
import type { AboutMe } from "./domain/profile.ts";
import * as store from "./store/named-users.ts";
import { findUser, findUserByUsernameKey, updateUser } from "./store/users.ts";
import type { NamedUserRow, Tables } from "./tables.ts";
import { createPerson } from "./users.ts";

/** "Ann Example" has a given and a family name; anything longer or shorter is not for us to cut. */
function aboutOf(name: string | null): AboutMe {
  if (name === null) return {};
  const parts = name.trim().split(/\s+/);
  return parts.length === 2 ? { name, givenName: parts[0], familyName: parts[1] } : { name };
}

async function bring(context: Context<Tables>, row: NamedUserRow): Promise<void> {
  if (await findUser(context.db, row.user_id)) return;
  await createPerson(context, {
    id: row.user_id,
    account: row.account,
    username: row.username,
    email: row.email ?? undefined,
    // The owner vouches for it.
    emailProven: true,
    passwordHash: row.password_hash,
    about: aboutOf(row.name),
  });
}

/** Needs a transaction. */
export async function putNamedUser(
  context: Context<Tables>,
  user: EndUser,
  passwordHash: string,
): Promise<void> {
  const { db, account, ids } = context;
  const key = keyOf(user.username);
  const named = await store.findNamedUser(db, account, key);
  const known = await findUserByUsernameKey(db, account, key);
  const row: NamedUserRow = {
    account,
    username_key: key,
    email_key: user.email === undefined ? null : keyOf(user.email),
    user_id: known?.id ?? named?.user_id ?? ids.next("usr"),
    username: user.username,
    email: user.email ?? null,
    name: user.name ?? null,
    password_hash: passwordHash,
  };
  await store.putNamedUser(db, row);
  if (known) await updateUser(db, known.id, { password_hash: passwordHash });
  else await bring(context, row);
}

/** Must run before a lookup by name. Needs a transaction. */
export async function bringNamedUsers(
  context: Context<Tables>,
  account: string | undefined,
  given: string,
): Promise<void> {
  for (const row of await store.listNamedUsers(context.db, account, keyOf(given))) await bring(context, row);
}
