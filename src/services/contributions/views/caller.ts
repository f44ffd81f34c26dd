/** The caller as this service knows them, and what they may see. */
import { kernelErrors } from "#kernel/operation";
import { type Person, people } from "#ports/people";
import { ANONYMOUS, type Caller, type Sight } from "../domain/access.ts";
import { fold } from "../domain/words.ts";
import type { ContributionsContext } from "../state.ts";
import { listSightOfAssignments } from "../store/assignments.ts";
import * as users from "../store/users.ts";
import type { UserRow } from "../tables/index.ts";

/** A token of the account acts for the account, which is also a user, by its number. */
export function callerOf({ principal, account }: ContributionsContext): Caller {
  if (principal.credentialKind === ANONYMOUS) return { kind: "anonymous", userId: undefined };
  if (principal.subject !== undefined) return { kind: "user", userId: principal.subject };
  return { kind: "account", userId: account };
}

/** A caller with a token. */
export function signedInCallerOf(
  context: ContributionsContext,
): Exclude<Caller, { readonly kind: "anonymous" }> {
  const caller = callerOf(context);
  if (caller.kind === "anonymous") throw kernelErrors.unauthenticated("A bearer token is required.");
  return caller;
}

export async function sightOf(context: ContributionsContext, caller: Caller): Promise<Sight> {
  const { db, account, clock } = context;
  const { gone, embargoed, moderated } = await listSightOfAssignments(
    db,
    account,
    caller.userId,
    clock.nowMs(),
  );
  if (caller.kind === "account") return { everything: true, goneAssignments: gone };
  return {
    everything: false,
    userId: caller.userId,
    goneAssignments: gone,
    hiddenAssignments: embargoed,
    moderatedAssignments: moderated,
  };
}

/** A user with a record here, or one that the identity service knows. */
export async function findUserOf(
  context: ContributionsContext,
  userId: string,
): Promise<UserRow | undefined> {
  const { db, account } = context;
  const known = await users.findUser(db, account, userId);
  if (known) return known;
  const person = await context.port(people).find(context, userId);
  return person && rowOf(context, person);
}
const rowOf = (
  { account, clock }: ContributionsContext,
  {
    id,
    username = id,
    name = username,
    registeredAtMs = clock.nowMs(),
  }: Pick<Person, "id"> & Partial<Person>,
): UserRow => ({
  account,
  id,
  username,
  username_key: fold(username),
  display_name: name,
  bio: "",
  registered_at: registeredAtMs,
});
/** The user behind the token. */
export const userOf = async (context: ContributionsContext, userId: string): Promise<UserRow> =>
  (await findUserOf(context, userId)) ?? rowOf(context, { id: userId });

/** Creates a user record at the first action. Needs a transaction. */
export async function noteUser(context: ContributionsContext, userId: string): Promise<UserRow> {
  const known = await users.findUser(context.db, context.account, userId);
  if (known) return known;
  const row = await userOf(context, userId);
  await users.insertUser(context.db, row);
  return row;
}
/** With the current names from the identity service. Needs a transaction. */
export async function refreshUser(context: ContributionsContext, userId: string): Promise<UserRow> {
  const known = await noteUser(context, userId);
  const person = await context.port(people).find(context, userId);
  if (!person) return known;
  const { username, username_key, display_name } = rowOf(context, person);
  if (username === known.username && display_name === known.display_name) return known;
  const names = { username, username_key, display_name };
  await users.renameUser(context.db, context.account, userId, names);
  return { ...known, ...names };
}
