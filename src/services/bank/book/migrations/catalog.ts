/** Users of earlier releases enter the catalogue. */
import type { Kysely } from "kysely";
import { addEarlierResources } from "#kernel/catalog";

export const addUsersToCatalog = (db: Kysely<unknown>): Promise<void> =>
  addEarlierResources(db, {
    service: "bank",
    type: "Vendor::Bank::User",
    table: "bank_user",
    resource: "user/",
    id: "id",
    columns: ["display_name", "created_at", "updated_at"],
    createdAt: "created_at",
    updatedAt: "updated_at",
    nameOf: ({ display_name }) => String(display_name),
  });
