/** A stack is backed up by a job for each of its resources; the parent ends when the last of them has. */
import { type Static, Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { BackupContext, State } from "../state.ts";
import { findBackupJob, insertBackupJob, updateBackupJob } from "../store/index.ts";
import type { BackupJobRow, Tables } from "../tables/index.ts";
import { notifyVault } from "./notify.ts";
import { aborted, ENDED, endBackup, expired } from "./outcome.ts";
import { runBackup } from "./run-backup.ts";
import { sourcesOf } from "./sources.ts";

const ParentWork = Type.Object({ region: Type.String(), jobId: Type.String() });
const MEMBERS_MAX = 500;
const PAGE_SIZE = 200;

async function membersOf(context: BackupContext, { region, resource_arn: stack }: BackupJobRow) {
  const kinds = sourcesOf(context);
  const arns: string[] = [];
  let after: string | undefined;
  do {
    const page: Awaited<ReturnType<typeof context.catalog.pageOf>> = await context.catalog.pageOf(
      { region, stack },
      { limit: PAGE_SIZE, ...(after !== undefined && { after }) },
    );
    for (const { arn, type } of page.resources) if (kinds.findByType(type)) arns.push(arn);
    after = page.next;
  } while (after !== undefined && arns.length < MEMBERS_MAX);
  return context.catalog.findMany(arns.slice(0, MEMBERS_MAX));
}

async function run({ region, jobId }: Static<typeof ParentWork>, context: BackupContext): Promise<void> {
  const { db, account, clock, ids } = context;
  const parent = await findBackupJob(db, account, region, jobId);
  if (!parent || ENDED.includes(parent.state)) return;
  if (parent.state === "ABORTING") return endBackup(context, parent, aborted);
  if (clock.nowMs() > parent.start_by) return endBackup(context, parent, expired("start"));
  const members = await membersOf(context, parent);
  if (members.length === 0) {
    const message = "The stack has no resource that can be backed up.";
    return endBackup(context, parent, { state: "FAILED", message, category: "InvalidParameters" });
  }
  await updateBackupJob(db, parent, { state: "RUNNING", begun_at: clock.nowMs() });
  await notifyVault(context, {
    region,
    vaultName: parent.vault,
    events: ["BACKUP_JOB_STARTED"],
    message: "The backup job has begun.",
    about: { BackupJobId: parent.id, ResourceArn: parent.resource_arn },
  });
  for (const member of members) {
    const child: BackupJobRow = {
      ...parent,
      id: ids.uuid(),
      point_id: ids.uuid(),
      state: "CREATED",
      resource_arn: member.arn,
      resource_type: sourcesOf(context).findByType(member.type)?.resourceType ?? "",
      resource_name: member.name,
      parent_id: parent.id,
      is_parent: 0,
      continuous: 0,
      member: member.name,
      token: null,
      copies: "[]",
      created_at: clock.nowMs(),
      begun_at: null,
    };
    await insertBackupJob(db, child);
    await context.enqueue(runBackup, { region, jobId: child.id }, { key: `backup:${region}:${child.id}` });
  }
}

export const runParent = jobsFor<Tables, State>()({ name: "backup.run-parent", payload: ParentWork, run });
