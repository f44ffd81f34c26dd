/** Collections and jobs as managed resources, with the internal state of jobs. */
import type { Context } from "#kernel/operation";
import { changeResource, findById, type ManagedResource } from "#kernel/resource-provider";
import type {
  CollectionDefinition,
  CollectionQuota,
  JobDefinition,
  JobKeeping,
  KeptSecrets,
} from "../domain/index.ts";

export type CollectionResource = ManagedResource<CollectionDefinition>;
export type JobResource = ManagedResource<JobDefinition>;

export const keepingOf = (job: JobResource): JobKeeping => job.secrets as JobKeeping;
export const quotaOf = (collection: CollectionResource): CollectionQuota => collection.properties.quota ?? {};

export async function findJob(
  context: Context,
  key: string,
): Promise<{ job: JobResource; collection: CollectionResource } | undefined> {
  const job = await findById<JobDefinition>(context, key);
  const collection = job && (await findById<CollectionDefinition>(context, job.parentKey));
  return job && collection && { job, collection };
}

export type JobChange = {
  readonly definition?: Partial<JobDefinition>;
  readonly keeping?: Partial<JobKeeping>;
};
/** Changes the job in memory, so that all changes of one step are written together. */
export const withChange = (job: JobResource, change: JobChange): JobResource => ({
  ...job,
  properties: { ...job.properties, ...change.definition },
  secrets: { ...job.secrets, ...change.keeping },
});
export async function saveJob(context: Context, job: JobResource): Promise<void> {
  await changeResource(context, job, {});
}

export function sealSecrets(context: Context, secrets: KeptSecrets): string | undefined {
  return Object.keys(secrets).length === 0 ? undefined : context.secrets.seal(JSON.stringify(secrets));
}
/** Undefined if another instance's key encrypted them, for example after a state import. */
export function findSecrets(context: Context, job: JobResource): KeptSecrets | undefined {
  const { sealedSecrets } = keepingOf(job);
  if (sealedSecrets === undefined) return {};
  try {
    return JSON.parse(context.secrets.open(sealedSecrets)) as KeptSecrets;
  } catch {
    return undefined;
  }
}
