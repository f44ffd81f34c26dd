/**
 * Training: packs the current descriptors of a container into blocks of a new index generation. Searches use
 * the generation after its last block. A training restarts after a crash. A later request supersedes it.
 */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import {
  type Container,
  type ContainerRef,
  type FaceKey,
  KINDS,
  type Kind,
  trainingAsked,
  trainingEnded,
} from "../domain/containers.ts";
import { DESCRIPTOR_LENGTH, descriptorOf } from "../domain/descriptor.ts";
import { BLOCK_ENTRIES_MAX, packBlock, writeCode } from "../search/index.ts";
import type { FaceContext, State } from "../state.ts";
import { findContainer, updateContainer } from "../store/containers.ts";
import { blockKeyOf, deleteSomeBlocks, insertBlock } from "../store/index-blocks.ts";
import { listSealedFaces } from "../store/persisted-faces.ts";
import type { Tables } from "../tables.ts";

const payload = Type.Object({
  kind: Type.Union(KINDS.map((kind) => Type.Literal(kind))),
  id: Type.String(),
  uid: Type.String(),
});
type Trained = { readonly kind: Kind; readonly id: string; readonly uid: string };

const trainJob = jobsFor<Tables, State>()({
  name: "face.train",
  payload,
  transaction: "manual",
  async run(which, context, { lastAttempt }) {
    const generation = await context.transact((inside) => begin(inside, which));
    if (generation === undefined) return;
    try {
      await clear(context, which, { generation });
      let facesCount = 0;
      for (let after: FaceKey | undefined; ; ) {
        const written = await context.transact((inside) => writeBlock(inside, which, generation, after));
        if (written === undefined) return;
        facesCount += written.count;
        after = written.last;
        if (written.count < BLOCK_ENTRIES_MAX) break;
      }
      await context.transact((inside) => end(inside, which, { generation, facesCount }));
      await clear(context, which, { olderThan: generation });
    } catch (error) {
      if (lastAttempt) await context.transact((inside) => giveUp(inside, which, generation));
      throw error;
    }
  },
});
export const trainJobs = [trainJob];

const keyOf = (uid: string): string => `train:${uid}`;

export async function askForTraining(context: FaceContext, container: Container): Promise<void> {
  const { db, account, clock } = context;
  const { kind, id, uid } = container;
  await updateContainer(db, account, { ...container, training: trainingAsked(container, clock.nowMs()) });
  await context.enqueue(trainJob, { kind, id, uid }, { key: keyOf(uid) });
}
export async function takeBackTraining(context: FaceContext, { uid }: Container): Promise<void> {
  await context.cancelJob(trainJob, keyOf(uid));
}

/** Undefined if the container was deleted, even if another one has the same ID now. */
async function findSame({ db, account }: FaceContext, which: Trained): Promise<Container | undefined> {
  const ref: ContainerRef = which;
  const found = await findContainer(db, account, ref);
  return found?.uid === which.uid ? found : undefined;
}

/** Deletes blocks of an unfinished or superseded training. */
async function clear(
  context: FaceContext,
  { uid }: Trained,
  which: { readonly generation: number } | { readonly olderThan: number },
): Promise<void> {
  while (!(await context.transact(({ db, account }) => deleteSomeBlocks(db, account, uid, which))));
}

/** Returns the generation to create. Undefined if no training is pending. */
async function begin(context: FaceContext, which: Trained): Promise<number | undefined> {
  const { db, account, clock } = context;
  const container = await findSame(context, which);
  const training = container?.training;
  if (!container || !training || training.number <= (container.trained?.generation ?? 0)) return undefined;
  await updateContainer(db, account, {
    ...container,
    training: { ...training, status: "running", message: undefined, changedAtMs: clock.nowMs() },
  });
  return training.number;
}

/**
 * Writes one block in one transaction. A face that is deleted concurrently is either not in the block, or
 * removed from it.
 */
async function writeBlock(
  context: FaceContext,
  which: Trained,
  generation: number,
  after: FaceKey | undefined,
): Promise<{ readonly count: number; readonly last: FaceKey | undefined } | undefined> {
  const { db, account, secrets } = context;
  if (!(await findSame(context, which))) return undefined;
  const faces = await listSealedFaces(db, account, which.uid, after, BLOCK_ENTRIES_MAX);
  const [first] = faces;
  if (!first) return { count: 0, last: after };
  const entries = faces.map(({ person, id, descriptor }) => {
    const code = new Int8Array(DESCRIPTOR_LENGTH);
    writeCode(descriptorOf(secrets.open(descriptor)), code, 0);
    return { key: { person, id }, code };
  });
  const sealed = secrets.seal(packBlock(entries));
  await insertBlock(db, account, which.uid, { generation, firstKey: blockKeyOf(first), entries: sealed });
  return { count: faces.length, last: faces.at(-1) };
}

async function end(
  context: FaceContext,
  which: Trained,
  { generation, facesCount }: { readonly generation: number; readonly facesCount: number },
): Promise<void> {
  const { db, account, clock } = context;
  const container = await findSame(context, which);
  if (!container) return;
  const change = trainingEnded(container, { generation, facesCount, nowMs: clock.nowMs() });
  await updateContainer(db, account, { ...container, ...change });
}

async function giveUp(context: FaceContext, which: Trained, generation: number): Promise<void> {
  const { db, account, clock } = context;
  const container = await findSame(context, which);
  const training = container?.training;
  if (!container || training?.number !== generation) return;
  await updateContainer(db, account, {
    ...container,
    training: { ...training, status: "failed", message: "Training did not end.", changedAtMs: clock.nowMs() },
  });
}
