/**
 * Nearest-neighbour search: candidates by the codes of the last training, compared exactly with the current
 * store.
 */
import { distanceBetween } from "../domain/confidence.ts";
import {
  type Container,
  type ContainerRef,
  type FaceKey,
  type GroupKind,
  isTrained,
  kinds,
  type ListKind,
  notFoundText,
  trainingErrors,
} from "../domain/containers.ts";
import { type Descriptor, descriptorOf } from "../domain/descriptor.ts";
import type { RecognitionModel } from "../domain/models.ts";
import { errors } from "../errors.ts";
import type { FaceContext } from "../state.ts";
import { findContainer } from "../store/containers.ts";
import { countBlocks, listBlocks } from "../store/index-blocks.ts";
import {
  findSealedFaces,
  listSealedFaces,
  listSealedFacesOfPerson,
  type SealedFace,
} from "../store/persisted-faces.ts";
import { findPerson } from "../store/persons.ts";
import { BLOCK_ENTRIES_MAX } from "./codes.ts";
import { LoadedIndex } from "./loaded-index.ts";

/** Spare candidates, because codes may misplace a near face and candidates may be deleted. */
const SPARE_CANDIDATES = 40;
/** Blocks read in one batch. The loop yields after each block is decrypted. */
const BLOCKS_AT_ONCE = 4;
/** Faces decrypted before the loop yields: a few milliseconds of work. */
const FACES_AT_ONCE = 200;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export type NearPerson = { readonly personId: string; readonly distance: number };
export type NearFace = { readonly persistedFaceId: string; readonly distance: number };
type Near = { readonly key: FaceKey; readonly distance: number };

export async function getNamedContainer(context: FaceContext, ref: ContainerRef): Promise<Container> {
  const found = await findContainer(context.db, context.account, ref);
  if (!found) throw kinds[ref.kind].namedNotFound(notFoundText(ref));
  return found;
}
export async function getRecognitionModel(
  context: FaceContext,
  ref: ContainerRef,
): Promise<RecognitionModel> {
  return (await getNamedContainer(context, ref)).recognitionModel;
}

const opened = ({ secrets }: FaceContext, { descriptor }: SealedFace): Descriptor =>
  descriptorOf(secrets.open(descriptor));

/** All current descriptors of a person, trained or not. */
export async function getPersonDescriptors(
  context: FaceContext,
  ref: ContainerRef & { readonly kind: GroupKind },
  personId: string,
): Promise<Descriptor[]> {
  const { db, account } = context;
  const { uid } = await getNamedContainer(context, ref);
  if (!(await findPerson(db, account, uid, personId)))
    throw errors.namedPersonNotFound(`Person '${personId}' is not found.`);
  const faces = await listSealedFacesOfPerson(db, account, uid, personId);
  return faces.map((face) => opened(context, face));
}

async function loadIndex(
  { db, account, secrets }: FaceContext,
  { uid, kind }: Container,
  generation: number,
): Promise<LoadedIndex> {
  const rowsMax = BLOCK_ENTRIES_MAX * (await countBlocks(db, account, uid, generation));
  const index = new LoadedIndex(rowsMax, { hasPersons: kinds[kind].personsMax > 0 });
  for (let after = ""; ; ) {
    const blocks = await listBlocks(db, account, uid, { generation, after, limit: BLOCKS_AT_ONCE });
    for (const { entries } of blocks) {
      index.add(secrets.open(entries));
      await turn();
    }
    const last = blocks.at(-1);
    if (!last || blocks.length < BLOCKS_AT_ONCE) return index;
    after = last.firstKey;
  }
}

async function getIndex(context: FaceContext, container: Container): Promise<LoadedIndex> {
  const { kind, id, uid, training, trained } = container;
  if (!isTrained(kind)) throw new Error(`a ${kinds[kind].words} has no index`);
  if (!trained) {
    const isUnderWay = training?.status === "nonstarted" || training?.status === "running";
    if (isUnderWay) throw trainingErrors[kind].notFinished(`Training of '${id}' is not finished.`);
    throw trainingErrors[kind].notTrained(`'${id}' is not trained.`);
  }
  const { generation } = trained;
  const label = `${kinds[kind].words} ${id}`;
  return context.state.indexes.get({ account: context.account, container: uid, generation, label }, () =>
    loadIndex(context, container, generation),
  );
}

const byDistance = (a: Near, b: Near): number =>
  a.distance - b.distance || (a.key.person + a.key.id < b.key.person + b.key.id ? -1 : 1);

/** Exact distances of the faces that still exist. */
async function compared(
  context: FaceContext,
  container: string,
  descriptor: Descriptor,
  keys: readonly FaceKey[],
): Promise<Near[]> {
  const near: Near[] = [];
  for (let first = 0; first < keys.length; first += FACES_AT_ONCE) {
    if (first > 0) await turn();
    const some = keys.slice(first, first + FACES_AT_ONCE);
    for (const face of await findSealedFaces(context.db, context.account, container, some))
      near.push({ key: face, distance: distanceBetween(descriptor, opened(context, face)) });
  }
  return near.sort(byDistance);
}

/** If a person's nearest face was deleted, the person's other trained faces are compared. */
async function comparedWithRest(
  context: FaceContext,
  container: string,
  descriptor: Descriptor,
  { index, rows }: { readonly index: LoadedIndex; readonly rows: readonly number[] },
): Promise<Near[]> {
  const keyed = rows.map((row) => ({ row, key: index.keyAt(row) }));
  const near = await compared(
    context,
    container,
    descriptor,
    keyed.map(({ key }) => key),
  );
  const isThere = new Set(near.map(({ key }) => key.id));
  const gone = keyed.filter(({ key }) => !isThere.has(key.id));
  const rest = gone.flatMap(({ row }) => index.keysBesides(row));
  if (rest.length === 0) return near;
  const others = await compared(context, container, descriptor, rest);
  const best = new Map<string, Near>();
  for (const one of others) if (!best.has(one.key.person)) best.set(one.key.person, one);
  return [...near, ...best.values()].sort(byDistance);
}

/** Nearest first. If too few candidates still exist, the search repeats with more. */
async function nearestOf(
  context: FaceContext,
  container: Container,
  descriptors: readonly Descriptor[],
  limit: number,
): Promise<Near[][]> {
  const index = await getIndex(context, container);
  const found: Near[][] = [];
  let candidatesMax = Math.min(index.count, limit + SPARE_CANDIDATES);
  while (found.length < descriptors.length) {
    const waiting = descriptors.slice(found.length);
    const all = await context.state.indexes.scan(index, waiting, candidatesMax);
    for (const [at, candidates] of all.entries()) {
      const rows = candidates.map(({ row }) => row);
      const near = await comparedWithRest(context, container.uid, waiting[at] as Descriptor, { index, rows });
      const mayBeMore = rows.length === candidatesMax && candidatesMax < index.count;
      if (near.length < limit && mayBeMore) break;
      found.push(near.slice(0, limit));
    }
    candidatesMax = Math.min(index.count, 2 * candidatesMax);
  }
  return found;
}

/** For each descriptor, the nearest persons of a group by their nearest face. */
export async function searchPersons(
  context: FaceContext,
  ref: ContainerRef & { readonly kind: GroupKind },
  descriptors: readonly Descriptor[],
  limit: number,
): Promise<NearPerson[][]> {
  const container = await getNamedContainer(context, ref);
  const all = await nearestOf(context, container, descriptors, limit);
  return all.map((near) => near.map(({ key, distance }) => ({ personId: key.person, distance })));
}

/** A face list is searched in its current state, a large list in its trained state. */
export async function searchFaces(
  context: FaceContext,
  ref: ContainerRef & { readonly kind: ListKind },
  descriptor: Descriptor,
  limit: number,
): Promise<NearFace[]> {
  const container = await getNamedContainer(context, ref);
  const near =
    container.kind === "facelist"
      ? await nearestInList(context, container, descriptor)
      : (await nearestOf(context, container, [descriptor], limit))[0];
  return (near ?? []).slice(0, limit).map(({ key, distance }) => ({ persistedFaceId: key.id, distance }));
}

async function nearestInList(
  context: FaceContext,
  { id, uid, kind }: Container,
  descriptor: Descriptor,
): Promise<Near[]> {
  const { db, account } = context;
  const near: Near[] = [];
  for (let after: FaceKey | undefined; ; await turn()) {
    const faces = await listSealedFaces(db, account, uid, after, FACES_AT_ONCE);
    for (const face of faces)
      near.push({ key: face, distance: distanceBetween(descriptor, opened(context, face)) });
    after = faces.at(-1);
    if (faces.length < FACES_AT_ONCE) break;
  }
  if (near.length === 0) throw errors.faceListNotReady(`The ${kinds[kind].words} '${id}' is empty.`);
  return near.sort(byDistance);
}
