/** Plans, holds, audits, restore tests and settings. */
import type { Kysely } from "kysely";
import { createIndex, createTable } from "#kernel/db";

type Db = Kysely<unknown>;
const PLACE = { account: "text", region: "text" } as const;

async function createSchedules(db: Db): Promise<void> {
  await createTable(
    db,
    "backup_plan",
    {
      ...PLACE,
      id: "text",
      name: "text",
      version: "text",
      creator_request_id: "text?",
      created_at: "integer",
      updated_at: "integer",
      deleted_at: "integer?",
      last_run_at: "integer?",
    },
    ["account", "region", "id"],
  );
  await createIndex(db, "backup_plan", "name", ["account", "region", "name"]);
  await createTable(
    db,
    "backup_plan_version",
    { ...PLACE, plan_id: "text", sequence: "integer", id: "text", document: "text", created_at: "integer" },
    ["account", "region", "plan_id", "sequence"],
  );
  await createTable(
    db,
    "backup_selection",
    {
      ...PLACE,
      plan_id: "text",
      id: "text",
      name: "text",
      creator_request_id: "text?",
      role_arn: "text",
      document: "text",
      created_at: "integer",
    },
    ["account", "region", "plan_id", "id"],
  );
}

async function createHolds(db: Db): Promise<void> {
  await createTable(
    db,
    "backup_hold",
    {
      ...PLACE,
      id: "text",
      title: "text",
      description: "text",
      status: "text",
      selection: "text",
      token: "text?",
      created_at: "integer",
      canceled_at: "integer?",
      cancel_description: "text?",
      retain_until: "integer?",
    },
    ["account", "region", "id"],
  );
}

async function createAudits(db: Db): Promise<void> {
  await createTable(
    db,
    "backup_framework",
    {
      ...PLACE,
      name: "text",
      id: "text",
      description: "text?",
      controls: "text",
      deployment_status: "text",
      token: "text?",
      created_at: "integer",
      evaluated_at: "integer?",
    },
    ["account", "region", "name"],
  );
  await createTable(
    db,
    "backup_finding",
    { ...PLACE, framework: "text", control: "integer", arn: "text", type: "text", compliant: "integer" },
    ["account", "region", "framework", "control", "arn"],
  );
  await createTable(
    db,
    "backup_report_plan",
    {
      ...PLACE,
      name: "text",
      id: "text",
      description: "text?",
      setting: "text",
      channel: "text",
      deployment_status: "text",
      token: "text?",
      created_at: "integer",
      attempted_at: "integer?",
      succeeded_at: "integer?",
    },
    ["account", "region", "name"],
  );
  await createTable(
    db,
    "backup_report_job",
    {
      ...PLACE,
      id: "text",
      plan: "text",
      plan_arn: "text",
      template: "text",
      status: "text",
      message: "text?",
      bucket: "text",
      files: "text",
      token: "text?",
      created_at: "integer",
      completed_at: "integer?",
    },
    ["account", "region", "id"],
  );
  await createIndex(db, "backup_report_job", "created", ["account", "region", "created_at", "id"]);
}

async function createRestoreTests(db: Db): Promise<void> {
  await createTable(
    db,
    "backup_testing_plan",
    {
      ...PLACE,
      name: "text",
      id: "text",
      creator_request_id: "text?",
      document: "text",
      created_at: "integer",
      updated_at: "integer?",
      last_run_at: "integer?",
    },
    ["account", "region", "name"],
  );
  await createTable(
    db,
    "backup_testing_selection",
    {
      ...PLACE,
      plan: "text",
      name: "text",
      creator_request_id: "text?",
      document: "text",
      created_at: "integer",
      updated_at: "integer?",
    },
    ["account", "region", "plan", "name"],
  );
}

export async function createPlans(db: Db): Promise<void> {
  await createSchedules(db);
  await createHolds(db);
  await createAudits(db);
  await createRestoreTests(db);
  await createTable(db, "backup_setting", { ...PLACE, name: "text", value: "text", updated_at: "integer" }, [
    "account",
    "region",
    "name",
  ]);
}
