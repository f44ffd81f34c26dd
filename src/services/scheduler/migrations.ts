/** Tables of the scheduler. Collections and jobs themselves are managed resources. */
import type { Kysely } from "kysely";
import type { Migration } from "#kernel/operation";

async function createTable(
  db: Kysely<unknown>,
  name: string,
  columns: Readonly<Record<string, "text" | "integer">>,
  primaryKey: readonly string[],
): Promise<void> {
  let table = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns))
    table = table.addColumn(column, type, (definition) => definition.notNull());
  await table.addPrimaryKeyConstraint(`${name}_pk`, [...primaryKey] as never).execute();
}

export const migrations: Readonly<Record<string, Migration>> = {
  "001-scheduler": {
    async up(db) {
      await createTable(
        db,
        "scheduler_collection",
        { account: "text", key: "text", subscription_key: "text", plan: "text" },
        ["account", "key"],
      );
      await db.schema
        .createIndex("scheduler_collection_plan")
        .on("scheduler_collection")
        .columns(["account", "subscription_key", "plan"])
        .execute();
      await createTable(db, "scheduler_job", { account: "text", collection_key: "text", key: "text" }, [
        "account",
        "collection_key",
        "key",
      ]);
      await createTable(
        db,
        "scheduler_run",
        {
          account: "text",
          job_key: "text",
          id: "text",
          scheduled: "integer",
          action_name: "text",
          retry_count: "integer",
          repeat_count: "integer",
          faulted: "integer",
          expected_at: "integer",
        },
        ["account", "job_key", "id"],
      );
      await createTable(
        db,
        "scheduler_history",
        {
          account: "text",
          job_key: "text",
          position: "integer",
          action_name: "text",
          status: "text",
          retry_count: "integer",
          repeat_count: "integer",
          message: "text",
          expected_at: "integer",
          started_at: "integer",
          ended_at: "integer",
        },
        ["account", "job_key", "position"],
      );
      await db.schema
        .createIndex("scheduler_history_age")
        .on("scheduler_history")
        .columns(["ended_at"])
        .execute();
      await db.schema
        .createIndex("scheduler_history_recent")
        .on("scheduler_history")
        .columns(["account", "ended_at"])
        .execute();
    },
  },
};
