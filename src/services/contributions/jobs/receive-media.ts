/** Receives a picture or film: stores its bytes, reads its header, and enqueues the job that makes its artifacts. */
import { blobReader } from "../media/blob-reader.ts";
import { MediaProblem } from "../media/byte-reader.ts";
import type { Format } from "../media/format.ts";
import { getFormat, type Probed, probe } from "../media/probe.ts";
import { mediaBytesMaxOf } from "../settings.ts";
import type { ContributionsContext } from "../state.ts";
import * as store from "../store/media.ts";
import type { MediaRow } from "../tables/index.ts";
import { growBlob } from "./grow-blob.ts";
import { makeArtifacts, planRemovingUnused, removeMedia } from "./media.ts";

type Sender = { readonly userId: string | null };

const beginningOf = (
  { account, clock }: ContributionsContext,
  ids: { readonly id: string; readonly blobId: string },
  { userId }: Sender,
  format: Format,
): MediaRow => ({
  account,
  id: ids.id,
  user_id: userId,
  type: format.kind,
  format: format.name,
  content_type: format.contentType,
  size: 0,
  width: 0,
  height: 0,
  orientation: 1,
  duration_seconds: null,
  latitude: null,
  longitude: null,
  taken_at: null,
  camera: null,
  state: "receiving",
  problem: null,
  blob_id: ids.blobId,
  created_at: clock.nowMs(),
});
const factsOf = ({ width, height, orientation, durationSeconds, position, takenAtMs, camera }: Probed) => ({
  width,
  height,
  orientation: orientation ?? 1,
  duration_seconds: durationSeconds ?? null,
  latitude: position?.latitude ?? null,
  longitude: position?.longitude ?? null,
  taken_at: takenAtMs ?? null,
  camera: camera ?? null,
});

async function* upTo(bytesMax: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax)
      throw new MediaProblem(`It is larger than the ${bytesMax} bytes that are taken here.`);
    yield chunk;
  }
}

/** Call it outside of a transaction. Throws a MediaProblem for refused media, and removes their bytes. */
export async function receiveMedia(
  context: ContributionsContext,
  sender: Sender,
  chunks: AsyncIterable<Uint8Array>,
): Promise<MediaRow> {
  const { account, ids, config } = context;
  const id = ids.uuid();
  const blobId = ids.next("blob");
  let begun: MediaRow | undefined;
  try {
    const grown = await growBlob(
      context,
      blobId,
      upTo(mediaBytesMaxOf(config), chunks),
      async (bytes, within) => {
        begun = beginningOf(within, { id, blobId }, sender, getFormat(bytes));
        await store.insertMedia(within.db, begun);
        await planRemovingUnused(within);
      },
    );
    if (!begun) throw new MediaProblem("There are no bytes.");
    const probed = await probe(blobReader(context.blobs, blobId, grown.size));
    const row: MediaRow = { ...begun, ...factsOf(probed), size: grown.size, state: "stored" };
    await context.transact(async (within) => {
      await within.blobs.complete(blobId, { ...grown, type: row.content_type });
      await store.changeMedia(within.db, account, id, row);
      await within.enqueue(makeArtifacts, { media: id });
    });
    return row;
  } catch (error) {
    if (begun) await context.transact((within) => removeMedia(within, [id]));
    throw error;
  }
}

/** Stores a picture of our own, which needs no check. Needs a transaction. */
export async function keepPicture(
  context: ContributionsContext,
  sender: Sender,
  { bytes, width, height }: { readonly bytes: Uint8Array; readonly width: number; readonly height: number },
): Promise<string> {
  const { db, blobs, ids } = context;
  const id = ids.uuid();
  const format = getFormat(bytes);
  const blob = await blobs.put(bytes, format.contentType);
  const begun = beginningOf(context, { id, blobId: blob.id }, sender, format);
  await store.insertMedia(db, { ...begun, size: blob.size, width, height, state: "stored" });
  await context.enqueue(makeArtifacts, { media: id });
  return id;
}
