/** Backs up applications: all versions with their content, trained models, and the published slots. */

import { parseArn } from "#kernel/arn";
import { BackupSourceError, IN_PLACE, lineOf, RecordReader, readHead, restoredTags } from "#kernel/backups";
import type { OwnContext } from "#kernel/operation";
import type { BackupSource, RestoreRequest } from "#ports/backup-sources";
import { checkApplicationName } from "./actions/application-names.ts";
import type { Application } from "./domain/application.ts";
import { APPLICATION_TYPE, applicationArnOf, findApplicationIn } from "./domain/arns.ts";
import { APPLICATIONS_MAX, checkRoom } from "./domain/limits.ts";
import { clearVersions, removeApplication, showInCatalog } from "./jobs/applications.ts";
import { forgetContent } from "./jobs/large-content.ts";
import { dropModel, dropModelUnlessUsed } from "./jobs/training.ts";
import type { LanguageContext } from "./state.ts";
import {
  countApplications,
  findApplication,
  findApplicationByName,
  insertApplication,
  updateApplication,
} from "./store/applications.ts";
import {
  APPLICATION_PARTS,
  type CopiedPart,
  type CopiedRow,
  deleteCopiedRows,
  insertCopiedRows,
  listCopiedRows,
} from "./store/copied-rows.ts";
import { listPublished } from "./store/published.ts";
import { VERSION_PARTS } from "./store/version-part.ts";

const APPLICATION_NAME = "applicationName";
const HEAD = "language application";
const MODEL = "model";
const MODEL_TYPE = "application/octet-stream";

type Tags = Readonly<Record<string, string>>;
type Saved = { readonly application: Application; readonly tags: Tags };
type SavedRow = { readonly part: CopiedPart; readonly row: CopiedRow };

/** Models by the columns that name them. */
const modelsIn = ({ trained_blob = null, blob = null }: CopiedRow): string[] =>
  [trained_blob, blob].filter((id): id is string => typeof id === "string");

async function* rowsOf({ db, account }: LanguageContext, id: string, tags: Tags): AsyncGenerator<Uint8Array> {
  const application = await findApplication(db, account, id);
  if (!application) throw new BackupSourceError(`There is no application ${id} any more.`);
  yield lineOf({ kind: HEAD, value: { application, tags } satisfies Saved });
  const versions: string[] = [];
  for (const part of APPLICATION_PARTS)
    for (const row of await listCopiedRows(db, account, part, id)) {
      if (part === "language_version") versions.push(String(row.uid));
      yield lineOf({ kind: part, value: row });
    }
  for (const version of versions)
    for (const part of VERSION_PARTS)
      for (const row of await listCopiedRows(db, account, part, version))
        yield lineOf({ kind: part, value: row });
}

/** Models never change; one that was dropped since the moment is in none of the rows of the next attempt. */
async function* content(
  { blobs }: LanguageContext,
  gathered: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const models = new Set<string>();
  for await (const record of new RecordReader(gathered)) {
    if (record.kind !== HEAD) for (const id of modelsIn(record.value as CopiedRow)) models.add(id);
    yield lineOf(record);
  }
  for (const id of models) {
    const found = await blobs.find(id);
    if (!found) throw new Error(`the model ${id} was dropped while the application was read`);
    yield lineOf({ kind: MODEL, value: id, size: found.size });
    yield* blobs.chunks(id);
  }
}

/** Stores each model in its own transaction, under a new name. */
async function keepModel(context: LanguageContext, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return context.transact(async (inside) => {
    const { id } = await inside.blobs.put(Buffer.concat(parts), MODEL_TYPE);
    await dropModelUnlessUsed(inside, id);
    return id;
  });
}

/** Maps names in the copied rows: to the same application for a restore in place, otherwise to a new one. */
class Renaming {
  readonly #account: string;
  readonly #application: string;
  readonly #models: ReadonlyMap<string, string>;
  readonly #versionOf: (uid: string) => string;
  constructor(
    { account, ids }: LanguageContext,
    application: string,
    isSame: boolean,
    models: ReadonlyMap<string, string>,
  ) {
    this.#account = account;
    this.#application = application;
    this.#models = models;
    const uids = new Map<string, string>();
    this.#versionOf = (uid) => {
      if (isSame) return uid;
      const known = uids.get(uid) ?? ids.uuid();
      uids.set(uid, known);
      return known;
    };
  }
  of(row: CopiedRow): CopiedRow {
    const model = (id: string | number | null | undefined) => this.#models.get(String(id)) ?? null;
    const version = (uid: string | number | null | undefined) => this.#versionOf(String(uid));
    return {
      ...row,
      account: this.#account,
      ...("application" in row && { application: this.#application }),
      ...("uid" in row && { uid: version(row.uid) }),
      ...("version" in row && { version: version(row.version) }),
      ...("version_uid" in row && { version_uid: version(row.version_uid) }),
      ...("trained_blob" in row && { trained_blob: model(row.trained_blob) }),
      ...("blob" in row && { blob: model(row.blob) }),
    };
  }
}
/** A training that was under way is not part of the copy. */
const settled = (row: CopiedRow): CopiedRow =>
  row.training_status === "queued" || row.training_status === "running"
    ? {
        ...row,
        training_status: row.trained_blob === null ? "none" : "done",
        training_revision: row.trained_revision ?? null,
      }
    : row;

/** Finds an existing application of that name. Refuses if it must not be overwritten. */
async function findTarget(
  { db, account }: LanguageContext,
  name: string,
  metadata: RestoreRequest["metadata"],
): Promise<Application | undefined> {
  const before = await findApplicationByName(db, account, name);
  if (before && metadata[IN_PLACE] !== "true")
    throw new BackupSourceError(`There is an application ${name} already; say ${IN_PLACE} to write over it.`);
  return before;
}

/** The query log and tests stay with an application that is written over. */
async function clear(context: LanguageContext, application: Application): Promise<void> {
  const { db, account } = context;
  const published = await listPublished(db, account, application.id);
  const trained = await clearVersions(context, application);
  for (const part of APPLICATION_PARTS) await deleteCopiedRows(db, account, part, application.id);
  for (const blob of [...published.map(({ blob }) => blob), ...trained]) await dropModel(context, blob);
}

async function place(
  context: LanguageContext,
  { application: saved, tags }: Saved,
  name: string,
  { metadata, resourceArn }: RestoreRequest,
): Promise<Application> {
  const { db, account, ids } = context;
  const before = await findTarget(context, name, metadata);
  if (before) {
    await clear(context, before);
    const restored = { ...saved, id: before.id, name: before.name };
    await updateApplication(db, account, restored);
    await showInCatalog(context, restored, tags);
    return restored;
  }
  const isFree =
    parseArn(resourceArn)?.account === account && !(await findApplication(db, account, saved.id));
  const id = isFree && name === saved.name ? saved.id : ids.uuid();
  const made = { ...saved, id, name: await checkApplicationName(context, name) };
  checkRoom("applications in an account", (await countApplications(db, account)) + 1, APPLICATIONS_MAX);
  await insertApplication(db, account, made);
  await showInCatalog(context, made, tags);
  return made;
}

async function restore(
  context: LanguageContext,
  bytes: AsyncIterable<Uint8Array>,
  request: RestoreRequest,
): Promise<void> {
  const records = new RecordReader(bytes);
  const saved = await readHead<Saved>(records, HEAD);
  const name = request.metadata[APPLICATION_NAME] ?? saved.application.name;
  await context.transact((inside) => findTarget(inside, name, request.metadata));
  const rows: SavedRow[] = [];
  const models = new Map<string, string>();
  for await (const { kind, value } of records) {
    if (kind === MODEL) models.set(String(value), await keepModel(context, records.bytes()));
    else rows.push({ part: kind as CopiedPart, row: value as CopiedRow });
  }
  await context.transact(async (inside) => {
    const whole = { ...saved, tags: restoredTags(saved.tags, request) };
    const made = await place(inside, whole, name, request);
    const renaming = new Renaming(inside, made.id, made.id === saved.application.id, models);
    for (const part of [...APPLICATION_PARTS, ...VERSION_PARTS]) {
      const own = rows.filter((one) => one.part === part).map(({ row }) => settled(renaming.of(row)));
      if (part === "language_version") for (const { uid } of own) await forgetContent(inside, String(uid));
      await insertCopiedRows(inside.db, part, own);
    }
    await request.done(inside, applicationArnOf(inside.account, made.id));
  });
}

export const backupSource = (own: OwnContext): BackupSource => ({
  resourceType: "LanguageApplication",
  types: [APPLICATION_TYPE],
  restoreMetadata: async (_context, { name }) => ({ [APPLICATION_NAME]: name, [IN_PLACE]: "true" }),
  renamed: (_metadata, name) => ({ [APPLICATION_NAME]: name, [IN_PLACE]: "false" }),
  async *read(context, { arn, tags }) {
    const id = findApplicationIn(arn) ?? "";
    yield* content(
      own(context),
      own(context).gather((moment) => rowsOf(moment, id, tags)),
    );
  },
  restore: (context, bytes, request) => restore(own(context), bytes, request),
  async remove(context, arn) {
    const { db, account } = own(context);
    const application = await findApplication(db, account, findApplicationIn(arn) ?? "");
    if (application) await removeApplication(own(context), application);
  },
});
