/** Creates and finds people, and returns their profile in terms of OpenID Connect. */
import type { Context } from "#kernel/operation";
import { keyOf } from "./domain/names.ts";
import type { AboutMe, Profile } from "./domain/profile.ts";
import * as store from "./store/users.ts";
import type { Tables, UserRow } from "./tables.ts";

type Db = Context<Tables>["db"];

export function profileOf(row: UserRow): Profile {
  const about: AboutMe = JSON.parse(row.profile);
  const known = {
    id: row.id,
    account: row.account,
    username: row.username,
    emailVerified: row.proven_email_key !== null,
    // The service sends no text messages, so a phone number is never verified.
    phoneNumberVerified: false,
    updatedAtMs: row.updated_at,
  };
  return Object.assign(about, known, row.email === null ? undefined : { email: row.email });
}

export async function findProfile(db: Db, userId: string): Promise<Profile | undefined> {
  const row = await store.findUser(db, userId);
  return row && profileOf(row);
}
/** By user name or e-mail within an account: to compare a `login_hint` with the person who is signed in. */
export async function findProfileByHint(db: Db, account: string, hint: string): Promise<Profile | undefined> {
  const [row] = await listSignInCandidates(db, account, hint);
  return row && profileOf(row);
}

/** Who may be meant by a user name or a proven address; several only where no account is known. */
export async function listSignInCandidates(
  db: Db,
  account: string | undefined,
  given: string,
): Promise<UserRow[]> {
  const key = keyOf(given);
  if (account === undefined) {
    const named = await store.listUsersByUsernameKey(db, key);
    return named.length > 0 ? named : store.listUsersByProvenEmailKey(db, key);
  }
  const named =
    (await store.findUserByUsernameKey(db, account, key)) ??
    (await store.findUserByProvenEmailKey(db, account, key));
  return named ? [named] : [];
}

/** People who get a mail after a forgotten password. Their address need not be proven. */
export async function listMailCandidates(
  db: Db,
  account: string | undefined,
  given: string,
): Promise<UserRow[]> {
  const known = await listSignInCandidates(db, account, given);
  const found = known.length > 0 ? known : await store.listUsersByEmailKey(db, keyOf(given));
  return found.filter((row) => row.email !== null && (account === undefined || row.account === account));
}

export type NewPerson = {
  /** Made up when absent. */
  readonly id?: string;
  readonly account: string;
  readonly username: string;
  readonly email: string | undefined;
  readonly emailProven: boolean;
  readonly passwordHash: string;
  readonly about: AboutMe;
};

/** Returns undefined if the user name is taken. Needs a transaction. */
export async function createPerson(
  { db, clock, ids }: Pick<Context<Tables>, "db" | "clock" | "ids">,
  person: NewPerson,
): Promise<UserRow | undefined> {
  const nowMs = clock.nowMs();
  const emailKey = person.email === undefined ? null : keyOf(person.email);
  const proven = person.emailProven && emailKey !== null && (await isFree(db, person.account, emailKey));
  const row: UserRow = {
    id: person.id ?? ids.next("usr"),
    account: person.account,
    username: person.username,
    username_key: keyOf(person.username),
    email: person.email ?? null,
    email_key: emailKey,
    proven_email_key: proven ? emailKey : null,
    password_hash: person.passwordHash,
    profile: JSON.stringify(person.about),
    home_url: null,
    created_at: nowMs,
    updated_at: nowMs,
  };
  return (await store.insertUser(db, row)) ? row : undefined;
}

const isFree = async (db: Db, account: string, emailKey: string): Promise<boolean> =>
  (await store.findUserByProvenEmailKey(db, account, emailKey)) === undefined;

/**
 * Marks the address as proven. Returns false if another person of the account has proven the same address.
 */
export async function proveEmail(
  { db, clock }: Pick<Context<Tables>, "db" | "clock">,
  user: UserRow,
  email: string,
): Promise<boolean> {
  const key = keyOf(email);
  if (user.email_key !== key) return false;
  if (user.proven_email_key === key) return true;
  if (!(await isFree(db, user.account, key))) return false;
  await store.updateUser(db, user.id, { proven_email_key: key, updated_at: clock.nowMs() });
  return true;
}

export type ProfileChange = { readonly about: AboutMe; readonly email: string | undefined };
/** A new address has to be proven anew. Answers whether the address changed. Needs a transaction. */
export async function changeProfile(
  { db, clock }: Pick<Context<Tables>, "db" | "clock">,
  user: UserRow,
  { about, email }: ProfileChange,
): Promise<boolean> {
  const emailKey = email === undefined ? null : keyOf(email);
  const changed = emailKey !== user.email_key;
  await store.updateUser(db, user.id, {
    profile: JSON.stringify(about),
    email: email ?? null,
    email_key: emailKey,
    ...(changed && { proven_email_key: null }),
    updated_at: clock.nowMs(),
  });
  return changed;
}

export const changePassword = (db: Db, userId: string, passwordHash: string) =>
  store.updateUser(db, userId, { password_hash: passwordHash });

export { deleteUser, findUser } from "./store/users.ts";
