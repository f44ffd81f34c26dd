/** Operations on snapshots of lists and groups. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { answer, type Context, noBody } from "#kernel/operation";
import { type Container, KINDS, kinds } from "../domain/containers.ts";
import {
  accountsOf,
  requireRoomForSnapshot,
  SNAPSHOT_LASTS_MS,
  SNAPSHOTS_MAX,
  subscriptionOf,
} from "../domain/snapshots.ts";
import { errors } from "../errors.ts";
import type { CopyProgress } from "../jobs/copying.ts";
import { forgetSnapshot, startApplying, startTaking } from "../jobs/snapshots.ts";
import { getNamedContainer } from "../search/index.ts";
import type { FaceContext } from "../state.ts";
import { findContainer } from "../store/containers.ts";
import {
  countSnapshots,
  findReadableSnapshot,
  insertSnapshot,
  listReadableSnapshots,
  type Snapshot,
  setReaders,
  updateSnapshot,
} from "../store/snapshots.ts";
import { uuidOf } from "../wire/shared.ts";
import {
  Application,
  kindOf,
  NewSnapshot,
  OperationView,
  SnapshotChange,
  SnapshotsQuery,
  SnapshotView,
  snapshotViewOf,
} from "../wire/snapshots.ts";
import { operation } from "./lookup.ts";

const named = Type.Object({ snapshotId: uuidOf("snapshot") });

/** Clients of the original API expect a path relative to the API's base. */
const started = (operationId: string) =>
  answer(202, undefined, { "operation-location": `/operations/${operationId}` });

/** Finds a complete snapshot that is not expired and that the account may read. */
async function getSnapshot({ db, account, clock }: FaceContext, id: string): Promise<Snapshot> {
  const found = await findReadableSnapshot(db, account, id.toLowerCase());
  if (!found?.isTaken || found.expiresAtMs <= clock.nowMs())
    throw errors.snapshotNotFound(`Snapshot '${id}' is not found.`);
  return found;
}
async function getOwnSnapshot(context: FaceContext, id: string): Promise<Snapshot> {
  const found = await getSnapshot(context, id);
  if (found.owner !== context.account)
    throw errors.snapshotNotFound(`Snapshot '${id}' is not one of this account's own.`);
  return found;
}
const inSmallLetters = (applyScope: readonly string[]): string[] => [
  ...new Set(applyScope.map((id) => id.toLowerCase())),
];
/** The owner needs no entry. */
const readersOf = ({ owner, applyScope }: Pick<Snapshot, "owner" | "applyScope">): string[] =>
  accountsOf(applyScope).filter((account) => account !== owner);

function newSnapshot(
  { account, ids, clock }: FaceContext,
  source: Container,
  { applyScope, userData }: { applyScope: readonly string[]; userData?: string },
): Snapshot {
  const nowMs = clock.nowMs();
  return {
    owner: account,
    id: ids.uuid(),
    uid: ids.uuid(),
    isTaken: false,
    source,
    userData,
    applyScope: inSmallLetters(applyScope),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: nowMs + SNAPSHOT_LASTS_MS,
  };
}

const takeSnapshot = operation({
  id: "face.snapshots.take",
  summary: "Takes a snapshot of a list or group with its training",
  description: `Returns an operation; a job copies the content. Poll \`face.operations.get\`. A snapshot can be applied within 48 hours, by the accounts in \`applyScope\`, and is deleted afterwards. An account may have ${SNAPSHOTS_MAX} snapshots.`,
  method: "POST",
  path: "/snapshots",
  permission: "face:TakeSnapshot",
  body: NewSnapshot,
  answers: { 202: noBody },
  errors: [...KINDS.map((kind) => kinds[kind].namedNotFound), errors.quotaExceeded],
  examples: {
    body: {
      type: "PersonGroup",
      objectId: "family",
      applyScope: ["00000000-0000-0000-0000-123456789012"],
    },
  },
  async handle({ body }, context) {
    const source = await getNamedContainer(context, { kind: kindOf(body.type), id: body.objectId });
    requireRoomForSnapshot(await countSnapshots(context.db, context.account));
    const snapshot = newSnapshot(context, source, body);
    await insertSnapshot(context.db, snapshot);
    await setReaders(context.db, snapshot, readersOf(snapshot));
    return started(await startTaking(context, snapshot, source));
  },
});

const listSnapshots = operation({
  id: "face.snapshots.list",
  summary: "Lists the snapshots that the account has or may apply",
  description: "Oldest first, without pages. Snapshots that are not complete or have expired are left out.",
  method: "GET",
  path: "/snapshots",
  permission: "face:ListSnapshots",
  query: SnapshotsQuery,
  answers: { 200: Type.Array(SnapshotView, { description: "The snapshots, the oldest first." }) },
  async handle({ query }, { db, account, clock }) {
    const kind = query.type === undefined ? undefined : kindOf(query.type);
    const all = await listReadableSnapshots(db, account, {
      kind,
      nowMs: clock.nowMs(),
      limit: SNAPSHOTS_MAX,
    });
    const wanted = query.applyScope?.toLowerCase().split(",");
    return all
      .filter(({ applyScope }) => wanted?.some((id) => applyScope.includes(id)) ?? true)
      .map(snapshotViewOf);
  },
});

const readSnapshot = operation({
  id: "face.snapshots.get",
  summary: "Returns a snapshot",
  description: "404 until it is complete, and after it has expired.",
  method: "GET",
  path: "/snapshots/{snapshotId}",
  permission: "face:GetSnapshot",
  params: named,
  answers: { 200: SnapshotView },
  errors: [errors.snapshotNotFound],
  handle: async ({ params }, context) => snapshotViewOf(await getSnapshot(context, params.snapshotId)),
});

const changeSnapshot = operation({
  id: "face.snapshots.update",
  summary: "Changes the scope or the user data of a snapshot",
  description:
    "Only the owner may. A new scope applies immediately; applications that have started continue.",
  method: "PATCH",
  path: "/snapshots/{snapshotId}",
  permission: "face:UpdateSnapshot",
  params: named,
  body: SnapshotChange,
  answers: { 200: noBody },
  errors: [errors.snapshotNotFound],
  examples: { body: { userData: "Before the holidays" } },
  async handle({ params, body: { applyScope, userData } }, context) {
    const before = await getOwnSnapshot(context, params.snapshotId);
    const after: Snapshot = {
      ...before,
      ...(userData !== undefined && { userData }),
      ...(applyScope && { applyScope: inSmallLetters(applyScope) }),
      updatedAtMs: context.clock.nowMs(),
    };
    await updateSnapshot(context.db, after);
    await setReaders(context.db, after, readersOf(after));
  },
});

const removeSnapshot = operation({
  id: "face.snapshots.delete",
  summary: "Deletes a snapshot",
  description: "Only the owner may. Lists and groups that were created from it stay.",
  method: "DELETE",
  path: "/snapshots/{snapshotId}",
  permission: "face:DeleteSnapshot",
  params: named,
  answers: { 200: noBody },
  errors: [errors.snapshotNotFound],
  async handle({ params }, context) {
    await forgetSnapshot(context, await getOwnSnapshot(context, params.snapshotId));
  },
});

const applySnapshot = operation({
  id: "face.snapshots.apply",
  summary: "Creates a list or group from a snapshot",
  description:
    "Returns an operation; a job copies the content and the training. Poll `face.operations.get`, whose result names the new resource. The account must be in the scope, also the owner, and the id must be free.",
  method: "POST",
  path: "/snapshots/{snapshotId}/apply",
  permission: "face:ApplySnapshot",
  params: named,
  body: Application,
  answers: { 202: noBody },
  errors: [errors.snapshotNotFound, errors.badArgument, ...KINDS.map((kind) => kinds[kind].exists)],
  examples: { body: { objectId: "family-copy" } },
  async handle({ params, body: { objectId } }, context) {
    const snapshot = await getSnapshot(context, params.snapshotId);
    if (!snapshot.applyScope.includes(subscriptionOf(context.account)))
      throw errors.badArgument("The applyScope of the snapshot does not name this account.");
    const { kind } = snapshot.source;
    if (await findContainer(context.db, context.account, { kind, id: objectId }))
      throw kinds[kind].exists(`There is a ${kinds[kind].words} '${objectId}' already.`);
    return started(await startApplying(context, snapshot, { kind, id: objectId }));
  },
});

const readOperationStatus = operation({
  id: "face.operations.get",
  summary: "Returns the status of taking or applying a snapshot",
  description:
    "`notstarted`, `running`, `succeeded` with the location of the result, or `failed` with a message.",
  method: "GET",
  path: "/operations/{operationId}",
  permission: "face:GetOperation",
  params: Type.Object({ operationId: uuidOf("operation") }),
  answers: { 200: OperationView },
  errors: [errors.operationNotFound],
  async handle({ params: { operationId } }, { longRunning }: Context) {
    const found = await longRunning.find(operationId.toLowerCase());
    if (!found) throw errors.operationNotFound(`Operation '${operationId}' is not found.`);
    const { isStarted, percent } = found.metadata as CopyProgress;
    const hasSucceeded = found.status === "succeeded";
    const under = isStarted ? "running" : "notstarted";
    return {
      status: hasSucceeded ? "succeeded" : found.status === "running" ? under : "failed",
      createdTime: isoOf(found.createdAtMs),
      lastActionTime: isoOf(found.updatedAtMs),
      percentComplete: hasSucceeded ? 100 : percent,
      ...(hasSucceeded && (found.result as { resourceLocation: string })),
      ...(found.error && { message: found.error.message }),
    };
  },
});

export const snapshotOperations = [
  takeSnapshot,
  listSnapshots,
  readSnapshot,
  changeSnapshot,
  removeSnapshot,
  applySnapshot,
  readOperationStatus,
];
