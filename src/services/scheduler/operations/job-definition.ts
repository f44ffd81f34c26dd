/** Converts a request body to a job: validation, quota, secrets and next run. */
import type { Context } from "#kernel/operation";
import { describeClientCertificate, OutboundError } from "#kernel/outbound";
import type { Desired, Preparation } from "#kernel/resource-provider";
import {
  type Action,
  type CertificateFacts,
  changeState,
  type ErrorAction,
  firstRunMs,
  freshCounters,
  haveSameSchedule,
  instantText,
  isMoved,
  type JobDefinition,
  type JobKeeping,
  type JobState,
  type KeptSecrets,
  quotaJobOf,
  resumedRunMs,
  timingOf,
  violationsOf,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import {
  type CollectionResource,
  findSecrets,
  hasScheduledRun,
  type JobResource,
  keepingOf,
  quotaOf,
  sealSecrets,
} from "../jobs/index.ts";
import { countJobs } from "../store.ts";
import { type ReadJob, readJob } from "./job-reading.ts";
import { quotaRefusalOf } from "./problems.ts";

const JOB_BYTES_MAX = 16 * 1024;

function certificateFactsOf(secrets: KeptSecrets, path: string): CertificateFacts {
  const { pfx = "", password } = secrets[path]?.values ?? {};
  try {
    const facts = describeClientCertificate({
      pfx: Buffer.from(pfx, "base64"),
      ...(password !== undefined && { passphrase: password }),
    });
    return facts === undefined
      ? {}
      : {
          certificateThumbprint: facts.thumbprint,
          certificateSubjectName: facts.subject,
          certificateExpirationDate: instantText(facts.expiresAtMs),
        };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw errors.invalidJob(`properties.${path}.pfx: ${error.message}`, {
      target: `properties.${path}.pfx`,
    });
  }
}

/** Certificate facts are derived from the certificate, not from the request. */
function withFacts<One extends ErrorAction>(action: One, secrets: KeptSecrets, root: string): One {
  if (action.type !== "Http" && action.type !== "Https") return action;
  if (action.request.authentication?.type !== "ClientCertificate") return action;
  const facts = certificateFactsOf(secrets, `${root}.request.authentication`);
  const authentication = { type: "ClientCertificate" as const, ...facts };
  return { ...action, request: { ...action.request, authentication } };
}
function withCertificateFacts(action: Action, secrets: KeptSecrets): Action {
  const main = withFacts(action, secrets, "action");
  return main.errorAction === undefined
    ? main
    : { ...main, errorAction: withFacts(main.errorAction, secrets, "action.errorAction") };
}

function readBody(context: Context, wanted: Desired, existing: JobResource | undefined): ReadJob {
  const stored = existing && findSecrets(context, existing);
  const keptRecurrence = existing?.properties.recurrence;
  const value = readJob(wanted.properties, {
    nowMs: context.clock.nowMs(),
    ...(stored !== undefined && { stored }),
    ...(keptRecurrence !== undefined && { keptRecurrence }),
  });
  const size = Buffer.byteLength(JSON.stringify(value));
  if (size > JOB_BYTES_MAX)
    throw errors.jobTooLarge(`A job may have at most ${JOB_BYTES_MAX} bytes; this one has ${size}.`);
  return { ...value, action: withCertificateFacts(value.action, value.secrets) };
}

async function checkQuota(
  context: Context,
  read: ReadJob,
  collection: CollectionResource,
  existing: JobResource | undefined,
): Promise<void> {
  const { sku } = collection.properties;
  const count = await countJobs(context.db, context.account, collection.key);
  const job = quotaJobOf(read, context.clock.nowMs());
  const violations = violationsOf(sku.name, quotaOf(collection), job, existing ? count : count + 1);
  if (violations.length > 0) throw quotaRefusalOf(violations, errors.jobQuotaExceeded);
}

function nextStateOf(read: ReadJob, existing: JobResource | undefined, mode: "put" | "patch") {
  const kind = mode === "put" ? "replace" : "merge";
  const change = changeState(existing?.properties.state, read.requestedState, kind);
  if (!("refusal" in change)) return change;
  const target = { target: "properties.state" };
  throw change.refusal === "jobIsFinished"
    ? errors.jobIsFinished("The job has finished. Define it anew with PUT to start it again.", target)
    : errors.invalidJob("The states Completed and Faulted are set by the service alone.", target);
}

type Definition = Omit<JobDefinition, "status">;
type Plan = {
  readonly nextRunMs: number | undefined;
  /** No run is left. */
  readonly isOver: boolean;
};

/** `existing` is the job that continues; undefined for a new or restarted job. */
async function planNext(
  context: Context,
  definition: Definition,
  keeping: JobKeeping,
  collection: CollectionResource,
  existing: JobResource | undefined,
): Promise<Plan> {
  const isDisabled = definition.state !== "Enabled" || collection.properties.state !== "Enabled";
  if (isDisabled) return { nextRunMs: undefined, isOver: false };
  const timing = timingOf(definition, keeping, quotaOf(collection));
  if (existing === undefined) {
    const nextRunMs = firstRunMs(timing);
    return { nextRunMs, isOver: nextRunMs === undefined };
  }
  const goesOn = existing.properties.state === "Enabled" && haveSameSchedule(existing.properties, definition);
  if (goesOn) return { nextRunMs: keeping.nextRunMs, isOver: false };
  const nextRunMs = resumedRunMs(timing, context.clock.nowMs(), keeping.countedRuns, keeping.handledUntilMs);
  return { nextRunMs, isOver: nextRunMs === undefined && !(await hasScheduledRun(context, existing)) };
}

/** A changed schedule starts with zero runs, and postponed occurrences of the old one are dropped. */
function keepingMoved(
  { postponedSinceMs: _postponed, handledUntilMs, ...kept }: JobKeeping,
  startsAtMs: number | undefined,
): JobKeeping {
  const begun = { ...kept, countedRuns: 0 };
  if (startsAtMs !== undefined) return { ...begun, definedAtMs: startsAtMs };
  return handledUntilMs === undefined ? begun : { ...begun, handledUntilMs };
}
function keepingAfter(
  context: Context,
  existing: JobResource | undefined,
  { state, restarted }: { readonly state: JobState; readonly restarted: boolean },
  definition: Definition,
): JobKeeping {
  const { sealedSecrets: _sealed, ...before } = existing ? keepingOf(existing) : { historyCount: 0 };
  const fresh = { definedAtMs: context.clock.nowMs(), countedRuns: 0, historyCount: before.historyCount };
  const going: JobKeeping = existing && !restarted ? { ...fresh, ...before } : fresh;
  const isNew = existing !== undefined && isMoved(existing.properties, definition);
  const startsAnew = isNew && existing.properties.startTime !== definition.startTime;
  const kept = isNew ? keepingMoved(going, startsAnew ? fresh.definedAtMs : undefined) : going;
  if (state === "Enabled") return kept;
  const { postponedSinceMs: _postponed, ...resting } = kept;
  return resting;
}

/** The job after a PUT or PATCH. */
export async function prepareJob(
  wanted: Desired,
  { mode, existing, parent }: Preparation<JobDefinition>,
  context: Context,
): Promise<Desired<JobDefinition>> {
  const collection = parent as CollectionResource;
  const read = readBody(context, wanted, existing);
  await checkQuota(context, read, collection, existing);
  const change = nextStateOf(read, existing, mode);
  const goingOn = change.restarted ? undefined : existing;
  const { secrets, requestedState: _requested, ...described } = read;
  const definition: Definition = { ...described, state: change.state };
  const keeping = keepingAfter(context, existing, change, definition);
  const { nextRunMs, isOver } = await planNext(context, definition, keeping, collection, goingOn);
  return {
    properties: {
      ...definition,
      state: isOver ? "Completed" : change.state,
      status: goingOn?.properties.status ?? freshCounters,
    },
    secrets: { ...keeping, nextRunMs, sealedSecrets: sealSecrets(context, secrets) },
  };
}
