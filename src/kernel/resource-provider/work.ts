/** Operations that take provisioning time: begun by a request, continued by a durable job, state by state. */
import { Type } from "@sinclair/typebox";
import type { LongRunningRecord } from "../longrunning/longrunning.ts";
import type { Context } from "../operation/context.ts";
import { ServiceError } from "../operation/errors.ts";
import { type Job, type JobAttempt, jobsFor } from "../operation/job.ts";
import { locationKeyOf } from "./identifiers.ts";
import { SETTLED } from "./parents.ts";
import { apiVersionOf } from "./protocol.ts";
import { changeResource, longRunningOf, removeResource, workJobKeyOf, workJobNameOf } from "./records.ts";
import { type Declared, declarationOf } from "./registry.ts";
import * as store from "./store.ts";
import type { Change, ManagedResource, ResourceType, Work } from "./types.ts";

const RETRY_AFTER_SECONDS_MAX = 15;
const FAILED = "Failed";

export type Started = {
  /** The current resource; after a finished deletion, as it last was. */
  readonly resource: ManagedResource;
  /** Absent if the work is done already. */
  readonly operationId: string | undefined;
};
type WorkNotes = {
  readonly type: string;
  readonly resourceId: string;
  readonly location: string;
  /** Position among the states. */
  readonly step: number;
  readonly stepMs: number;
  readonly endsAtMs: number;
};
const notesOf = (record: LongRunningRecord): WorkNotes => record.metadata as WorkNotes;

const payload = Type.Object({ operationId: Type.String() });
const jobs = new Map<string, Job<{ operationId: string }>>();
/** One for each provider, so that the job belongs to its service. */
export function workJobOf(service: string): Job<{ operationId: string }> {
  let job = jobs.get(service);
  if (!job) {
    job = jobsFor<unknown>()({
      name: workJobNameOf(service),
      payload,
      run: ({ operationId }, context, attempt) => carryOn(context, operationId, attempt),
    });
    jobs.set(service, job);
  }
  return job;
}

const settledStateOf = ({ type }: Declared, work: Work | undefined): string =>
  work?.done ?? type.settledState ?? SETTLED;
export const failedStateOf = (type: ResourceType): string => type.failedState ?? FAILED;

/**
 * Starts the type's work of that name. Without provisioning time (or without such work) it is done within the
 * request, and a failure is thrown. Otherwise the resource takes the first state and a job continues.
 */
export async function startWork(
  context: Context,
  resource: ManagedResource,
  kind: string,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<Started> {
  const declared = declarationOf(context, resource.type);
  const work = declared.type.work?.[kind];
  const [first] = work?.states ?? [];
  const seconds = work?.seconds?.(resource, context) ?? context.config.provisioningSeconds;
  if (!work || first === undefined || seconds <= 0 || atOnce)
    return { resource: await doAtOnce(context, declared, resource, kind, work), operationId: undefined };
  const stepMs = Math.max(1, Math.round((seconds * 1000) / work.states.length));
  const now = context.clock.nowMs();
  const notes: WorkNotes = {
    type: resource.type,
    resourceId: resource.id,
    location: resource.location === undefined ? "global" : locationKeyOf(resource.location),
    step: 0,
    stepMs,
    endsAtMs: now + stepMs * work.states.length,
  };
  const { id } = await longRunningOf(context, resource.type).begin({
    kind,
    target: resource.key,
    metadata: notes,
  });
  await context.enqueue(
    workJobOf(declared.provider.name),
    { operationId: id },
    {
      runAtMs: now + stepMs,
      key: workJobKeyOf(id),
    },
  );
  return {
    resource: await changeResource(context, resource, { state: first, operation: id }),
    operationId: id,
  };
}

/** The changes of the work are written once, at its end. */
async function doAtOnce(
  context: Context,
  declared: Declared,
  resource: ManagedResource,
  kind: string,
  work: Work | undefined,
): Promise<ManagedResource> {
  let current = resource;
  let changes: Change = {};
  const note = (change: Change | undefined) => {
    changes = { ...changes, ...change };
    current = { ...current, ...change };
  };
  for (const state of work?.states ?? []) note(await work?.leave?.(current, state, context));
  note(await work?.finish?.(current, context));
  if (kind === "delete") await removeResource(context, current);
  else if (work || resource.state === failedStateOf(declared.type)) {
    const state = changes.state ?? settledStateOf(declared, work);
    if (state !== resource.state || Object.keys(changes).length > 0)
      current = await changeResource(context, resource, { ...changes, state });
  }
  return current;
}

async function carryOn(context: Context, operationId: string, attempt: JobAttempt): Promise<void> {
  const record = await context.longRunning.find(operationId);
  if (record?.status !== "running") return;
  const resource = await store.find(context.db, context.account, record.target);
  if (resource?.operation !== operationId) return;
  const declared = declarationOf(context, resource.type);
  const work = declared.type.work?.[record.kind];
  if (!work || attempt.lastAttempt) {
    await fail(context, declared, resource, operationId, {
      code: "InternalServerError",
      message: "The operation could not be carried out.",
    });
    return;
  }
  try {
    await leaveState(context, { declared, work, record, resource });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code } = error.kind;
    await fail(context, declared, resource, operationId, {
      code,
      message: error.message,
      ...(error.extras.details && { details: error.extras.details }),
    });
  }
}

type UnderWay = {
  readonly declared: Declared;
  readonly work: Work;
  readonly record: LongRunningRecord;
  readonly resource: ManagedResource;
};
async function leaveState(context: Context, { declared, work, record, resource }: UnderWay): Promise<void> {
  const notes = notesOf(record);
  const change = await work.leave?.(resource, resource.state, context);
  const changed = change ? await changeResource(context, resource, change) : resource;
  const next = work.states[notes.step + 1];
  if (next !== undefined) {
    await context.longRunning.progress(record.id, { ...notes, step: notes.step + 1 });
    await changeResource(context, changed, { state: next });
    await context.enqueue(
      workJobOf(declared.provider.name),
      { operationId: record.id },
      {
        runAtMs: context.clock.nowMs() + notes.stepMs,
        key: workJobKeyOf(record.id),
      },
    );
    return;
  }
  const last = await work.finish?.(changed, context);
  if (record.kind === "delete") await removeResource(context, changed);
  else
    await changeResource(context, changed, {
      state: settledStateOf(declared, work),
      ...last,
      operation: undefined,
    });
  await context.longRunning.succeed(record.id);
}

async function fail(
  context: Context,
  { type }: Declared,
  resource: ManagedResource,
  operationId: string,
  error: { readonly code: string; readonly message: string; readonly details?: unknown },
): Promise<void> {
  const noted = await type.failed?.(resource, error, context);
  await changeResource(context, resource, {
    ...noted,
    state: failedStateOf(type),
    operation: undefined,
  });
  await context.longRunning.fail(operationId, error);
}

/** The polling address; absolute, with the mount as the caller wrote it. */
export async function pollingHeadersOf(
  context: Context,
  resource: ManagedResource,
  operationId: string,
): Promise<Record<string, string>> {
  const record = await longRunningOf(context, resource.type).find(operationId);
  if (!record) return {};
  const { provider } = declarationOf(context, resource.type);
  return pollingHeaders(context, provider.namespace, resource.subscriptionId, record);
}
export function pollingHeaders(
  context: Context,
  namespace: string,
  subscriptionId: string,
  record: LongRunningRecord,
): Record<string, string> {
  const { mountUrl } = context.request;
  if (mountUrl === "") return {};
  const base = `${mountUrl}/subscriptions/${subscriptionId}/providers/${namespace}/locations/${notesOf(record).location}`;
  const query = `?api-version=${encodeURIComponent(apiVersionOf(context))}`;
  return {
    "Azure-AsyncOperation": `${base}/operationStatuses/${record.id}${query}`,
    Location: `${base}/operationResults/${record.id}${query}`,
    "Retry-After": String(retryAfterSeconds(context, record)),
  };
}
export function retryAfterSeconds(context: Context, record: LongRunningRecord): number {
  const left = Math.ceil((notesOf(record).endsAtMs - context.clock.nowMs()) / 2000);
  return Math.min(RETRY_AFTER_SECONDS_MAX, Math.max(1, left));
}
/** The resource of the work, as stored in the record. */
export const subjectOf = (
  record: LongRunningRecord,
): { readonly type: string; readonly resourceId: string } => notesOf(record);
/** The progress in percent. */
export function percentOf(context: Context, record: LongRunningRecord): number {
  const { endsAtMs } = notesOf(record);
  const whole = endsAtMs - record.createdAtMs;
  if (record.status === "succeeded") return 100;
  const passed = context.clock.nowMs() - record.createdAtMs;
  return whole <= 0 ? 99 : Math.max(0, Math.min(99, Math.floor((passed * 100) / whole)));
}
