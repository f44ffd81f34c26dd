/** What the console shows of configuration stores. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView } from "#kernel/operation";
import { ANY } from "./domain/filters.ts";
import { listStoresOf, listValues } from "./store/index.ts";

const STORES_MAX = 50;

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Configuration stores",
    columns: ["Store", "Tier", "Made", "Bytes when last measured"],
    async rows(context, limit) {
      const stores = await listStoresOf(context.db, context.account, limit);
      return stores.map(({ name, tier, created_at, used_bytes }) => [
        name,
        tier,
        isoOf(created_at),
        used_bytes,
      ]);
    },
  },
  {
    title: "Key-values",
    columns: ["Store", "Key", "Label", "Value", "Content type", "Locked", "Changed"],
    async rows(context, limit) {
      const rows: unknown[][] = [];
      for (const { name } of await listStoresOf(context.db, context.account, STORES_MAX)) {
        const filter = { key: ANY, label: ANY, tags: [] };
        const values = await listValues(context.db, name, filter, {
          after: undefined,
          limit: limit - rows.length,
        });
        for (const row of values)
          rows.push([
            name,
            row.key,
            row.label,
            row.value,
            row.content_type,
            row.locked === 1,
            isoOf(row.last_modified),
          ]);
        if (rows.length >= limit) break;
      }
      return rows;
    },
  },
];
