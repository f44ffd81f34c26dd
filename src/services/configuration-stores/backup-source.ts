/**
 * Backups of stores: key-values with locks, all revisions, and snapshots. One backup therefore includes
 * earlier states.
 */
import { BackupSourceError, IN_PLACE, jsonContent, readJson, restoredTags } from "#kernel/backups";
import type { CatalogEntry } from "#kernel/catalog";
import type { Context, OwnContext } from "#kernel/operation";
import {
  findById,
  makeResource,
  parseResourceId,
  removeResource,
  resourceArnOf,
} from "#kernel/resource-provider";
import type { BackupSource, RestoreRequest } from "#ports/backup-sources";
import { stores } from "./provider/stores.ts";
import { contentAt, findStore, readContent, replaceContent, type StoreContent } from "./store/index.ts";

const STORE_NAME = "storeName";

type SavedStore = {
  /** ID of the managed resource, in its original spelling. */
  readonly resourceId: string;
  readonly location: string;
  readonly tier: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly content: StoreContent;
};

async function save(context: Context, { name, details = {}, tags }: CatalogEntry): Promise<SavedStore> {
  const row = await findStore(context.db, name.toLowerCase());
  if (row?.account !== context.account) throw new BackupSourceError(`There is no store ${name} any more.`);
  return {
    resourceId: row.resource_id,
    location: String(details.location ?? ""),
    tier: row.tier,
    tags,
    content: await readContent(context.db, row.name),
  };
}

/** Creates the store if the name is unused. */
async function make(
  context: Context,
  saved: SavedStore,
  name: string,
  tags: SavedStore["tags"],
): Promise<void> {
  const at = parseResourceId(saved.resourceId);
  if (!at) throw new BackupSourceError(`${saved.resourceId} is no place for a store.`);
  const tier = saved.tier === "free" ? "Free" : "Standard";
  await makeResource(
    context,
    stores,
    { subscriptionId: at.subscriptionId, resourceGroup: at.resourceGroup, names: [name] },
    { location: saved.location, sku: { name: tier }, tags },
  );
}
async function restore(
  context: Context,
  saved: SavedStore,
  { metadata, atMs, done, ...asked }: RestoreRequest,
): Promise<void> {
  const { db, account } = context;
  const own = parseResourceId(saved.resourceId)?.names[0] ?? "";
  const name = metadata[STORE_NAME] ?? own;
  const before = await findStore(db, name.toLowerCase());
  if (before && (before.account !== account || metadata[IN_PLACE] !== "true"))
    throw new BackupSourceError(
      `There is a store ${name} already; say ${IN_PLACE} to write over one of this account.`,
    );
  if (!before) await make(context, saved, name, restoredTags(saved.tags, asked));
  const row = await findStore(db, name.toLowerCase());
  if (!row) throw new BackupSourceError(`The store ${name} could not be made.`);
  await replaceContent(
    db,
    account,
    row.name,
    atMs === undefined ? saved.content : contentAt(saved.content, atMs),
  );
  const resource = await findById(context, row.resource_id);
  if (resource) await done(context, resourceArnOf(context, resource));
}

export const backupSource = (own: OwnContext): BackupSource => ({
  resourceType: "ConfigurationStore",
  types: ["Vendor::AppConfiguration::ConfigurationStore"],
  keepsHistory: true,
  restoreMetadata: async (_context, { name }) => ({ [STORE_NAME]: name, [IN_PLACE]: "true" }),
  renamed: (_metadata, name) => ({ [STORE_NAME]: name, [IN_PLACE]: "false" }),
  async *read(context, resource) {
    yield* jsonContent(await context.transact((inner) => save(own(inner), resource)));
  },
  async restore(context, content, request) {
    const saved = await readJson<SavedStore>(content);
    await context.transact((inner) => restore(own(inner), saved, request));
  },
  async remove(context, arn) {
    const entry = await own(context).catalog.find(arn);
    const resource = entry?.nativeId && (await findById(own(context), entry.nativeId));
    if (resource) await removeResource(own(context), resource);
  },
});
