/** Forward migrations; one that was released is never changed. */
import { addObjectColumn } from "#kernel/db";
import type { Migration } from "#kernel/operation";
import { addEndpoints } from "./endpoints.ts";
import { createPlans } from "./plans.ts";
import { addSpellings } from "./spellings.ts";
import { createStorage } from "./storage.ts";
import { addStorageClasses } from "./storage-classes.ts";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-backup": {
    async up(db) {
      await createStorage(db);
      await createPlans(db);
    },
  },
  "002-storage-classes": { up: addStorageClasses },
  "003-spellings": { up: addSpellings },
  "004-endpoints": { up: addEndpoints },
  "005-objects": { up: (db) => addObjectColumn(db, "backup_chunk") },
};
