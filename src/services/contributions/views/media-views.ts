/** Pictures and films as callers see them: metadata and the original only with permission. */
import { isoOf } from "#kernel/clock";
import { ORIGINAL } from "../domain/artifact-formats.ts";
import { geohashOf } from "../domain/globe.ts";
import { artifactAddress } from "../links.ts";
import type { Viewing } from "../state.ts";
import { findMedia, listArtifacts } from "../store/media.ts";
import { listPublicMedia } from "../store/media-sight.ts";
import type { ArtifactRow, MediaRow, MediaUsageRow } from "../tables/index.ts";

const GEOHASH_LENGTH = 12;

export function mediaViewOf(row: MediaRow, maySeeExact: boolean) {
  const { latitude, longitude, taken_at: takenAtMs, camera } = row;
  const common = {
    id: row.id,
    type: row.type,
    ...(row.duration_seconds !== null && { duration: row.duration_seconds }),
    contentType: row.content_type,
    ...(row.width > 0 && { width: row.width, height: row.height }),
    state: row.state,
  };
  if (!maySeeExact) return common;
  return {
    ...common,
    contentLength: row.size,
    orientation: row.orientation,
    ...(takenAtMs !== null && { taken: isoOf(takenAtMs) }),
    ...(camera !== null && { camera }),
    ...(latitude !== null &&
      longitude !== null && {
        place: {
          latLong: { latitude, longitude },
          geohash: geohashOf({ latitude, longitude }, GEOHASH_LENGTH),
        },
      }),
  };
}

const addressOf = (context: Viewing, media: string, label: string, isPublic: boolean): string =>
  artifactAddress(context, { base: context.request.mountUrl, media, label, isPublic });

type Shown = {
  readonly media: MediaRow;
  readonly artifacts: readonly ArtifactRow[];
  readonly isPublic: boolean;
};

function artifactViewsOf(context: Viewing, shown: Shown, maySeeExact: boolean) {
  const { media, artifacts, isPublic } = shown;
  const views = [...artifacts]
    .sort((a, b) => a.width - b.width || (a.label < b.label ? -1 : 1))
    .map((row) => ({
      label: row.label,
      url: addressOf(context, media.id, row.label, isPublic),
      contentType: row.content_type,
      contentLength: row.size,
      width: row.width,
      height: row.height,
    }));
  if (!maySeeExact) return views;
  const { width, height, content_type: contentType, size: contentLength } = media;
  const url = addressOf(context, media.id, ORIGINAL, isPublic);
  return [...views, { label: ORIGINAL, url, contentType, contentLength, width, height }];
}

async function findShown(context: Viewing, ids: readonly string[]): Promise<Map<string, Shown>> {
  const { db, account, clock } = context;
  const media = await findMedia(db, account, ids);
  const publicOnes = await listPublicMedia(db, account, ids, clock.nowMs());
  const artifacts = await listArtifacts(db, account, ids);
  return new Map(
    [...media].map(([id, row]) => [
      id,
      {
        media: row,
        artifacts: artifacts.filter(({ media_id }) => media_id === id),
        isPublic: publicOnes.has(id),
      },
    ]),
  );
}

const usageViewOf = (context: Viewing, id: string, shown: Shown, maySeeExact: boolean) => ({
  id,
  media: mediaViewOf(shown.media, maySeeExact),
  artifacts: artifactViewsOf(context, shown, maySeeExact),
});
export type MediaUsageView = ReturnType<typeof usageViewOf>;

/** By contribution id, in order. `maySeeExact`: whether the caller contributed it or decides on it. */
export async function mediaUsageViewsOf(
  context: Viewing,
  usages: readonly MediaUsageRow[],
  maySeeExact: (contributionId: string) => boolean,
): Promise<Map<string, MediaUsageView[]>> {
  const views = new Map<string, MediaUsageView[]>();
  if (usages.length === 0) return views;
  const shown = await findShown(context, [...new Set(usages.map(({ media_id }) => media_id))]);
  for (const { contribution_id, media_id, id } of usages) {
    const one = shown.get(media_id);
    if (!one) continue;
    const own = views.get(contribution_id) ?? [];
    views.set(contribution_id, own);
    own.push(usageViewOf(context, id, one, maySeeExact(contribution_id)));
  }
  return views;
}

export async function coverViewOf(context: Viewing, mediaId: string): Promise<MediaUsageView | undefined> {
  const shown = (await findShown(context, [mediaId])).get(mediaId);
  return shown && usageViewOf(context, mediaId, shown, false);
}
