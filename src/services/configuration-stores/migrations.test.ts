/** Stores that an older version has made learn the identifiers of their resources. */
import { expect, it } from "vitest";
import { migrate, openPostgres, openSqlite } from "#kernel/db";
import { createDatabase } from "../../../tests/support/medley.ts";
import { createManagedResources } from "../../kernel/resource-provider/migrations.ts";
import { migrations } from "./migrations.ts";

const ID =
  "/subscriptions/s/resourceGroups/Web/providers/Vendor.AppConfiguration/configurationStores/Lantern";
const resource = {
  account: "a",
  service: "configuration-stores",
  key: ID.toLowerCase(),
  id: ID,
  type: "Vendor.AppConfiguration/configurationStores",
  type_key: "vendor.appconfiguration/configurationstores",
  name: "Lantern",
  name_key: "lantern",
  subscription: "s",
  subscription_key: "s",
  resource_group: "Web",
  group_key: "/subscriptions/s/resourcegroups/web",
  parent: "/subscriptions/s/resourcegroups/web",
  tags: "{}",
  envelope: "{}",
  properties: "{}",
  secrets: "{}",
  state: "Succeeded",
  etag: "1",
  created_at: 1,
  updated_at: 1,
};
const store = { account: "a", tier: "free", created_at: 1, used_bytes: 0, measured_at: 1 };

it.each(["sqlite", "postgres"] as const)("they are found by name on %s", async (on) => {
  const database =
    on === "sqlite"
      ? openSqlite(undefined)
      : await openPostgres({ url: await createDatabase(), connectionsMax: 1 });
  const kernel = { owner: "kernel", migrations: { resources: { up: createManagedResources } } };
  const { "001-configuration-stores": first = { up: async () => {} } } = migrations;
  const older = { owner: "configuration-stores", migrations: { "001-configuration-stores": first } };
  await migrate(database, [kernel, older], 0);
  await database.transact(async (db) => {
    await db.insertInto("medley_managed_resource").values(resource).execute();
    for (const name of ["lantern", "of-nobody"])
      await db
        .insertInto("configuration_store")
        .values({ ...store, name })
        .execute();
  });
  const missing = Object.keys(migrations).length - 1;
  expect(await migrate(database, [kernel, { owner: "configuration-stores", migrations }], 0)).toBe(missing);
  const rows = await database.read
    .selectFrom("configuration_store")
    .select(["name", "resource_id"])
    .orderBy("name")
    .execute();
  expect(rows).toEqual([
    { name: "lantern", resource_id: ID },
    { name: "of-nobody", resource_id: "" },
  ]);
  await database.close();
});
