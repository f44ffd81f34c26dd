/** Tables of vaults, recovery points and jobs. */
import type { Kysely } from "kysely";
import { createIndex, createTable } from "#kernel/db";

async function createVaults(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "backup_vault",
    {
      account: "text",
      region: "text",
      name: "text",
      id: "text",
      type: "text",
      state: "text",
      sealed_key: "text",
      encryption_key_arn: "text",
      creator_request_id: "text?",
      policy: "text?",
      topic_arn: "text?",
      events: "text?",
      min_days: "integer?",
      max_days: "integer?",
      locked: "integer",
      lock_date: "integer?",
      points: "integer",
      created_at: "integer",
    },
    ["account", "region", "name"],
  );
  await createTable(
    db,
    "backup_chunk",
    { account: "text", vault_id: "text", id: "text", size: "integer", stored: "integer", bytes: "blob" },
    ["account", "vault_id", "id"],
  );
  await createTable(
    db,
    "backup_chunk_use",
    { account: "text", vault_id: "text", chunk_id: "text", holder: "text" },
    ["account", "vault_id", "chunk_id", "holder"],
  );
  await createIndex(db, "backup_chunk_use", "holder", ["account", "vault_id", "holder", "chunk_id"]);
}

async function createPoints(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "backup_point",
    {
      account: "text",
      region: "text",
      id: "text",
      vault: "text",
      vault_id: "text",
      holder: "text",
      next_holder: "text?",
      root: "text?",
      content: "text",
      kind: "text",
      resource_arn: "text",
      resource_type: "text",
      resource_name: "text",
      source_vault_arn: "text?",
      created_by: "text?",
      role_arn: "text",
      status: "text",
      message: "text?",
      size: "integer",
      cold_after_days: "integer?",
      delete_after_days: "integer?",
      opt_in_archive: "integer?",
      cold_at: "integer?",
      delete_at: "integer?",
      storage_class: "text",
      restore_metadata: "text",
      restored_at: "integer?",
      parent_id: "text?",
      member: "text?",
      is_parent: "integer",
      known_until: "integer?",
      index_status: "text?",
      created_at: "integer",
      completed_at: "integer?",
    },
    ["account", "region", "id"],
  );
  await createIndex(db, "backup_point", "vault", ["account", "region", "vault", "created_at", "id"]);
  await createIndex(db, "backup_point", "resource", [
    "account",
    "region",
    "resource_arn",
    "created_at",
    "id",
  ]);
  await createIndex(db, "backup_point", "parent", ["account", "region", "parent_id", "created_at", "id"]);
  await createIndex(db, "backup_point", "holder", ["account", "vault_id", "holder"]);
  await createIndex(db, "backup_point", "next_holder", ["account", "next_holder"]);
}

async function createBackupJobs(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "backup_job",
    {
      account: "text",
      region: "text",
      id: "text",
      vault: "text",
      resource_arn: "text",
      resource_type: "text",
      resource_name: "text",
      role_arn: "text",
      state: "text",
      message: "text?",
      message_category: "text?",
      percent: "real",
      size: "integer?",
      transferred: "integer",
      point_id: "text",
      holder: "text?",
      earlier_holder: "text?",
      created_by: "text?",
      start_by: "integer",
      complete_by: "integer",
      lifecycle: "text",
      tags: "text",
      options: "text",
      copies: "text",
      continuous: "integer",
      parent_id: "text?",
      is_parent: "integer",
      member: "text?",
      token: "text?",
      created_at: "integer",
      begun_at: "integer?",
      completed_at: "integer?",
    },
    ["account", "region", "id"],
  );
  await createIndex(db, "backup_job", "created", ["account", "region", "created_at", "id"]);
  await createIndex(db, "backup_job", "token", ["account", "region", "token"]);
  await createIndex(db, "backup_job", "parent", ["account", "region", "parent_id"]);
  await createIndex(db, "backup_job", "holder", ["account", "holder"]);
  await createIndex(db, "backup_job", "earlier_holder", ["account", "earlier_holder"]);
}

async function createCopyJobs(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "backup_copy_job",
    {
      account: "text",
      region: "text",
      id: "text",
      source_vault_arn: "text",
      source_point_arn: "text",
      destination_vault_arn: "text",
      point_id: "text",
      holder: "text?",
      resource_arn: "text",
      resource_type: "text",
      resource_name: "text",
      role_arn: "text",
      state: "text",
      message: "text?",
      message_category: "text?",
      percent: "real",
      size: "integer?",
      created_by: "text?",
      lifecycle: "text",
      parent_id: "text?",
      is_parent: "integer",
      member: "text?",
      token: "text?",
      created_at: "integer",
      completed_at: "integer?",
    },
    ["account", "region", "id"],
  );
  await createIndex(db, "backup_copy_job", "created", ["account", "region", "created_at", "id"]);
  await createIndex(db, "backup_copy_job", "token", ["account", "region", "token"]);
  await createIndex(db, "backup_copy_job", "parent", ["account", "region", "parent_id"]);
  await createIndex(db, "backup_copy_job", "holder", ["holder"]);
}

async function createRestoreJobs(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "backup_restore_job",
    {
      account: "text",
      region: "text",
      id: "text",
      point_arn: "text",
      vault: "text",
      resource_arn: "text",
      resource_type: "text",
      role_arn: "text",
      metadata: "text",
      state: "text",
      message: "text?",
      percent: "real",
      size: "integer",
      copy_tags: "integer",
      testing_plan_arn: "text?",
      validation_status: "text?",
      validation_message: "text?",
      validation_until: "integer?",
      deletion_status: "text?",
      deletion_message: "text?",
      created_resource_arn: "text?",
      point_created_at: "integer",
      token: "text?",
      created_at: "integer",
      begun_at: "integer?",
      completed_at: "integer?",
    },
    ["account", "region", "id"],
  );
  await createIndex(db, "backup_restore_job", "created", ["account", "region", "created_at", "id"]);
  await createIndex(db, "backup_restore_job", "token", ["account", "region", "token"]);
  await createIndex(db, "backup_restore_job", "resource", [
    "account",
    "region",
    "resource_arn",
    "created_at",
  ]);
}

async function createProtected(db: Kysely<unknown>): Promise<void> {
  await createTable(
    db,
    "backup_protected",
    {
      account: "text",
      region: "text",
      arn: "text",
      type: "text",
      name: "text",
      backed_up_at: "integer",
      vault_arn: "text",
      point_arn: "text",
      restore_minutes: "integer?",
      restore_job_at: "integer?",
      restored_point_at: "integer?",
    },
    ["account", "region", "arn"],
  );
  await createTable(
    db,
    "backup_protected_in_vault",
    {
      account: "text",
      region: "text",
      vault: "text",
      arn: "text",
      type: "text",
      name: "text",
      backed_up_at: "integer",
      point_arn: "text",
      continuous_ended: "integer",
    },
    ["account", "region", "vault", "arn"],
  );
}

export async function createStorage(db: Kysely<unknown>): Promise<void> {
  await createVaults(db);
  await createPoints(db);
  await createBackupJobs(db);
  await createCopyJobs(db);
  await createRestoreJobs(db);
  await createProtected(db);
}
