/**
 * Writes playlists and curated lists together with their catalogue entries. Operations, seed and restore
 * use it.
 */
import { EVERY_REGION } from "#kernel/catalog";
import { LIST_TYPES, type ListKind, listArnOf } from "../domain/arns.ts";
import { joinSoon } from "../jobs/index-work.ts";
import type { PodcastsContext } from "../state.ts";
import { putCurated, removeCurated } from "../store/curated.ts";
import { removePlaylist } from "../store/playlists.ts";
import { indexCurated, unindexCurated } from "../store/search-index.ts";
import type { CuratedRow } from "../tables.ts";

/** Call it when a list is created or renamed. Without `tags`, the catalogue keeps its tags. */
export async function showInCatalog(
  { account, catalog }: PodcastsContext,
  kind: ListKind,
  { id, name }: { readonly id: string; readonly name: string },
  given?: Readonly<Record<string, string>>,
): Promise<void> {
  const arn = listArnOf(account, kind, id);
  const tags = given ?? (await catalog.find(arn))?.tags ?? {};
  await catalog.put({ arn, type: LIST_TYPES[kind], name, region: EVERY_REGION, nativeId: id, tags });
}

/** `podcasts` is in list order. */
export async function keepCurated(
  context: PodcastsContext,
  list: CuratedRow,
  podcasts: readonly { readonly id: string; readonly title: string }[],
  tags?: Readonly<Record<string, string>>,
): Promise<void> {
  const { db, account } = context;
  await putCurated(
    db,
    account,
    list,
    podcasts.map(({ id }) => id),
  );
  await indexCurated(
    db,
    account,
    list,
    podcasts.map(({ title }) => title),
  );
  await joinSoon(context);
  await showInCatalog(context, "curated", { id: list.id, name: list.title }, tags);
}
export async function dropList(context: PodcastsContext, kind: ListKind, id: string): Promise<void> {
  const { db, account, catalog } = context;
  if (kind === "curated") {
    await unindexCurated(db, account, id);
    await joinSoon(context);
    await removeCurated(db, account, id);
  } else await removePlaylist(db, account, id);
  await catalog.remove(listArnOf(account, kind, id));
}
