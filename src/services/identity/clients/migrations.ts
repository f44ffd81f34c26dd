/** Tables of clients, under the names they were released with: once they were connect's. */
import { addEarlierResources } from "#kernel/catalog";
import type { Migration } from "#kernel/operation";

/** Part of the first migration of connect. */
export const createClients: Migration["up"] = async (db) => {
  await db.schema
    .createTable("identity_client")
    .addColumn("client_id", "text", (column) => column.primaryKey())
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("metadata", "text", (column) => column.notNull())
    .addColumn("secret_digest", "text")
    .addColumn("secret_sealed", "text")
    .addColumn("registration_digest", "text", (column) => column.notNull().unique())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("updated_at", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("identity_client_account")
    .on("identity_client")
    .columns(["account", "client_id"])
    .execute();
};

const guesses: Migration = {
  async up(db) {
    await db.schema.alterTable("identity_client").addColumn("guessed_until", "integer").execute();
  },
};

const pairwiseSalts: Migration = {
  async up(db) {
    await db.schema
      .createTable("identity_pairwise_salt")
      .addColumn("account", "text", (column) => column.primaryKey())
      .addColumn("salt", "text", (column) => column.notNull())
      .execute();
  },
};

/** Clients of earlier releases enter the catalogue. */
const catalog: Migration = {
  up: (db) =>
    addEarlierResources(db, {
      service: "identity",
      type: "Vendor::Identity::Client",
      table: "identity_client",
      resource: "client/",
      id: "client_id",
      columns: ["metadata", "created_at", "updated_at"],
      createdAt: "created_at",
      updatedAt: "updated_at",
      nameOf: ({ metadata }) => JSON.parse(String(metadata)).name,
    }),
};

export const migrations: Readonly<Record<string, Migration>> = {
  "connect-004-guesses": guesses,
  "connect-006-pairwise-salts": pairwiseSalts,
  "connect-007-catalog": catalog,
};
