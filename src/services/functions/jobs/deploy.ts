/** Makes a function of its source: built, brought up, and only then given its requests. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import {
  type CloudFunction,
  type Definition,
  type FunctionName,
  findObstacle,
  findRuntime,
  keptRevisions,
  revisionOf,
  trafficAfterDeployment,
} from "../domain/index.ts";
import { BadArchive } from "../running/archive.ts";
import { bringingOf } from "../running/bring-up.ts";
import { CannotInstall } from "../running/install.ts";
import { CannotStart } from "../running/instance.ts";
import type { InstancePool } from "../running/pool.ts";
import { MissingSecret } from "../running/secrets.ts";
import type { FunctionsContext, State } from "../state.ts";
import {
  dropRevisions,
  findFunction,
  findObject,
  findOperation,
  findRevision,
  insertRevision,
  isBlobUsed,
  listReadyRevisions,
  markReady,
  type Revision,
  type ServedFunction,
  type StoredOperation,
  saveFunction,
  saveOperation,
} from "../store/index.ts";
import type { Tables } from "../tables.ts";
import { CODES, failure, moveTo, stagesAt } from "./work.ts";

/** Its owner can do something about it. */
class DeployProblem extends Error {
  readonly type: string;
  readonly code: number;
  constructor(type: string, message: string, code: number = CODES.INVALID_ARGUMENT) {
    super(message);
    this.type = type;
    this.code = code;
  }
}

export const deploy = jobsFor<Tables, State>()({
  name: "functions.deploy",
  payload: Type.Object({
    operation: Type.String(),
    project: Type.String(),
    location: Type.String(),
    functionId: Type.String(),
  }),
  transaction: "manual",
  async run({ operation: id, ...name }, context, { lastAttempt }) {
    const { db, account, state } = context;
    const operation = await findOperation(db, account, id);
    const one = await findFunction(db, account, name);
    if (!operation || operation.done || !one) return;
    const revision = revisionOf(one.functionId, one.generation);
    try {
      const built = await build(context, operation, one, revision);
      const pool = await bringUp(context, operation, one, built);
      await finish(context, id, name, revision, pool);
    } catch (error) {
      const problem = problemOf(error, lastAttempt);
      await state.running.discard(one.slug, revision);
      if (!problem) throw error;
      await giveUp(context, id, name, problem);
    }
  },
});

function problemOf(error: unknown, lastAttempt: boolean): DeployProblem | undefined {
  if (error instanceof DeployProblem) return error;
  if (error instanceof BadArchive || error instanceof CannotInstall)
    return new DeployProblem("BuildFailed", error.message);
  if (error instanceof CannotStart) return new DeployProblem("HealthCheckFailed", error.message);
  if (error instanceof MissingSecret)
    return new DeployProblem("SecretNotFound", error.message, CODES.FAILED_PRECONDITION);
  return lastAttempt
    ? new DeployProblem("Internal", "The function could not be deployed.", CODES.INTERNAL)
    : undefined;
}

async function checkRuntime(
  { state }: FunctionsContext,
  { buildConfig, serviceConfig }: Definition,
): Promise<void> {
  const runtime = findRuntime(buildConfig.runtime ?? "");
  if (!runtime) throw new DeployProblem("UnknownRuntime", `There is no runtime ${buildConfig.runtime}.`);
  const hasPython = runtime.language === "python" && (await state.running.python()) !== undefined;
  const hasBubblewrap = (await state.running.level()) === "bubblewrap";
  const obstacle = findObstacle(runtime, { hasPython, hasBubblewrap });
  if (obstacle !== undefined) throw new DeployProblem("UnsupportedRuntime", obstacle);
  if ((serviceConfig.secretVolumes ?? []).length > 0 && !hasBubblewrap)
    throw new DeployProblem(
      "SecretVolumes",
      "Secrets as files need bubblewrap on this machine; as variables they do not.",
    );
}

async function build(
  context: FunctionsContext,
  operation: StoredOperation,
  one: ServedFunction,
  revision: string,
): Promise<Revision> {
  await moveTo(context, operation.id, "BUILD");
  const known = await findRevision(context.db, context.account, one.slug, revision);
  if (known) return known;
  const { definition, slug } = one;
  await checkRuntime(context, definition);
  const source = definition.buildConfig.source?.storageSource ?? {};
  const object = await findObject(context.db, context.account, source);
  if (!object)
    throw new DeployProblem(
      "SourceNotFound",
      `There is no object ${source.object} in the bucket ${source.bucket}: upload it first.`,
    );
  const made: Revision = { slug, revision, blobId: object.blobId, definition };
  const built = { ...made, dependenciesBlobId: await installDependencies(context, made) };
  await context.transact(({ db, account, clock }) => insertRevision(db, account, built, clock.nowMs()));
  return built;
}
/** Kept with the revision, so that every node runs the same. */
async function installDependencies(
  context: FunctionsContext,
  { slug, revision, blobId, definition }: Revision,
): Promise<string | undefined> {
  const { running } = context.state;
  const { runtime = "", environmentVariables: variables = {} } = definition.buildConfig;
  if (!running.settings.mayInstall || findRuntime(runtime)?.language !== "nodejs") return undefined;
  const source = () => context.blobs.chunks(blobId);
  const keep = async (archive: AsyncIterable<Uint8Array>): Promise<string> => {
    const prepared = await context.blobs.prepare(() => archive);
    return context.transact(async ({ blobs }) => (await blobs.keep(prepared, "application/zip")).id);
  };
  return running.installFor({ account: context.account, slug, revision, source, variables }, keep);
}

async function bringUp(
  context: FunctionsContext,
  operation: StoredOperation,
  one: ServedFunction,
  built: Revision,
): Promise<InstancePool> {
  await moveTo(context, operation.id, "SERVICE");
  const { running } = context.state;
  const pool = await running.bringUp(() => bringingOf(context, one, built), one.slug, built.revision);
  await pool.warmUp(Math.max(1, one.definition.serviceConfig.minInstanceCount ?? 0));
  if (one.definition.eventTrigger) await moveTo(context, operation.id, "TRIGGER");
  return pool;
}

/** From here on the new revision answers, unless requests stay with earlier ones. */
async function finish(
  context: FunctionsContext,
  id: string,
  name: FunctionName,
  revision: string,
  pool: InstancePool,
): Promise<void> {
  await context.transact(async (inner) => {
    const { db, account, clock, blobs } = inner;
    const one = await findFunction(db, account, name);
    const operation = await findOperation(db, account, id);
    if (!one || !operation || operation.done) return;
    const nowMs = clock.nowMs();
    const ready: CloudFunction = {
      ...one,
      state: "ACTIVE",
      stateMessages: [],
      revision,
      traffic: trafficAfterDeployment(one, one.definition.serviceConfig.allTrafficOnLatestRevision !== false),
      busyWith: undefined,
      updatedAtMs: nowMs,
    };
    await saveFunction(db, account, ready);
    await markReady(db, account, { slug: one.slug, revision }, nowMs);
    const all = (await listReadyRevisions(db, account, one.slug)).map((each) => each.revision);
    for (const blobId of await dropRevisions(db, account, one.slug, keptRevisions(ready, all)))
      if (!(await isBlobUsed(db, account, blobId))) await blobs.remove(blobId);
    const { metadata } = operation;
    await saveOperation(db, account, {
      ...operation,
      metadata: { ...metadata, stages: stagesAt(metadata.stages, undefined) },
      response: snapshotOf(ready),
      done: true,
      endedAtMs: nowMs,
    });
    inner.afterCommit(() => context.state.running.deployed(ready, pool));
  });
}
/** Ends a failed deployment. The previous revision, if any, keeps serving requests. */
async function giveUp(
  context: FunctionsContext,
  id: string,
  name: FunctionName,
  problem: DeployProblem,
): Promise<void> {
  await context.transact(async ({ db, account, clock }) => {
    const one = await findFunction(db, account, name);
    const operation = await findOperation(db, account, id);
    if (!one || !operation || operation.done) return;
    const nowMs = clock.nowMs();
    await saveFunction(db, account, {
      ...one,
      // After an internal error it is unknown how much of the deployment was done.
      state: problem.code === CODES.INTERNAL ? "UNKNOWN" : "FAILED",
      stateMessages: [failure(problem.type, problem.message)],
      busyWith: undefined,
      updatedAtMs: nowMs,
    });
    await saveOperation(db, account, {
      ...operation,
      error: { code: problem.code, message: problem.message },
      done: true,
      endedAtMs: nowMs,
    });
  });
}
export const snapshotOf = (one: CloudFunction): Readonly<Record<string, unknown>> => {
  const { policy: _policy, account: _account, ...rest } = one as ServedFunction;
  return rest;
};
