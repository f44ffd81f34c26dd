/** Forward migrations; one that was released is never changed. */
import type { Migration } from "#kernel/operation";
import { createPlans } from "./plans.ts";
import { createStorage } from "./storage.ts";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-backup": {
    async up(db) {
      await createStorage(db);
      await createPlans(db);
    },
  },
};
