/** The default user of an account: the user that the account's own key acts for. */

import { makeRoom } from "#kernel/memory";
import type { BankContext, State } from "../book/index.ts";
import { findDefaultUser } from "../money/index.ts";
import { openUser } from "./open-user.ts";

/** Creates the user on first use. */
export async function getDefaultUser({ instance, defaultUsers }: State, account: string): Promise<number> {
  const known = defaultUsers.get(account);
  if (known !== undefined) return known;
  const id = await instance.transactAs("bank", account, async (context) => {
    const own = context as BankContext;
    return (
      (await findDefaultUser(own.db, account)) ??
      (await openUser(own, { kind: "person", isDefault: true, names: ["Robin", "Default"] })).userId
    );
  });
  makeRoom(defaultUsers, KNOWN_MAX);
  defaultUsers.set(account, id);
  return id;
}
/** The largest number of accounts whose default user is cached. */
const KNOWN_MAX = 10_000;
