/** How often limited fault rules have hit: in the database, so that all nodes count together. */
import { type Kysely, sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { StrikeCounts } from "../observe/faults.ts";
import type { KernelTables } from "./tables.ts";

const PREFIX = "struck:";

const claimStrike = (db: Kysely<KernelTables>, ruleId: string, countMax: number) =>
  db
    .insertInto("medley_setting")
    .values({ name: `${PREFIX}${ruleId}`, value: "1" })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ value: sql<string>`cast(cast(medley_setting.value as integer) + 1 as text)` })
        .where(sql<number>`cast(medley_setting.value as integer)`, "<", countMax),
    )
    .returning("value")
    .executeTakeFirst();

/** For all rules but the named ones. */
export async function clearStrikes(db: Kysely<KernelTables>, kept: readonly string[]): Promise<void> {
  let counts = db.deleteFrom("medley_setting").where("name", "like", `${PREFIX}%`);
  if (kept.length > 0)
    counts = counts.where(
      "name",
      "not in",
      kept.map((id) => `${PREFIX}${id}`),
    );
  await counts.execute();
}

export function strikeCountsOf(database: Database): StrikeCounts {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** One at a time, because concurrent requests of a node would conflict on one row. */
    claim(ruleId, countMax) {
      const claiming = last.then(() =>
        database.transact(async (db) => (await claimStrike(db, ruleId, countMax)) !== undefined),
      );
      last = claiming.catch(() => {});
      return claiming;
    },
    async read() {
      const rows = await database.read
        .selectFrom("medley_setting")
        .selectAll()
        .where("name", "like", `${PREFIX}%`)
        .execute();
      return new Map(rows.map(({ name, value }) => [name.slice(PREFIX.length), Number(value)]));
    },
  };
}
