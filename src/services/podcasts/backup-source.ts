/** Backup and restore of playlists and curated lists with their entries. */
import { BackupSourceError, IN_PLACE, jsonContent, readJson, restoredTags } from "#kernel/backups";
import type { CatalogEntry } from "#kernel/catalog";
import type { OwnContext } from "#kernel/operation";
import type { BackupSource, RestoreRequest } from "#ports/backup-sources";
import { dropList, keepCurated, showInCatalog } from "./actions/lists.ts";
import { findListIn, LIST_TYPES, type ListKind, listArnOf } from "./domain/arns.ts";
import type { PodcastsContext } from "./state.ts";
import { findCurated, listCuratedIds } from "./store/curated.ts";
import { findPlaylist, insertItem, insertPlaylist, listAllItems, removePlaylist } from "./store/playlists.ts";
import { listPodcasts } from "./store/podcasts.ts";
import type { CuratedRow, PlaylistEntryRow, PlaylistRow } from "./tables.ts";

const LIST_ID = "listId";
const LIST_NAME = "listName";
const ID_LENGTH = 11;

type Saved = { readonly tags: Readonly<Record<string, string>> } & (
  | { readonly kind: "playlist"; readonly list: PlaylistRow; readonly items: readonly PlaylistEntryRow[] }
  | { readonly kind: "curated"; readonly list: CuratedRow; readonly podcastIds: readonly string[] }
);

async function save(context: PodcastsContext, { arn, name, tags }: CatalogEntry): Promise<Saved> {
  const { db, account } = context;
  const { kind, id = "" } = findListIn(arn) ?? {};
  if (kind === "curated") {
    const list = await findCurated(db, account, id);
    if (list) return { kind, list, podcastIds: await listCuratedIds(db, account, id), tags };
  } else {
    const list = await findPlaylist(db, account, id);
    if (list) return { kind: "playlist", list, items: await listAllItems(db, account, id), tags };
  }
  throw new BackupSourceError(`There is no list ${name} any more.`);
}

/** Restores to the requested id, or to the saved id. If only a name is given, the list gets a new id. */
async function write(
  context: PodcastsContext,
  saved: Saved,
  { metadata, ...asked }: RestoreRequest,
): Promise<string> {
  const { db, account, ids } = context;
  const id = metadata[LIST_ID] ?? (metadata[LIST_NAME] === undefined ? saved.list.id : ids.secret(ID_LENGTH));
  const find = saved.kind === "curated" ? findCurated : findPlaylist;
  if ((await find(db, account, id)) && metadata[IN_PLACE] !== "true")
    throw new BackupSourceError(`There is a list ${id} already; say ${IN_PLACE} to write over it.`);
  const tags = restoredTags(saved.tags, asked);
  if (saved.kind === "curated") {
    const list = { ...saved.list, account, id, title: metadata[LIST_NAME] ?? saved.list.title };
    const known = new Map((await listPodcasts(db, account, saved.podcastIds)).map((one) => [one.id, one]));
    // The restore skips podcasts that are no longer in the directory.
    const podcasts = saved.podcastIds.flatMap((one) => known.get(one) ?? []);
    await keepCurated(context, list, podcasts, tags);
    return listArnOf(account, "curated", id);
  }
  const name = metadata[LIST_NAME] ?? saved.list.name;
  await removePlaylist(db, account, id);
  await insertPlaylist(db, account, { ...saved.list, account, id, name });
  for (const item of saved.items) await insertItem(db, account, { ...item, account, playlist_id: id });
  await showInCatalog(context, "playlist", { id, name }, tags);
  return listArnOf(account, "playlist", id);
}

const RESOURCE_TYPES = { playlist: "PodcastPlaylist", curated: "PodcastCuratedList" } as const;
export const backupSourceOf =
  (kind: ListKind) =>
  (own: OwnContext): BackupSource => ({
    resourceType: RESOURCE_TYPES[kind],
    types: [LIST_TYPES[kind]],
    restoreMetadata: async (_context, { nativeId = "" }) => ({ [LIST_ID]: nativeId, [IN_PLACE]: "true" }),
    renamed: (_metadata, name) => ({ [LIST_NAME]: name, [IN_PLACE]: "false" }),
    async *read(context, resource) {
      yield* jsonContent(await context.transact((inner) => save(own(inner), resource)));
    },
    async restore(context, content, request) {
      const saved = await readJson<Saved>(content);
      await context.transact(async (inner) => {
        await request.done(inner, await write(own(inner), saved, request));
      });
    },
    async remove(context, arn) {
      const found = findListIn(arn);
      if (found) await dropList(own(context), found.kind, found.id);
    },
  });
