/** Names in paths (subscriptions, projects, …) belong to the account that uses them first. */

import type { Kysely } from "kysely";
import type { Clock } from "../clock/clock.ts";
import { queriesOf } from "../db/compiled-query.ts";
import type { AnyDb, Database } from "../db/database.ts";
import { makeRoom } from "../memory/index.ts";
import type { KernelTables } from "./tables.ts";

const { compiledQuery } = queriesOf<Kysely<KernelTables>>();

const KEPT_MAX = 50_000;

/** A cache of owners. An owner changes only when state is reset. */
export class OwnerCache {
  readonly #owners = new Map<string, string>();
  #resets = 0;
  /** What was read before a reset must not be cached after it. */
  get resets(): number {
    return this.#resets;
  }
  get(key: string): string | undefined {
    return this.#owners.get(key);
  }
  set(key: string, account: string): void {
    makeRoom(this.#owners, KEPT_MAX);
    this.#owners.set(key, account);
  }
  clear(): void {
    this.#resets += 1;
    this.#owners.clear();
  }
}

/** Transactions that claimed a name themselves: their reads may still roll back. */
const claiming = new WeakSet<object>();

const selectOwner = compiledQuery<{ account: string }, [string, string]>(["", ""], (db, kind, name) =>
  db.selectFrom("medley_owner").select("account").where("kind", "=", kind).where("name", "=", name),
);
async function findOwner(db: AnyDb, kind: string, name: string): Promise<string | undefined> {
  const [owner] = await selectOwner(db, kind, name);
  return owner?.account;
}

type OwnedNames = {
  readonly owners: OwnerCache;
  readonly database: Pick<Database, "read">;
  readonly clock: Clock;
};
export async function claimName(
  kernel: OwnedNames,
  transaction: AnyDb | undefined,
  kind: string,
  name: string,
  account: string,
): Promise<boolean> {
  const lower = name.toLowerCase();
  const key = `${kind}\0${lower}`;
  const known = kernel.owners.get(key);
  if (known !== undefined) return known === account;
  const { resets } = kernel.owners;
  const owner = await findOwner(transaction ?? kernel.database.read, kind, lower);
  if (owner !== undefined) {
    // Only a committed claim is cached.
    const isCertain = !transaction || !claiming.has(transaction);
    if (isCertain && resets === kernel.owners.resets) kernel.owners.set(key, owner);
    return owner === account;
  }
  if (!transaction) return true;
  claiming.add(transaction);
  await transaction
    .insertInto("medley_owner")
    .values({ kind, name: lower, account, created_at: kernel.clock.nowMs() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findOwner(transaction, kind, lower)) === account;
}
