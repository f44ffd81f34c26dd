/** The published versions of an application's slots. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Published, PublishSettings, Slot } from "../domain/application.ts";
import type { SlotRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();

const publishedOf = (row: SlotRow): Published => ({
  application: row.application,
  slot: row.slot as Slot,
  versionName: row.version_name,
  versionUid: row.version_uid,
  blob: row.blob,
  settings: JSON.parse(row.settings) as PublishSettings,
  publishedAtMs: Number(row.published_at),
});

const selectOne = compiledQuery<SlotRow, [string, string, string]>(
  ["", "", ""],
  (db, account, application, slot) =>
    db
      .selectFrom("language_slot")
      .selectAll()
      .where("account", "=", account)
      .where("application", "=", application)
      .where("slot", "=", slot),
);
export async function findPublished(
  db: Db,
  account: string,
  application: string,
  slot: Slot,
): Promise<Published | undefined> {
  const [row] = await selectOne(db, account, application, slot);
  return row && publishedOf(row);
}

const selectAll = compiledQuery<SlotRow, [string, string]>(["", ""], (db, account, application) =>
  db
    .selectFrom("language_slot")
    .selectAll()
    .where("account", "=", account)
    .where("application", "=", application)
    .orderBy("slot"),
);
export async function listPublished(db: Db, account: string, application: string): Promise<Published[]> {
  return (await selectAll(db, account, application)).map(publishedOf);
}

/** Replaces the previous version of the slot. */
export async function putPublished(db: Db, account: string, published: Published): Promise<void> {
  const values = {
    version_name: published.versionName,
    version_uid: published.versionUid,
    blob: published.blob,
    settings: JSON.stringify(published.settings),
    published_at: published.publishedAtMs,
  };
  await db
    .insertInto("language_slot")
    .values({ account, application: published.application, slot: published.slot, ...values })
    .onConflict((conflict) => conflict.columns(["account", "application", "slot"]).doUpdateSet(values))
    .execute();
}

export async function renamePublished(
  db: Db,
  account: string,
  versionUid: string,
  versionName: string,
): Promise<void> {
  await db
    .updateTable("language_slot")
    .set({ version_name: versionName })
    .where("account", "=", account)
    .where("version_uid", "=", versionUid)
    .execute();
}

/** Whether a version or a slot still answers with it. */
export async function isModelInUse(db: Db, account: string, blob: string): Promise<boolean> {
  const slot = await db
    .selectFrom("language_slot")
    .select("slot")
    .where("account", "=", account)
    .where("blob", "=", blob)
    .executeTakeFirst();
  if (slot) return true;
  const version = await db
    .selectFrom("language_version")
    .select("uid")
    .where("account", "=", account)
    .where("trained_blob", "=", blob)
    .executeTakeFirst();
  return version !== undefined;
}
