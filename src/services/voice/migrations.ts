/** Migrations of this service's tables. */
import { rewriteColumn } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const migrations: Record<string, Migration> = {
  "001-voice": {
    async up(db) {
      await db.schema
        .createTable("voice_configuration_set")
        .addColumn("account", "text", (column) => column.notNull())
        .addColumn("region", "text", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("created_at", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("voice_configuration_set_pk", ["account", "region", "name"])
        .execute();
      await db.schema
        .createTable("voice_event_destination")
        .addColumn("account", "text", (column) => column.notNull())
        .addColumn("region", "text", (column) => column.notNull())
        .addColumn("configuration_set", "text", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("enabled", "integer", (column) => column.notNull())
        .addColumn("event_types", "text", (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("target_arn", "text", (column) => column.notNull())
        .addColumn("role_arn", "text")
        .addColumn("words", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("voice_event_destination_pk", [
          "account",
          "region",
          "configuration_set",
          "name",
        ])
        .execute();
      await db.schema
        .createTable("voice_topic_subscription")
        .addColumn("account", "text", (column) => column.notNull())
        .addColumn("region", "text", (column) => column.notNull())
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("topic_arn", "text", (column) => column.notNull())
        .addColumn("endpoint", "text", (column) => column.notNull())
        .addColumn("secret", "text", (column) => column.notNull())
        .addColumn("created_at", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("voice_topic_subscription_pk", ["account", "region", "id"])
        .execute();
      await db.schema
        .createIndex("voice_topic_subscription_by_topic")
        .on("voice_topic_subscription")
        .columns(["account", "topic_arn", "id"])
        .execute();
      await createCalls(db);
    },
  },
  "002-sealed-secrets": {
    async up(db, tools) {
      const column = { table: "voice_topic_subscription", column: "secret" } as const;
      await rewriteColumn(db, { ...column, key: ["account", "region", "id"] }, async (secret) =>
        (await tools.secrets()).seal(secret),
      );
    },
  },
};

async function createCalls(db: Parameters<Migration["up"]>[0]): Promise<void> {
  await db.schema
    .createTable("voice_call")
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("message_id", "text", (column) => column.notNull())
    .addColumn("region", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("origination", "text", (column) => column.notNull())
    .addColumn("caller_id", "text")
    .addColumn("destination", "text", (column) => column.notNull())
    .addColumn("country", "text")
    .addColumn("configuration_set", "text")
    .addColumn("content", "text", (column) => column.notNull())
    .addColumn("audio_blob", "text")
    .addColumn("duration_ms", "integer")
    .addColumn("placed_attempt", "integer")
    .addColumn("requested_at", "integer", (column) => column.notNull())
    .addColumn("answered_at", "integer")
    .addColumn("ended_at", "integer")
    .addColumn("reason", "text")
    .addPrimaryKeyConstraint("voice_call_pk", ["account", "message_id"])
    .execute();
  await db.schema
    .createIndex("voice_call_by_end")
    .on("voice_call")
    .columns(["account", "ended_at", "message_id"])
    .execute();
  await db.schema
    .createIndex("voice_call_by_request")
    .on("voice_call")
    .columns(["account", "requested_at", "message_id"])
    .execute();
}
