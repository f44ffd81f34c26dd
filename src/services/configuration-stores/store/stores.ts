/** Stores from the data API's view: owner, tier and access keys. */
import { type SqlBool, sql } from "kysely";
import type { StoreNetwork } from "../domain/network.ts";
import type { AccessKeyRow, Db, StoreRow } from "../tables.ts";
import { compiledPointRead } from "./compiled.ts";

const findByName = compiledPointRead<StoreRow>(1, (db, name) =>
  db
    .selectFrom("configuration_store")
    .selectAll()
    .where("name", "=", name as string),
);
export const findStore = (db: Db, name: string): Promise<StoreRow | undefined> => findByName(db, name);

export const insertStore = (db: Db, row: StoreRow) =>
  db.insertInto("configuration_store").values(row).execute();
export const changeNetwork = (db: Db, name: string, network: StoreNetwork) =>
  db.updateTable("configuration_store").set({ network }).where("name", "=", name).execute();
export const changeTier = (db: Db, name: string, tier: string) =>
  db.updateTable("configuration_store").set({ tier }).where("name", "=", name).execute();

export const listStoresOf = (db: Db, account: string, limit: number): Promise<StoreRow[]> =>
  db
    .selectFrom("configuration_store")
    .selectAll()
    .where("account", "=", account)
    .orderBy("name")
    .limit(limit)
    .execute();

/**
 * Measures stores that changed since the last measurement, and each store periodically. Each current
 * key-value is also a revision, so the sum over revisions is complete.
 */
export async function measureStores(db: Db, nowMs: number, atLatestMs: number): Promise<void> {
  await db
    .updateTable("configuration_store")
    .set({
      used_bytes: sql<number>`(select coalesce(sum(size), 0) from configuration_revision
        where configuration_revision.store = configuration_store.name)`,
      measured_at: nowMs,
    })
    .where(
      sql<SqlBool>`(measured_at <= ${atLatestMs} or exists (select 1 from configuration_revision
        where configuration_revision.store = configuration_store.name
        and configuration_revision.last_modified >= configuration_store.measured_at))`,
    )
    .execute();
}

/** Deletes a store with its content. */
export async function deleteStore(db: Db, name: string): Promise<void> {
  for (const table of [
    "configuration_access_key",
    "configuration_value",
    "configuration_revision",
    "configuration_snapshot",
    "configuration_snapshot_item",
  ] as const)
    await db.deleteFrom(table).where("store", "=", name).execute();
  await db.deleteFrom("configuration_store").where("name", "=", name).execute();
}

/** An access key with its store. */
type KnownKey = AccessKeyRow & Pick<StoreRow, "resource_id" | "network">;
const findKeyById = compiledPointRead<KnownKey>(1, (db, id) =>
  db
    .selectFrom("configuration_access_key")
    .innerJoin("configuration_store", "configuration_store.name", "configuration_access_key.store")
    .selectAll("configuration_access_key")
    .select(["configuration_store.resource_id", "configuration_store.network"])
    .where("configuration_access_key.id", "=", id as string),
);
export const findAccessKey = (db: Db, id: string): Promise<KnownKey | undefined> => findKeyById(db, id);

export const listAccessKeys = (db: Db, store: string): Promise<AccessKeyRow[]> =>
  db
    .selectFrom("configuration_access_key")
    .selectAll()
    .where("store", "=", store)
    .orderBy("position")
    .execute();

export const deleteAccessKeys = (db: Db, store: string) =>
  db.deleteFrom("configuration_access_key").where("store", "=", store).execute();

export const insertAccessKeys = (db: Db, rows: readonly AccessKeyRow[]) =>
  db.insertInto("configuration_access_key").values(rows).execute();

export async function replaceSecret(db: Db, id: string, secret: string, lastModified: number): Promise<void> {
  await db
    .updateTable("configuration_access_key")
    .set({ secret, last_modified: lastModified })
    .where("id", "=", id)
    .execute();
}
