/** Forward migrations. A released migration is never changed. */
import { createIndex, createTable } from "#kernel/db";
import type { Migration } from "#kernel/operation";

export const migrations: Readonly<Record<string, Migration>> = {
  "001-detected": {
    async up(db) {
      await createTable(
        db,
        "face_detected",
        {
          account: "text",
          id: "text",
          recognition_model: "text",
          descriptor: "text",
          expires_at: "integer",
        },
        ["account", "id"],
      );
      await createIndex(db, "face_detected", "by_end", ["account", "expires_at"]);
    },
  },
  "002-containers": {
    async up(db) {
      await createTable(
        db,
        "face_container",
        {
          account: "text",
          kind: "text",
          id: "text",
          uid: "text",
          name: "text",
          user_data: "text?",
          recognition_model: "text",
          face_count: "integer",
          person_count: "integer",
          created_at: "integer",
          training_number: "integer",
          training_status: "text?",
          training_message: "text?",
          training_changed_at: "integer?",
          trained_generation: "integer?",
          trained_at: "integer?",
        },
        ["account", "kind", "id"],
      );
      await createTable(
        db,
        "face_person",
        {
          account: "text",
          container: "text",
          id: "text",
          name: "text",
          user_data: "text?",
          face_count: "integer",
        },
        ["account", "container", "id"],
      );
      await createTable(
        db,
        "face_persisted",
        {
          account: "text",
          container: "text",
          person: "text",
          id: "text",
          user_data: "text?",
          descriptor: "text",
        },
        ["account", "container", "person", "id"],
      );
      await createTable(
        db,
        "face_index_block",
        {
          account: "text",
          container: "text",
          generation: "integer",
          first_key: "text",
          entries: "text",
        },
        ["account", "container", "generation", "first_key"],
      );
    },
  },
  "003-snapshots": {
    async up(db) {
      await createTable(
        db,
        "face_snapshot",
        {
          account: "text",
          id: "text",
          kind: "text",
          uid: "text",
          taken: "integer",
          name: "text",
          container_user_data: "text?",
          recognition_model: "text",
          face_count: "integer",
          person_count: "integer",
          trained_generation: "integer?",
          trained_at: "integer?",
          user_data: "text?",
          apply_scope: "text",
          created_at: "integer",
          updated_at: "integer",
          expires_at: "integer",
        },
        ["account", "id"],
      );
      await createTable(db, "face_snapshot_reader", { account: "text", snapshot: "text", owner: "text" }, [
        "account",
        "snapshot",
      ]);
    },
  },
};
