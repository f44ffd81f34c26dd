/** Upload of pictures and films, and download in all artifact formats. */
import { Type } from "@sinclair/typebox";
import { CONTENT_HEADERS, contentAnswer, contentAnswers } from "#kernel/blobs";
import { streamedParts } from "#kernel/http";
import { answer, anyone, operationsFor, type StreamedBody, streamedBody } from "#kernel/operation";
import { ARTIFACT_FORMATS, isPublicLabel, LABELS, ORIGINAL } from "../domain/artifact-formats.ts";
import { errors } from "../errors.ts";
import { receiveMedia } from "../jobs/receive-media.ts";
import { findArtifactLink } from "../links.ts";
import { MediaProblem } from "../media/byte-reader.ts";
import { CONTENT_TYPES } from "../media/format.ts";
import { MEDIA_BYTES_MAX } from "../settings.ts";
import type { ContributionsContext, State } from "../state.ts";
import { findArtifact, findMedia } from "../store/media.ts";
import { isMediaOf, listPublicMedia } from "../store/media-sight.ts";
import type { MediaRow, Tables } from "../tables/index.ts";
import { callerOf, noteUser, signedInCallerOf } from "../views/caller.ts";
import { mediaViewOf } from "../views/media-views.ts";
import * as wire from "../wire/media.ts";

const operation = operationsFor<Tables, State>();
const FORM_BYTES = 1024 * 1024;
const SHOWN_TYPES = ["application/octet-stream", ...CONTENT_TYPES] as const;

/** The raw body, or the first file of a form. */
async function receive(context: ContributionsContext, body: StreamedBody, type: string): Promise<MediaRow> {
  const sender = { userId: signedInCallerOf(context).userId };
  if (!/^multipart\/form-data\b/i.test(type)) return receiveMedia(context, sender, body.chunks());
  // Without the wait the form would end before its file is read.
  for await (const part of streamedParts(type, body.chunks()))
    if ("chunks" in part) return await receiveMedia(context, sender, part.chunks);
  throw new MediaProblem("The form holds no file.");
}
export function explainMedia(error: unknown): never {
  if (!(error instanceof MediaProblem)) throw error;
  throw errors.invalid(error.message, { details: [{ target: "media", message: error.message }] });
}

const post = operation({
  id: "contributions.media.create",
  summary: "Uploads a picture or film",
  description:
    "The body is the file itself, or a form with one file. The content decides the type: JPEG, PNG, WebP, GIF and HEIC pictures, MP4, MOV and WebM films. Other formats of it are created by a job; a contribution may use it immediately. A file that no contribution uses is deleted after a day.",
  method: "POST",
  path: "/media",
  permission: "contributions:CreateMedia",
  transaction: "manual",
  timeoutSeconds: 900,
  headers: Type.Object({
    "content-type": Type.Optional(
      Type.String({
        maxLength: 300,
        description: "Matters for forms alone: what the bytes are is decided by themselves.",
        examples: ["image/jpeg"],
      }),
    ),
  }),
  body: streamedBody,
  bodyKinds: ["stream"],
  bodyBytesMax: MEDIA_BYTES_MAX + FORM_BYTES,
  answers: { 200: wire.Media },
  errors: [errors.invalid],
  async handle({ headers, body }, context) {
    const { userId } = signedInCallerOf(context);
    const row = await receive(context, body, headers["content-type"] ?? "").catch(explainMedia);
    await context.transact((within) => noteUser(within, userId));
    return mediaViewOf(row, true);
  },
});

const formats = operation({
  id: "contributions.artifactFormats.list",
  summary: "Lists the formats of pictures and films",
  description: "The list is fixed.",
  method: "GET",
  path: "/artifact-formats",
  permission: anyone,
  answers: { 200: wire.ArtifactFormats },
  handle: () => ({
    contribution: [...ARTIFACT_FORMATS.contribution],
    cover: [...ARTIFACT_FORMATS.cover],
    profileImage: [...ARTIFACT_FORMATS.profileImage],
  }),
});

const Label = Type.Union(
  LABELS.map((label) => Type.Literal(label)),
  { description: "Which of the formats, as /artifact-formats lists them.", examples: ["medium"] },
);
const MediaId = Type.String({
  maxLength: 64,
  description: "The picture's or film's id.",
  examples: ["b7c1f1a4-6c0e-4c57-9a5e-0d2f6f6c2f11"],
});

/** A browser must not run uploaded bytes: originals are downloads, never shown inline. */
const SAFE_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
};
const missing = () => errors.notFound("There is no such picture or film.");

async function show(
  context: ContributionsContext,
  { media, label }: { readonly media: string; readonly label: string },
  asked: Parameters<typeof contentAnswer>[2],
  cacheControl: string,
) {
  const { db, account, blobs } = context;
  const row = (await findMedia(db, account, [media])).get(media);
  const artifact = row && label !== ORIGINAL ? await findArtifact(db, account, media, label) : undefined;
  const blobId = label === ORIGINAL ? row?.blob_id : artifact?.blob_id;
  const blob = blobId === undefined ? undefined : await blobs.find(blobId);
  if (!row || !blob) throw missing();
  const shown = await contentAnswer(blobs, blob, asked, {
    ...SAFE_HEADERS,
    "cache-control": cacheControl,
    ...(label === ORIGINAL && { "content-disposition": `attachment; filename="${media}"` }),
  });
  return shown.body === undefined ? shown : answer(shown.status, await begun(shown.body), shown.headers);
}
/** Reads the first bytes before the answer begins: concurrent deletion gives 404, not a truncated answer. */
async function begun(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = content[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) throw missing();
  return (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
}

async function maySee(context: ContributionsContext, media: string, label: string): Promise<boolean> {
  const { db, account, clock } = context;
  const caller = callerOf(context);
  if (caller.kind === "account") return true;
  if (isPublicLabel(label) && (await listPublicMedia(db, account, [media], clock.nowMs())).size > 0)
    return true;
  return caller.kind === "user" && isMediaOf(db, account, media, caller.userId);
}

const getArtifact = operation({
  id: "contributions.media.artifact",
  summary: "Returns a picture or film in one of the formats",
  description:
    "Formats of public contributions are public; originals and others are for their contributor and the account. Originals are sent as downloads. Supports ranges.",
  method: "GET",
  path: "/media/{id}/{label}",
  permission: "contributions:GetArtifact",
  crossOrigin: true,
  params: Type.Object({ id: MediaId, label: Label }),
  headers: Type.Object(CONTENT_HEADERS),
  answers: contentAnswers(...SHOWN_TYPES),
  errors: [errors.notFound],
  tags: ["addition"],
  async handle({ params: { id, label }, headers }, context) {
    if (!(await maySee(context, id, label))) throw missing();
    return show(context, { media: id, label }, headers, "public, max-age=3600");
  },
});

const getPrivateArtifact = operation({
  id: "contributions.media.privateArtifact",
  summary: "Returns a file of a contribution that is not public, by a signed URL",
  description: "Responses contain such URLs for callers who may see the file. They expire after a day.",
  method: "GET",
  path: "/private-media/{link}",
  permission: anyone,
  params: Type.Object({
    link: Type.String({
      maxLength: 1000,
      description: "As answers name it.",
      examples: ["eyJhY2NvdW50IjoiMTIzNDU2Nzg5MDEyIn0.c2lnbmF0dXJl"],
    }),
  }),
  headers: Type.Object(CONTENT_HEADERS),
  answers: contentAnswers(...SHOWN_TYPES),
  errors: [errors.notFound],
  tags: ["addition"],
  async handle({ params, headers }, { secrets, clock, state }) {
    const link = findArtifactLink(secrets, params.link, clock.nowMs());
    if (!link) throw missing();
    return show(state.workAs(link.account), link, headers, "private, max-age=3600");
  },
});

export const mediaOperations = [post, formats, getArtifact, getPrivateArtifact];
