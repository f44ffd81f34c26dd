/** Whom an account's own key stands for. */

import type { BankContext, State } from "../book/index.ts";
import { findDefaultUser } from "../money/index.ts";
import { openUser } from "./open-user.ts";

/** Made when it is asked for first. */
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
  if (defaultUsers.size >= KNOWN_MAX) defaultUsers.clear();
  defaultUsers.set(account, id);
  return id;
}
/** Of so many accounts it is remembered. */
const KNOWN_MAX = 10_000;
