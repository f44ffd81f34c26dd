/** Names in paths (subscriptions, projects, …) belong to the account that uses them first. */
import type { AnyDb } from "../db/database.ts";
import type { Kernel } from "./kernel.ts";

const KEPT_MAX = 50_000;

/** Owners that are known for sure: an owner never changes except when state is reset. */
export class OwnerCache {
  readonly #owners = new Map<string, string>();
  get(key: string): string | undefined {
    return this.#owners.get(key);
  }
  set(key: string, account: string): void {
    if (this.#owners.size >= KEPT_MAX) this.#owners.clear();
    this.#owners.set(key, account);
  }
  clear(): void {
    this.#owners.clear();
  }
}

export async function claimName(
  kernel: Kernel,
  transaction: AnyDb | undefined,
  kind: string,
  name: string,
  account: string,
): Promise<boolean> {
  const key = `${kind}\0${name.toLowerCase()}`;
  const known = kernel.owners.get(key);
  if (known !== undefined) return known === account;
  const db = transaction ?? kernel.database.read;
  const row = { kind, name: name.toLowerCase(), account, created_at: kernel.clock.nowMs() };
  if (transaction)
    await transaction
      .insertInto("medley_owner")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const owner = await db
    .selectFrom("medley_owner")
    .select("account")
    .where("kind", "=", kind)
    .where("name", "=", row.name)
    .executeTakeFirst();
  if (!owner) return true;
  // A claim of this very transaction may still roll back, so only a committed one is remembered.
  if (!transaction) kernel.owners.set(key, owner.account);
  return owner.account === account;
}
