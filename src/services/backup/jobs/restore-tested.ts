/** Resources that a restore test creates: they stay for a validation period and are then deleted. */
import { basename } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { type Job, jobsFor } from "#kernel/operation";
import type { BackupContext, State } from "../state.ts";
import { findRestoreJob, updateRestoreJob } from "../store/index.ts";
import type { RestoreJobRow, Tables } from "../tables/index.ts";
import { removeTree } from "../tree/remove.ts";
import { FOLDER, findStreamSource, RESTORE_PATH } from "./sources.ts";

const Tested = Type.Object({ region: Type.String(), jobId: Type.String() });
type Tested = Static<typeof Tested>;
const ATTEMPTS_MAX = 3;
/** The name prefix of resources created by restore tests. Only such resources are deleted. */
export const SCRATCH_PREFIX = "restore-test-";

/** Deletes it after the validation period, or immediately if there is none. */
export async function cleanUpLater(
  context: BackupContext,
  job: RestoreJobRow,
  runAtMs?: number,
): Promise<void> {
  await context.enqueue(
    cleanUp,
    { region: job.region, jobId: job.id },
    {
      key: `clean-up:${job.region}:${job.id}`,
      runAtMs: runAtMs ?? job.validation_until ?? context.clock.nowMs(),
    },
  );
}

async function remove(context: BackupContext, job: RestoreJobRow): Promise<void> {
  if (job.resource_type === FOLDER) {
    const metadata = JSON.parse(job.metadata) as Readonly<Record<string, string>>;
    const path = metadata[RESTORE_PATH] ?? "";
    if (!basename(path).startsWith(SCRATCH_PREFIX))
      throw new Error(`${path} is not what a restore test made`);
    await removeTree(context.state.roots, path);
    return;
  }
  const source = findStreamSource(context, job.resource_type);
  const arn = job.created_resource_arn;
  if (!source || arn === null || arn === job.resource_arn)
    throw new Error(`nobody removes resources of type ${job.resource_type}`);
  await context.transact((inner) => source.remove(inner, arn));
}

async function run(
  { region, jobId }: Tested,
  context: BackupContext,
  { lastAttempt }: { lastAttempt: boolean },
) {
  const { account } = context;
  const job = await findRestoreJob(context.db, account, region, jobId);
  if (!job || job.deletion_status === "SUCCESSFUL") return;
  await context.transact((inner) =>
    updateRestoreJob(inner.db, job, {
      deletion_status: "DELETING",
      ...(job.validation_status === "VALIDATING" && {
        validation_status: "TIMED_OUT",
        validation_message: "Nobody said within the window whether the restored resource is good.",
      }),
    }),
  );
  try {
    await remove(context, job);
  } catch (error) {
    if (!lastAttempt) throw error;
    await context.transact((inner) =>
      updateRestoreJob(inner.db, job, {
        deletion_status: "FAILED",
        deletion_message: error instanceof Error ? error.message : String(error),
      }),
    );
    return;
  }
  await context.transact((inner) => updateRestoreJob(inner.db, job, { deletion_status: "SUCCESSFUL" }));
}
export const cleanUp: Job<Tested> = jobsFor<Tables, State>()({
  name: "backup.clean-up-restore-test",
  payload: Tested,
  transaction: "manual",
  attemptsMax: ATTEMPTS_MAX,
  run,
});
