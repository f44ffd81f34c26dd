/** Pictures and films of contributions and covers, as clients see them. */
import type { Static } from "@sinclair/typebox";
import { ARTIFACT_FORMATS } from "../domain/artifact-formats.ts";
import type { ContributionsContext } from "../state.ts";
import { findMedia, listArtifacts } from "../store/media.ts";
import type { ArtifactRow, MediaRow, MediaUsageRow } from "../tables/index.ts";
import type { Artifact, Media, MediaUsage } from "../wire/media.ts";

export type UsageView = Static<typeof MediaUsage>;
const PRIVATE_LABELS = new Set(
  ARTIFACT_FORMATS.contribution.filter((format) => !format.public).map(({ label }) => label),
);

export function mediaViewOf(row: MediaRow, maySeeAll: boolean): Static<typeof Media> {
  const latLong =
    row.latitude === null || row.longitude === null
      ? undefined
      : { latitude: Number(row.latitude), longitude: Number(row.longitude) };
  return {
    id: row.id,
    type: row.type === "video" ? "video" : "image",
    ...(row.duration_seconds !== null && { duration: Number(row.duration_seconds) }),
    ...(maySeeAll && latLong && { place: { latLong } }),
  };
}
const artifactViewOf = (mountUrl: string, row: ArtifactRow): Static<typeof Artifact> => ({
  label: row.label,
  url: `${mountUrl}/media/${row.media_id}/${row.label}`,
  contentType: row.content_type,
  contentLength: Number(row.size),
  width: Number(row.width),
  height: Number(row.height),
});

/** By the ids of the contributions; `maySeeAll`: for those who may have what was sent as it was sent. */
export async function mediaUsageViewsOf(
  { db, account, request }: ContributionsContext,
  usages: readonly MediaUsageRow[],
  maySeeAll: (contributionId: string) => boolean,
): Promise<Map<string, UsageView[]>> {
  const ids = usages.map((usage) => usage.media_id);
  const media = await findMedia(db, account, ids);
  const artifacts = await listArtifacts(db, account, ids);
  const views = new Map<string, UsageView[]>();
  for (const { id, contribution_id: contributionId, media_id: mediaId } of usages) {
    const row = media.get(mediaId);
    if (!row) continue;
    const all = maySeeAll(contributionId);
    const view: UsageView = {
      id,
      media: mediaViewOf(row, all),
      artifacts: artifacts
        .filter((one) => one.media_id === mediaId && (all || !PRIVATE_LABELS.has(one.label)))
        .map((one) => artifactViewOf(request.mountUrl, one)),
    };
    views.set(contributionId, [...(views.get(contributionId) ?? []), view]);
  }
  return views;
}
export async function coverViewOf(
  context: ContributionsContext,
  mediaId: string,
): Promise<UsageView | undefined> {
  const usage = {
    account: context.account,
    contribution_id: "",
    position: 0,
    id: mediaId,
    media_id: mediaId,
  };
  return (await mediaUsageViewsOf(context, [usage], () => false)).get("")?.[0];
}
