/** The pictures and films of a contribution as files that the requester may get. */
import { setTimeout as sleep } from "node:timers/promises";
import { OPTIMISED, ORIGINAL } from "../domain/artifact-formats.ts";
import { formatNamed } from "../media/format.ts";
import type { ContributionsContext } from "../state.ts";
import { findArtifact, findMedia } from "../store/media.ts";
import type { ContributionView } from "../views/contribution-views.ts";
import type { MediaFormat } from "./choice.ts";
import { mediaName } from "./names.ts";
import { tagSegment, withTags } from "./picture-tags.ts";

export type MediaFile = {
  readonly name: string;
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
};
type Source = {
  readonly blobId: string;
  readonly size: number;
  readonly fileExtension: string;
  readonly isJpeg: boolean;
};

const PLACEHOLDER = "large";
const WAIT_MS = 250;
const WAITS_MAX = 240;

/** Waits for artifacts of new media, which are ready within seconds. */
async function findSettled(context: ContributionsContext, id: string) {
  for (let wait = 0; ; wait += 1) {
    const row = (await findMedia(context.db, context.account, [id])).get(id);
    if (row?.state !== "stored" || wait >= WAITS_MAX) return row;
    await sleep(WAIT_MS);
  }
}

async function findSource(
  context: ContributionsContext,
  id: string,
  wantsOriginal: boolean,
): Promise<Source | undefined> {
  const { db, account } = context;
  const media = await findSettled(context, id);
  if (!media) return undefined;
  const { fileExtension } = formatNamed(media.format);
  if (wantsOriginal) return { blobId: media.blob_id, size: media.size, fileExtension, isJpeg: false };
  const artifact =
    (await findArtifact(db, account, id, OPTIMISED)) ?? (await findArtifact(db, account, id, PLACEHOLDER));
  return (
    artifact && {
      blobId: artifact.blob_id,
      size: Number(artifact.size),
      fileExtension: artifact.file_extension,
      isJpeg: artifact.content_type === "image/jpeg",
    }
  );
}

/** Only requesters whose view shows originals get them. */
export async function mediaFilesOf(
  context: ContributionsContext,
  view: ContributionView,
  fileName: string,
  format: MediaFormat,
): Promise<MediaFile[]> {
  if (format === "none") return [];
  const files: MediaFile[] = [];
  for (const [position, { media, artifacts }] of view.mediaUsages.entries()) {
    const mayHaveOriginal = artifacts.some(({ label }) => label === ORIGINAL);
    const source = await findSource(context, media.id, format === "original" && mayHaveOriginal);
    if (!source) continue;
    const { blobId, size, fileExtension, isJpeg } = source;
    const segment =
      format === "tagged" && isJpeg ? tagSegment(view.headline, view.attribution) : Buffer.alloc(0);
    const chunks = () => context.blobs.chunks(blobId);
    files.push({
      name: mediaName(fileName, position, fileExtension),
      size: size + segment.length,
      read: segment.length === 0 ? chunks : () => withTags(chunks(), segment),
    });
  }
  return files;
}
