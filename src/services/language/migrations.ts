/** Forward migrations; one that was released is never changed. */
import type { Kysely } from "kysely";
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

async function createApplications(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "language_application",
    {
      account: "text",
      id: "text",
      name: "text",
      name_key: "text",
      culture: "text",
      tokenizer_version: "text",
      description: "text",
      domain: "text",
      usage_scenario: "text",
      active_version: "text",
      is_public: "integer",
      publish_settings: "text",
      hits: "integer",
      created_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "language_application", "by_name", ["account", "name_key"], { unique: true });
  await createTable(
    db,
    "language_version",
    {
      account: "text",
      application: "text",
      name: "text",
      uid: "text",
      settings: "text",
      revision: "integer",
      next_number: "integer",
      hits: "integer",
      training_status: "text",
      training_revision: "integer?",
      training_failure: "text?",
      trained_revision: "integer?",
      trained_at: "integer?",
      trained_blob: "text?",
      published_at: "integer?",
      created_at: "integer",
      modified_at: "integer",
    },
    ["account", "application", "name"],
  );
  await createIndex(db, "language_version", "by_uid", ["account", "uid"], { unique: true });
}

async function createContent(db: Kysely<unknown>): Promise<void> {
  const ofVersion = { account: "text", version: "text" } as const;
  await createTable(
    db,
    "language_model",
    {
      ...ofVersion,
      id: "text",
      kind: "text",
      name: "text",
      name_key: "text",
      position: "integer",
      body: "text",
      changed_revision: "integer",
      trained_revision: "integer?",
      trained_at: "integer?",
      trained_examples: "integer?",
    },
    ["account", "version", "id"],
  );
  await createIndex(db, "language_model", "by_name", ["account", "version", "name_key"]);
  await createTable(
    db,
    "language_feature",
    { ...ofVersion, id: "integer", kind: "text", name: "text", name_key: "text", body: "text" },
    ["account", "version", "id"],
  );
  await createTable(
    db,
    "language_pattern",
    { ...ofVersion, id: "text", intent: "text", text: "text", position: "integer" },
    ["account", "version", "id"],
  );
  await createTable(
    db,
    "language_example",
    { ...ofVersion, id: "integer", text: "text", text_key: "text", intent: "text", labels: "text" },
    ["account", "version", "id"],
  );
  await createIndex(db, "language_example", "by_text", ["account", "version", "text_key"], { unique: true });
  await createIndex(db, "language_example", "by_intent", ["account", "version", "intent", "id"]);
}

async function createPublished(db: Kysely<unknown>): Promise<void> {
  const ofApplication = { account: "text", application: "text" } as const;
  await createTable(
    db,
    "language_slot",
    {
      ...ofApplication,
      slot: "text",
      version_name: "text",
      version_uid: "text",
      blob: "text",
      settings: "text",
      published_at: "integer",
    },
    ["account", "application", "slot"],
  );
  await createTable(
    db,
    "language_query",
    {
      ...ofApplication,
      id: "text",
      version_uid: "text",
      slot: "text",
      text: "text",
      text_key: "text",
      intent: "text",
      score: "real",
      answer: "text",
      is_hidden: "integer",
      asked_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "language_query", "by_application", ["account", "application", "id"]);
  await createIndex(db, "language_query", "by_text", ["account", "application", "text_key"]);
  await createTable(
    db,
    "language_assigned",
    { ...ofApplication, subscription: "text", resource_group: "text", name: "text" },
    ["account", "application", "subscription", "resource_group", "name"],
  );
}

async function createBatchTests(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "language_batch_test",
    {
      account: "text",
      id: "text",
      application: "text",
      status: "text",
      blob: "text",
      utterances: "text",
      result: "text?",
      created_at: "integer",
      changed_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "language_batch_test", "by_application", ["account", "application", "created_at"]);
}

async function createTestSets(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "language_test_set",
    { account: "text", application: "text", utterances: "text", changed_at: "integer" },
    ["account", "application"],
  );
  await createTable(
    db,
    "language_test_run",
    {
      account: "text",
      id: "text",
      application: "text",
      version: "text",
      blob: "text",
      status: "text",
      result: "text?",
      trained_at: "integer",
    },
    ["account", "id"],
  );
  await createIndex(db, "language_test_run", "by_application", ["account", "application", "trained_at"]);
}

export const migrations: Readonly<Record<string, Migration>> = {
  "001-applications": {
    async up(db) {
      await createApplications(db);
      await createContent(db);
      await createPublished(db);
      await createBatchTests(db);
    },
  },
  "002-models-by-kind": {
    async up(db) {
      await createIndex(db, "language_model", "by_kind", ["account", "version", "kind", "position", "id"]);
    },
  },
  "003-test-sets": { up: createTestSets },
};
