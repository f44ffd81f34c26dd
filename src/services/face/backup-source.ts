/**
 * Backups of lists and groups: persons, faces and the trained index. The backup decrypts descriptors, and
 * the vault encrypts them again. A restore encrypts them with the instance's current key, which may have
 * changed.
 */
import { BackupSourceError, IN_PLACE, lineOf, RecordReader, readHead, restoredTags } from "#kernel/backups";
import type { OwnContext } from "#kernel/operation";
import type { BackupSource, RestoreRequest } from "#ports/backup-sources";
import { containerArnOf, findContainerIn, RESOURCE_TYPES } from "./domain/arns.ts";
import {
  type Container,
  type ContainerRef,
  kinds,
  requireRoomForContainer,
  trainingThatMade,
} from "./domain/containers.ts";
import { addContainer, removeContainer } from "./jobs/containers.ts";
import { freeUnlessKept, keep } from "./jobs/free.ts";
import type { FaceContext } from "./state.ts";
import { countContainers, findContainer } from "./store/containers.ts";
import {
  COPY_BEGINS,
  type ContentRow,
  type CopyPlace,
  type Part,
  readSome,
  rowsAtOnceOf,
  writeSome,
} from "./store/contents.ts";

const COLLECTION_ID = "collectionId";
const HEAD = "face collection";
const CONTAINER_ID = /^[a-z0-9_-]{1,64}$/;

type SavedContainer = Pick<
  Container,
  "kind" | "id" | "name" | "userData" | "recognitionModel" | "faceCount" | "personCount" | "trained"
>;
type Saved = { readonly container: SavedContainer; readonly tags: Readonly<Record<string, string>> };

function changed(row: ContentRow, change: (sealedOrOpen: string) => string): ContentRow {
  if ("descriptor" in row) return { ...row, descriptor: change(row.descriptor) };
  if ("entries" in row) return { ...row, entries: change(row.entries) };
  return row;
}

async function* rowsOf(
  { db, account }: FaceContext,
  ref: ContainerRef,
  tags: Saved["tags"],
): AsyncGenerator<Uint8Array> {
  const found = await findContainer(db, account, ref);
  if (!found) throw new BackupSourceError(`There is no ${kinds[ref.kind].words} ${ref.id} any more.`);
  const { uid, createdAtMs: _made, training: _training, ...container } = found;
  yield lineOf({ kind: HEAD, value: { container, tags } satisfies Saved });
  const from = { account, container: uid, generation: found.trained?.generation };
  for (let place: CopyPlace | undefined = COPY_BEGINS; place; ) {
    const { part } = place;
    const { rows, next } = await readSome(db, from, place);
    for (const { account: _account, container: _container, ...row } of rows)
      yield lineOf({ kind: part, value: row });
    place = next;
  }
}

/** The collected rows on disk are still encrypted. */
async function* opened({ secrets }: FaceContext, gathered: AsyncIterable<Uint8Array>) {
  for await (const { kind, value } of new RecordReader(gathered)) {
    if (kind === HEAD) yield lineOf({ kind, value });
    else yield lineOf({ kind, value: changed(value as ContentRow, (text) => secrets.open(text)) });
  }
}

async function findObstacle(
  { db, account }: FaceContext,
  ref: ContainerRef,
  inPlace: boolean,
): Promise<string | undefined> {
  const { words } = kinds[ref.kind];
  if (!CONTAINER_ID.test(ref.id))
    return `${COLLECTION_ID} must have 1 to 64 lower-case letters, digits, '-' and '_'.`;
  if (!inPlace && (await findContainer(db, account, ref)))
    return `There is a ${words} ${ref.id} already; say ${IN_PLACE} to write over it.`;
  return undefined;
}

/** Writes rows under a new uid, which becomes visible only after all rows are stored. */
async function writeRows(context: FaceContext, records: RecordReader, uid: string): Promise<void> {
  let waiting: ContentRow[] = [];
  let waitingPart: Part = COPY_BEGINS.part;
  const write = async () => {
    const rows = waiting.map((row) => changed(row, (text) => context.secrets.seal(text)));
    waiting = [];
    await context.transact(({ db, account }) =>
      writeSome(db, { account, container: uid }, waitingPart, rows),
    );
  };
  for await (const { kind, value } of records) {
    const part = kind as Part;
    if (waiting.length > 0 && (part !== waitingPart || waiting.length >= rowsAtOnceOf(part))) await write();
    waitingPart = part;
    waiting.push(value as ContentRow);
  }
  if (waiting.length > 0) await write();
}

async function restore(
  context: FaceContext,
  content: AsyncIterable<Uint8Array>,
  { metadata, done, ...asked }: RestoreRequest,
): Promise<void> {
  const records = new RecordReader(content);
  const saved = await readHead<Saved>(records, HEAD);
  const ref = { kind: saved.container.kind, id: metadata[COLLECTION_ID] ?? saved.container.id };
  const inPlace = metadata[IN_PLACE] === "true";
  const uid = context.ids.uuid();
  const check = async (inside: FaceContext) => {
    const obstacle = await findObstacle(inside, ref, inPlace);
    if (obstacle !== undefined) throw new BackupSourceError(obstacle);
  };
  await context.transact(async (inside) => {
    await check(inside);
    await freeUnlessKept(inside, uid);
  });
  await writeRows(context, records, uid);
  await context.transact(async (inside) => {
    await check(inside);
    const { db, account, clock } = inside;
    const before = await findContainer(db, account, ref);
    if (before) await removeContainer(inside, before);
    else requireRoomForContainer(ref.kind, await countContainers(db, account, ref.kind));
    const { trained } = saved.container;
    await addContainer(
      inside,
      {
        ...saved.container,
        ...ref,
        uid,
        userData: saved.container.userData,
        createdAtMs: before?.createdAtMs ?? clock.nowMs(),
        trained,
        training: trainingThatMade(trained),
      },
      restoredTags(saved.tags, asked),
    );
    await keep(inside, uid);
    await done(inside, containerArnOf(account, ref));
  });
}

export const backupSource = (own: OwnContext): BackupSource => ({
  resourceType: "FaceCollection",
  types: Object.values(RESOURCE_TYPES),
  restoreMetadata: async (_context, { name }) => ({ [COLLECTION_ID]: name, [IN_PLACE]: "true" }),
  renamed: (_metadata, name) => ({ [COLLECTION_ID]: name, [IN_PLACE]: "false" }),
  async *read(context, { arn, tags }) {
    const ref = findContainerIn(arn);
    if (!ref) throw new BackupSourceError(`${arn} is no list or group of faces.`);
    yield* opened(
      own(context),
      own(context).gather((moment) => rowsOf(moment, ref, tags)),
    );
  },
  restore: (context, content, request) => restore(own(context), content, request),
  async remove(context, arn) {
    const { db, account } = own(context);
    const ref = findContainerIn(arn);
    const container = ref && (await findContainer(db, account, ref));
    if (container) await removeContainer(own(context), container);
  },
});
