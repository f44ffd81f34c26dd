/** The table of managed resources, and how migrations change what is kept in it. */
import type { Kysely } from "kysely";
import { rewriteColumn } from "../db/rewrite-column.ts";
import type { Migration } from "../operation/service.ts";

const TABLE = "medley_managed_resource";

export async function createManagedResources(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable(TABLE)
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("type_key", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("name_key", "text", (column) => column.notNull())
    .addColumn("subscription", "text", (column) => column.notNull())
    .addColumn("subscription_key", "text", (column) => column.notNull())
    .addColumn("resource_group", "text", (column) => column.notNull())
    .addColumn("group_key", "text", (column) => column.notNull())
    .addColumn("parent", "text", (column) => column.notNull())
    .addColumn("link", "text")
    .addColumn("location", "text")
    .addColumn("tags", "text", (column) => column.notNull())
    .addColumn("envelope", "text", (column) => column.notNull())
    .addColumn("properties", "text", (column) => column.notNull())
    .addColumn("secrets", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("operation", "text")
    .addColumn("etag", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("updated_at", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint(`${TABLE}_pk`, ["account", "key"])
    .execute();
  const indexes = {
    subscription: ["account", "subscription_key", "key"],
    subscription_type: ["account", "subscription_key", "type_key", "key"],
    group: ["account", "group_key", "key"],
    parent: ["account", "parent", "type_key", "key"],
    link: ["account", "link", "type_key", "key"],
    name: ["type_key", "name_key"],
  };
  for (const [name, columns] of Object.entries(indexes))
    await db.schema.createIndex(`${TABLE}_${name}`).on(TABLE).columns(columns).execute();
}

type Kept = Readonly<Record<string, unknown>>;
/** For migrations of a provider: changes what is kept beside the properties of every resource of a type. */
export const rewriteSecrets = (
  db: Parameters<Migration["up"]>[0],
  fullType: string,
  change: (secrets: Kept) => Kept | Promise<Kept>,
): Promise<void> =>
  rewriteColumn(
    db,
    {
      table: "medley_managed_resource",
      key: ["account", "key"],
      column: "secrets",
      where: { type_key: fullType.toLowerCase() },
    },
    async (text) => JSON.stringify(await change(JSON.parse(text))),
  );
