/** Backs up functions: their configuration, their policy and their source archive. */
import { Readable } from "node:stream";
import { BackupSourceError, IN_PLACE } from "#kernel/backups";
import type { Prepared } from "#kernel/blobs";
import type { OwnContext } from "#kernel/operation";
import type { BackupSource, RestoreRequest } from "#ports/backup-sources";
import {
  arnOfFunction,
  type Definition,
  FUNCTION_TYPE,
  type FunctionName,
  mainRevisionOf,
  nameOfFunction,
  type Policy,
  placeOf,
} from "./domain/index.ts";
import { beginCreate, beginRemove, beginUpdate } from "./jobs/index.ts";
import type { FunctionsContext } from "./state.ts";
import { findFunction, findRevision, insertObject, savePolicy } from "./store/index.ts";

const FUNCTION_ID = "functionId";
const NEWLINE = 0x0a;
const MICROSECONDS = 1000;

/** The first line of the content; the archive follows. */
type SavedFunction = FunctionName & { readonly definition: Definition; readonly policy: Policy };

const nameIn = (nativeId: string): FunctionName => ({
  ...placeOf(nativeId),
  functionId: nativeId.slice(nativeId.lastIndexOf("/") + 1),
});

async function saved(
  { db, account }: FunctionsContext,
  name: FunctionName,
): Promise<{ readonly head: SavedFunction; readonly blobId: string }> {
  const one = await findFunction(db, account, name);
  if (!one) throw new BackupSourceError(`There is no function ${nameOfFunction(name)} any more.`);
  const revision = await findRevision(db, account, one.slug, mainRevisionOf(one) ?? "");
  if (!revision) throw new BackupSourceError(`The function ${nameOfFunction(name)} was never deployed.`);
  const { buildConfig, serviceConfig } = revision.definition;
  const definition = { ...one.definition, buildConfig, serviceConfig };
  return { head: { ...name, definition, policy: one.policy }, blobId: revision.blobId };
}

async function split(content: AsyncIterable<Uint8Array>): Promise<{ head: SavedFunction; archive: Buffer }> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  const whole = Buffer.concat(parts);
  const end = whole.indexOf(NEWLINE);
  return {
    head: JSON.parse(whole.toString("utf8", 0, end)) as SavedFunction,
    archive: whole.subarray(end + 1),
  };
}

/** The archive is uploaded anew, and the function deployed of it. */
async function restore(
  context: FunctionsContext,
  { head, archive }: { head: SavedFunction; archive: Prepared },
  { metadata, done }: RestoreRequest,
): Promise<void> {
  const { db, account, blobs, clock } = context;
  const name = {
    project: head.project,
    location: head.location,
    functionId: metadata[FUNCTION_ID] ?? head.functionId,
  };
  const before = await findFunction(db, account, name);
  if (before && metadata[IN_PLACE] !== "true")
    throw new BackupSourceError(
      `There is a function ${name.functionId} already; say ${IN_PLACE} to write over it.`,
    );
  if (before?.busyWith !== undefined)
    throw new BackupSourceError(`The function ${name.functionId} is being changed.`);
  const nowMs = clock.nowMs();
  const blob = await blobs.keep(archive, "application/zip");
  const source = {
    bucket: `gcf-v2-uploads-${name.project}-${name.location}`,
    object: `restored-${blob.id}.zip`,
    generation: String(nowMs * MICROSECONDS),
  };
  await insertObject(db, account, { ...source, blobId: blob.id, size: blob.size }, nowMs);
  const { definition: said } = head;
  const definition = {
    ...said,
    buildConfig: { ...said.buildConfig, source: { storageSource: source } },
    serviceConfig: { ...said.serviceConfig, allTrafficOnLatestRevision: true },
  };
  const slug = before?.slug ?? (await beginCreate(context, name, definition, null)).slug;
  if (before) await beginUpdate(context, before, definition, null);
  await savePolicy(db, account, slug, head.policy);
  await done(context, arnOfFunction(account, name));
}

export const backupSource = (own: OwnContext): BackupSource => ({
  resourceType: "Function",
  types: [FUNCTION_TYPE],
  restoreMetadata: async (_context, { name }) => ({ [FUNCTION_ID]: name, [IN_PLACE]: "true" }),
  renamed: (_metadata, name) => ({ [FUNCTION_ID]: name, [IN_PLACE]: "false" }),
  async *read(context, { nativeId = "" }) {
    const { head, blobId } = await context.transact((inner) => saved(own(inner), nameIn(nativeId)));
    yield Buffer.from(`${JSON.stringify(head)}\n`);
    // Archives never change.
    yield* own(context).blobs.chunks(blobId);
  },
  async restore(context, content, request) {
    const { head, archive } = await split(content);
    const prepared = await own(context).blobs.prepare(() => Readable.from([archive]));
    await context.transact((inner) => restore(own(inner), { head, archive: prepared }, request));
  },
  async remove(context, arn) {
    const entry = await own(context).catalog.find(arn);
    if (!entry?.nativeId) return;
    const { db, account } = own(context);
    const one = await findFunction(db, account, nameIn(entry.nativeId));
    if (one) await beginRemove(own(context), one);
  },
});
