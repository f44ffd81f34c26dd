/** Passwords are hashed with argon2id; an unknown person costs as much time as a wrong password. */
import { hashPassword, verifyPassword } from "#kernel/auth";
import { PASSWORD_LENGTH_MAX } from "./domain/names.ts";

let decoy: Promise<string> | undefined;
/** A hash for unknown users, so that checking takes the same time. */
function decoyHash(): Promise<string> {
  decoy ??= hashPassword("nobody has this one");
  return decoy;
}

/** Everybody with this password. Without candidates the same work is done, so that the time is equal. */
export async function findByPassword<Person extends { readonly password_hash: string }>(
  candidates: readonly Person[],
  password: string,
): Promise<Person[]> {
  const nobody = await decoyHash();
  const given = password.slice(0, PASSWORD_LENGTH_MAX + 1);
  if (candidates.length === 0) await verifyPassword(nobody, given);
  const found: Person[] = [];
  for (const person of candidates) if (await verifyPassword(person.password_hash, given)) found.push(person);
  return given.length > PASSWORD_LENGTH_MAX ? [] : found;
}

export { hashPassword };
