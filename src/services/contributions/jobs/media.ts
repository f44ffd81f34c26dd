/** Makes artifacts after a picture or film has arrived, and removes unused media. */

import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { handOver, ownBytes, WorkerError } from "#kernel/workers";
import { LABELS, OPTIMISED } from "../domain/artifact-formats.ts";
import { withoutPrivateParts } from "../media/blanks.ts";
import { blobReader } from "../media/blob-reader.ts";
import { MediaProblem } from "../media/byte-reader.ts";
import { type FormatName, formatNamed } from "../media/format.ts";
import { privatePartsOf } from "../media/private-parts.ts";
import { decodedBytesOf } from "../media/probe.ts";
import type { MadeArtifact, Result, Task } from "../media/tasks.ts";
import type { ContributionsContext, State } from "../state.ts";
import * as store from "../store/media.ts";
import type { ArtifactRow, MediaRow, Tables } from "../tables/index.ts";
import { type Grown, growBlob } from "./grow-blob.ts";

const job = jobsFor<Tables, State>();
/** Larger pictures are kept, but get a placeholder. */
const PICTURE_BYTES_MAX = 64 * 1024 * 1024;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNUSED_KEPT_MS = DAY_MS;
const REMOVED_AT_ONCE = 20;

/** Derived ids, so that a retry writes the same bytes to the same place. */
const artifactBlobId = (blobId: string, label: string): string => `${blobId}-${label}`;

/** In pieces: joining them here would block the main thread. */
async function piecesOf(
  { blobs }: ContributionsContext,
  { blob_id }: MediaRow,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of blobs.chunks(blob_id)) pieces.push(ownBytes(piece));
  return pieces;
}

/** A picture that crashes a thread or exceeds the timeout gets a placeholder, like any unreadable picture. */
async function make(context: ContributionsContext, task: Task): Promise<Result> {
  const { maker } = context.state.media;
  try {
    // Copying a large picture would block the main thread too.
    const buffers = (task.picture ?? []).map(({ buffer }) => buffer);
    return await maker.run(await handOver(task, ...buffers));
  } catch (error) {
    if (!(error instanceof WorkerError) || error.reason === "closed" || error.reason === "busy") throw error;
    const { format, width, height } = task;
    return { ...(await maker.run({ format, width, height })), problem: error.message };
  }
}
async function makeOfPicture(context: ContributionsContext, row: MediaRow, task: Task): Promise<Result> {
  if (row.size > PICTURE_BYTES_MAX)
    return { ...(await make(context, task)), problem: "It is too large to be shown." };
  return make(context, { ...task, picture: await piecesOf(context, row) });
}
async function makeOfFilm(context: ContributionsContext, row: MediaRow, task: Task): Promise<Result> {
  if (!(await context.state.media.hasFfmpeg())) return make(context, task);
  const folder = await mkdtemp(join(tmpdir(), "medley-film-"));
  try {
    const path = join(folder, "film");
    await pipeline(context.blobs.chunks(row.blob_id), createWriteStream(path));
    return await make(context, { ...task, film: { path, durationSeconds: row.duration_seconds ?? 0 } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Kept = { readonly row: ArtifactRow; readonly grown: Grown };
const rowOf = (media: MediaRow, made: Omit<MadeArtifact, "bytes">, size: number): ArtifactRow => ({
  account: media.account,
  media_id: media.id,
  label: made.label,
  content_type: made.contentType,
  file_extension: made.fileExtension,
  width: made.width,
  height: made.height,
  size,
  blob_id: artifactBlobId(media.blob_id, made.label),
});
async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
async function keep(context: ContributionsContext, media: MediaRow, made: MadeArtifact): Promise<Kept> {
  const grown = await growBlob(context, artifactBlobId(media.blob_id, made.label), whole(made.bytes));
  return { row: rowOf(media, made, grown.size), grown };
}
/** A film stays unchanged, except that the camera's metadata is removed. */
async function keepFilm(context: ContributionsContext, media: MediaRow): Promise<Kept> {
  const { contentType, fileExtension } = formatNamed(media.format);
  const reader = blobReader(context.blobs, media.blob_id, media.size);
  const blanks = await privatePartsOf(media.format as FormatName, reader);
  const clean = withoutPrivateParts(context.blobs.chunks(media.blob_id), blanks);
  const grown = await growBlob(context, artifactBlobId(media.blob_id, OPTIMISED), clean);
  const { width, height } = media;
  return {
    row: rowOf(media, { label: OPTIMISED, contentType, fileExtension, width, height }, grown.size),
    grown,
  };
}

/** The reason if its private parts cannot be found. */
async function keepCleanFilm(context: ContributionsContext, media: MediaRow): Promise<Kept | string> {
  try {
    return await keepFilm(context, media);
  } catch (error) {
    if (error instanceof MediaProblem) return error.message;
    throw error;
  }
}

async function finish(
  context: ContributionsContext,
  media: MediaRow,
  all: readonly Kept[],
  problem: string | undefined,
): Promise<void> {
  await context.transact(async (within) => {
    const { db, account, blobs } = within;
    const state = problem === undefined ? "ready" : "failed";
    if (
      !(await store.changeMedia(db, account, media.id, { state, problem: problem?.slice(0, 500) ?? null }))
    ) {
      // It was deleted in the meantime.
      for (const { row } of all) await blobs.remove(row.blob_id);
      return;
    }
    for (const { row, grown } of all) {
      await blobs.complete(row.blob_id, { ...grown, type: row.content_type });
      await store.insertArtifact(db, row);
    }
  });
}

export const makeArtifacts = job({
  name: "contributions.make-artifacts",
  payload: Type.Object({ media: Type.String() }),
  transaction: "manual",
  async run({ media: id }, context) {
    const media = (await store.findMedia(context.db, context.account, [id])).get(id);
    if (media?.state !== "stored") return;
    const { width, height } = media;
    const task: Task = { format: media.format as FormatName, width, height };
    const isFilm = media.type === "video";
    const decoding = () => (isFilm ? makeOfFilm : makeOfPicture)(context, media, task);
    const { artifacts, problem } = await context.state.media.memory.run(
      decodedBytesOf(task.format, task),
      decoding,
    );
    const kept: Kept[] = [];
    for (const made of artifacts) kept.push(await keep(context, media, made));
    const film = isFilm ? await keepCleanFilm(context, media) : undefined;
    if (typeof film === "object") kept.push(film);
    await finish(context, media, kept, typeof film === "string" ? film : problem);
  },
});

/** Deletes rows, artifacts and bytes, complete or not. Needs a transaction. */
export async function removeMedia(context: ContributionsContext, ids: readonly string[]): Promise<void> {
  const { db, account, blobs } = context;
  const media = await store.deleteMedia(db, account, ids);
  for (const blobId of media) {
    await blobs.remove(blobId);
    for (const label of LABELS) await blobs.remove(artifactBlobId(blobId, label));
  }
}

/** Uploads that never ended, and media that were never used. */
const removeUnused = job({
  name: "contributions.remove-unused-media",
  payload: Type.Object({}),
  transaction: "manual",
  housekeeping: true,
  async run(_payload, context) {
    const beforeMs = context.clock.nowMs() - UNUSED_KEPT_MS;
    for (let count = REMOVED_AT_ONCE; count === REMOVED_AT_ONCE; )
      count = await context.transact(async (within) => {
        const ids = await store.listUnusedMedia(within.db, within.account, beforeMs, REMOVED_AT_ONCE);
        await removeMedia(within, ids);
        return ids.length;
      });
  },
});

/** One run covers the uploads of an hour. Later uploads do not delay it. */
export function planRemovingUnused(context: ContributionsContext): Promise<string> {
  const hour = Math.floor(context.clock.nowMs() / HOUR_MS);
  const runAtMs = (hour + 1) * HOUR_MS + UNUSED_KEPT_MS;
  return context.enqueue(removeUnused, {}, { key: `unused-media:${hour}`, runAtMs });
}

export const mediaJobs = [makeArtifacts, removeUnused];
