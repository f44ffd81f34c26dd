/** Takes, applies and deletes snapshots. */
import { Type } from "@sinclair/typebox";
import { type Context, jobsFor } from "#kernel/operation";
import { type ContainerRef, KINDS, kinds, trainingThatMade } from "../domain/containers.ts";
import { percentOf } from "../domain/snapshots.ts";
import type { FaceContext, State } from "../state.ts";
import { findContainer } from "../store/containers.ts";
import { deleteSnapshot, findSnapshot, type Snapshot, updateSnapshot } from "../store/snapshots.ts";
import type { Tables } from "../tables.ts";
import { addContainer } from "./containers.ts";
import { copyContents } from "./copying.ts";
import { free } from "./free.ts";

const job = jobsFor<Tables, State>();
const KindName = Type.Union(KINDS.map((kind) => Type.Literal(kind)));

const NOT_ENDED = "The copy did not end.";
const fail = (context: Context, operationId: string, message: string): Promise<void> =>
  context.longRunning.fail(operationId, { code: "Failed", message });

const takePayload = Type.Object({
  operationId: Type.String(),
  snapshotId: Type.String(),
  source: Type.Object({ kind: KindName, id: Type.String(), uid: Type.String() }),
});
type Taking = {
  readonly operationId: string;
  readonly snapshotId: string;
  readonly source: ContainerRef & { readonly uid: string };
};

const takeJob = job({
  name: "face.take-snapshot",
  payload: takePayload,
  transaction: "manual",
  async run(taking, context, { lastAttempt }) {
    try {
      while ((await takeOnce(context, taking)) === "again");
    } catch (error) {
      if (lastAttempt) await context.transact((inside) => giveUpTaking(inside, taking, NOT_ENDED));
      throw error;
    }
  },
});

/** Returns "again" if a training replaced the generation during the copy. */
async function takeOnce(context: FaceContext, taking: Taking): Promise<"ended" | "again"> {
  const { account } = context;
  const { operationId, snapshotId, source } = taking;
  const findSource = async (inside: FaceContext) => {
    const found = await findContainer(inside.db, account, source);
    return found?.uid === source.uid ? found : undefined;
  };
  const begun = await context.transact(async (inside) => ({
    snapshot: await findSnapshot(inside.db, account, snapshotId),
    container: await findSource(inside),
  }));
  if (!begun.snapshot || begun.snapshot.isTaken) return "ended";
  const { uid } = begun.snapshot;
  const isWhole =
    begun.container !== undefined &&
    (await copyContents(context, {
      operationId,
      from: { account, container: source.uid, generation: begun.container.trained?.generation },
      to: { account, container: uid },
      rowsExpected: begun.container.faceCount + begun.container.personCount,
      isWanted: async (inside) => (await findSource(inside)) !== undefined,
    }));
  return context.transact(async (inside) => {
    const container = await findSource(inside);
    const snapshot = await findSnapshot(inside.db, account, snapshotId);
    if (!isWhole || !container || !snapshot) {
      await giveUpTaking(inside, taking, `The ${kinds[source.kind].words} was deleted meanwhile.`);
      return "ended";
    }
    if (container.trained?.generation !== begun.container?.trained?.generation) return "again";
    await updateSnapshot(inside.db, { ...snapshot, isTaken: true, source: container });
    await inside.longRunning.succeed(operationId, { resourceLocation: `/snapshots/${snapshotId}` });
    return "ended";
  });
}

async function giveUpTaking(context: FaceContext, taking: Taking, message: string): Promise<void> {
  const snapshot = await findSnapshot(context.db, context.account, taking.snapshotId);
  if (snapshot) await forgetSnapshot(context, snapshot);
  await fail(context, taking.operationId, message);
}

const applyPayload = Type.Object({
  operationId: Type.String(),
  owner: Type.String(),
  snapshotId: Type.String(),
  target: Type.Object({ kind: KindName, id: Type.String(), uid: Type.String() }),
});
type Applying = {
  readonly operationId: string;
  readonly owner: string;
  readonly snapshotId: string;
  readonly target: ContainerRef & { readonly uid: string };
};

const applyJob = job({
  name: "face.apply-snapshot",
  payload: applyPayload,
  transaction: "manual",
  async run(applying, context, { lastAttempt }) {
    try {
      await applyOnce(context, applying);
    } catch (error) {
      if (lastAttempt) await context.transact((inside) => giveUpApplying(inside, applying, NOT_ENDED));
      throw error;
    }
  },
});

async function applyOnce(context: FaceContext, applying: Applying): Promise<void> {
  const { account } = context;
  const { operationId, owner, snapshotId, target } = applying;
  const findWhole = async ({ db, clock }: FaceContext) => {
    const found = await findSnapshot(db, owner, snapshotId);
    return found && found.expiresAtMs > clock.nowMs() ? found : undefined;
  };
  const begun = await context.transact(async (inside) => ({
    snapshot: await findWhole(inside),
    operation: await inside.longRunning.find(operationId),
  }));
  if (begun.operation?.status !== "running") return;
  const isWhole =
    begun.snapshot !== undefined &&
    (await copyContents(context, {
      operationId,
      from: {
        account: owner,
        container: begun.snapshot.uid,
        generation: begun.snapshot.source.trained?.generation,
      },
      to: { account, container: target.uid },
      rowsExpected: begun.snapshot.source.faceCount + begun.snapshot.source.personCount,
      isWanted: async (inside) => (await findWhole(inside)) !== undefined,
    }));
  await context.transact(async (inside) => {
    const snapshot = await findWhole(inside);
    if (!isWhole || !snapshot) {
      await giveUpApplying(inside, applying, "The snapshot was deleted meanwhile.");
      return;
    }
    const isMade = await addContainer(inside, {
      ...snapshot.source,
      ...target,
      createdAtMs: inside.clock.nowMs(),
      training: trainingThatMade(snapshot.source.trained),
    });
    if (!isMade) {
      const message = `There is a ${kinds[target.kind].words} '${target.id}' already.`;
      await giveUpApplying(inside, applying, message);
      return;
    }
    const resourceLocation = `/${kinds[target.kind].path}/${target.id}`;
    await inside.longRunning.succeed(operationId, { resourceLocation });
  });
}

async function giveUpApplying(
  context: FaceContext,
  { operationId, target }: Applying,
  message: string,
): Promise<void> {
  await free(context, target.uid);
  await fail(context, operationId, message);
}

const forgetJob = job({
  name: "face.forget-snapshot",
  payload: Type.Object({ snapshotId: Type.String() }),
  async run({ snapshotId }, context) {
    const snapshot = await findSnapshot(context.db, context.account, snapshotId);
    if (snapshot && snapshot.expiresAtMs <= context.clock.nowMs()) await forgetSnapshot(context, snapshot);
  },
});
const forgetKeyOf = (snapshotId: string): string => `forget-snapshot:${snapshotId}`;

/** Must run in the owner's account. */
export async function forgetSnapshot(context: FaceContext, snapshot: Snapshot): Promise<void> {
  await deleteSnapshot(context.db, snapshot);
  await context.cancelJob(forgetJob, forgetKeyOf(snapshot.id));
  await free(context, snapshot.uid);
}

export async function startTaking(
  context: FaceContext,
  snapshot: Snapshot,
  source: Taking["source"],
): Promise<string> {
  const operationId = await begin(context, "take", snapshot.id);
  const { kind, id, uid } = source;
  await context.enqueue(takeJob, { operationId, snapshotId: snapshot.id, source: { kind, id, uid } });
  await context.enqueue(
    forgetJob,
    { snapshotId: snapshot.id },
    { key: forgetKeyOf(snapshot.id), runAtMs: snapshot.expiresAtMs },
  );
  return operationId;
}
export async function startApplying(
  context: FaceContext,
  { owner, id: snapshotId }: Snapshot,
  target: ContainerRef,
): Promise<string> {
  const operationId = await begin(context, "apply", `${target.kind}/${target.id}`);
  const { kind, id } = target;
  await context.enqueue(applyJob, {
    operationId,
    owner,
    snapshotId,
    target: { kind, id, uid: context.ids.uuid() },
  });
  return operationId;
}
async function begin(context: FaceContext, kind: string, target: string): Promise<string> {
  const metadata = { isStarted: false, percent: percentOf(0, 0) };
  return (await context.longRunning.begin({ kind, target, metadata })).id;
}

export const snapshotJobs = [takeJob, applyJob, forgetJob];
