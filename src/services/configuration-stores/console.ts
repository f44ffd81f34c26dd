/** Tables that the console shows for configuration stores. */
import { sizeText } from "#kernel/bytes";
import { isoOf } from "#kernel/clock";
import type { ConsoleView, Context, Widget } from "#kernel/operation";
import { ANY } from "./domain/filters.ts";
import { findStore, listRevisions, listStoresOf, listValues } from "./store/index.ts";

const STORES_MAX = 50;

const REVISIONS_SHOWN_MAX = 50;

/** Formats JSON in lines, so that a difference shows single changes. */
function inLines(value: string | null): string {
  try {
    return JSON.stringify(JSON.parse(value ?? ""), null, 2);
  } catch {
    return value ?? "";
  }
}

/** Recent changes of a store, and the latest change as a difference. */
async function storeDetail(context: Context, name: string) {
  const { db, account } = context;
  const store = await findStore(db, name);
  if (store?.account !== account) return undefined;
  const revisions = await listRevisions(
    db,
    name,
    { key: ANY, label: ANY, tags: [] },
    { after: undefined, limit: REVISIONS_SHOWN_MAX, atMs: undefined, keptSinceMs: 0 },
  );
  const [latest, ...older] = revisions;
  const before = older.find(({ key, label }) => key === latest?.key && label === latest.label);
  const changes: Widget = {
    kind: "timeline",
    title: "Changes",
    events: revisions
      .map((row) => ({ at: isoOf(row.last_modified), text: `${row.key} ${row.label ?? ""}`.trim() }))
      .reverse(),
  };
  const difference: Widget[] =
    latest && before
      ? [
          {
            kind: "diff",
            title: `Latest of ${latest.key}`,
            before: inLines(before.value),
            after: inLines(latest.value),
          },
        ]
      : [];
  const { tier, created_at, used_bytes } = store;
  return {
    value: { name, tier, createdAt: isoOf(created_at), usedBytes: used_bytes },
    widgets: [changes, ...difference],
  };
}

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Configuration stores",
    madeBy: "configuration-stores.stores.put",
    columns: ["Store", "Tier", "Made", "Size when last measured"],
    async rows(context, limit) {
      const stores = await listStoresOf(context.db, context.account, limit);
      return stores.map(({ name, tier, created_at, used_bytes }) => [
        name,
        tier,
        isoOf(created_at),
        sizeText(used_bytes),
      ]);
    },
    detail: storeDetail,
  },
  {
    title: "Key-values",
    madeBy: "configuration-data.put-key-value",
    links: { Store: { view: "Configuration stores" } },
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
