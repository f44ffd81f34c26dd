/** The facts about a person that other services of the account may read. */
import type { Context } from "#kernel/operation";
import type { Person } from "#ports/people";
import { findUser } from "./store/users.ts";
import type { Tables } from "./tables.ts";
import { profileOf } from "./users.ts";

export async function findPerson(
  { db, account }: Context<Tables>,
  userId: string,
): Promise<Person | undefined> {
  const row = await findUser(db, userId);
  if (!row || row.account !== account) return undefined;
  const { id, username, name, email, picture, website } = profileOf(row);
  return { id, username, name, email, picture, profile: website, registeredAtMs: Number(row.created_at) };
}
