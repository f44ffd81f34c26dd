/** Archives go up and come down by addresses that carry their own authority. */
import { Type } from "@sinclair/typebox";
import { CONTENT_HEADERS, contentAnswer, contentAnswers, type Prepared } from "#kernel/blobs";
import { Answer, noBody, streamedBody } from "#kernel/operation";
import { checkKmsKey, FUNCTION_FORM, LOCATION_FORM, NEWEST_GENERATION, placeOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { planForgetting } from "../jobs/index.ts";
import { DOWNLOAD_MS, findLink, type Link, sealLink, UPLOAD_MS } from "../links.ts";
import type { FunctionsContext } from "../state.ts";
import { findRevision, insertObject, sizeOfObjects } from "../store/index.ts";
import * as wire from "../wire.ts";
import { claimProject, getFunction, named, operation, parented, permitOwner } from "./operation.ts";
import { originOf } from "./views.ts";

const ARCHIVE_BYTES_MAX = 100 * 1024 * 1024;
/** Of an account, of archives that were not deployed or are a few days old at the most. */
const OBJECTS_MAX = 2000;
const OBJECTS_BYTES_MAX = 5 * 1024 ** 3;
const ZIP = "application/zip";
const FUNCTION = "projects/demo/locations/us-central1/functions/hello";
const LOCATION = "projects/demo/locations/us-central1";

const linkTo = (context: FunctionsContext, link: Link): string =>
  `${originOf(context.request)}/functions/sources/${sealLink(context.secrets, link)}`;

const generateUploadUrl = operation({
  id: "functions.generateUploadUrl",
  summary: "Creates a URL for uploading an archive",
  description:
    "The URL needs no credential and expires after 30 minutes. Put `storageSource` of the response into `functions.create` or `functions.patch` after the upload.",
  method: "POST",
  path: "/v2/{parent}/functions:generateUploadUrl",
  segments: { parent: [LOCATION_FORM] },
  permission: "cloudfunctions.functions.sourceCodeSet",
  params: Type.Object({ parent: wire.name("The place.", LOCATION) }),
  body: Type.Object({
    kmsKeyName: Type.Optional(
      Type.String({ maxLength: 512, description: "A key, which has no effect here.", examples: [""] }),
    ),
    environment: Type.Optional(
      Type.Unknown({ description: "The generation, which has no effect here.", examples: ["GEN_2"] }),
    ),
  }),
  bodyOptional: true,
  answers: {
    200: Type.Object({
      uploadUrl: Type.String({
        description: "Where a PUT of the archive goes, without further credentials.",
      }),
      storageSource: wire.StorageSource,
    }),
  },
  errors: [errors.invalidArgument, errors.permissionDenied],
  resource: parented,
  async handle({ params, body }, context) {
    const { project, location } = placeOf(params.parent);
    checkKmsKey(body?.kmsKeyName);
    await claimProject(context, params.parent);
    permitOwner(context, "cloudfunctions.functions.sourceCodeSet", params.parent);
    const nowMs = context.clock.nowMs();
    const source = {
      bucket: `gcf-v2-uploads-${project.replace(/[^a-z0-9-]/gi, "-")}-${location}`,
      object: `${context.ids.uuid()}.zip`,
      // As in the public interface, the upload creates the generation, and zero denotes the newest.
      generation: NEWEST_GENERATION,
    };
    const link: Link = {
      purpose: "upload",
      account: context.account,
      expiresAtMs: nowMs + UPLOAD_MS,
      source,
    };
    return { uploadUrl: linkTo(context, link), storageSource: source };
  },
});

const generateDownloadUrl = operation({
  id: "functions.generateDownloadUrl",
  summary: "Creates a URL for downloading a function's archive",
  description:
    "The URL needs no credential and expires after 30 minutes. It names the archive of the newest revision that started; a function that was never deployed has none.",
  method: "POST",
  path: "/v2/{name}:generateDownloadUrl",
  segments: { name: [FUNCTION_FORM] },
  permission: "cloudfunctions.functions.sourceCodeGet",
  params: Type.Object({ name: wire.name("The function.", FUNCTION) }),
  body: Type.Object({}),
  bodyOptional: true,
  answers: {
    200: Type.Object({ downloadUrl: Type.String({ description: "Where the archive is for half an hour." }) }),
  },
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
  resource: named,
  async handle({ params }, context) {
    const one = await getFunction(context, params.name, "cloudfunctions.functions.sourceCodeGet");
    const revision =
      one.revision === undefined
        ? undefined
        : await findRevision(context.db, context.account, one.slug, one.revision);
    if (!revision) throw errors.notFound(`The source of '${params.name}' was not found`);
    const expiresAtMs = context.clock.nowMs() + DOWNLOAD_MS;
    const source = { bucket: one.functionId, object: revision.blobId, generation: "1" };
    return {
      downloadUrl: linkTo(context, { purpose: "download", account: context.account, expiresAtMs, source }),
    };
  },
});

const Sealed = Type.Object({
  link: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: "What generateUploadUrl or generateDownloadUrl made.",
    examples: ["sealed"],
  }),
});
function getLink(context: FunctionsContext, sealed: string, purpose: Link["purpose"]): Link {
  const link = findLink(context.secrets, sealed);
  if (link?.purpose !== purpose) throw errors.permissionDenied(`The address is not for ${purpose}s.`);
  return link;
}

/** Answers how many archives there are. */
async function checkRoom({ db, account }: FunctionsContext, size: number): Promise<number> {
  const { count, bytes } = await sizeOfObjects(db, account);
  if (count >= OBJECTS_MAX || bytes + size > OBJECTS_BYTES_MAX)
    throw errors.resourceExhausted("The account has too many archives that were uploaded lately.");
  return count;
}
/** Needs a transaction. Answers the generation. */
async function insertArchive(
  context: FunctionsContext,
  source: Link["source"],
  archive: Prepared,
  size: number,
): Promise<string> {
  const { db, account, blobs, clock } = context;
  const count = await checkRoom(context, size);
  const blob = await blobs.keep(archive, ZIP);
  // Earlier uploads to the same address keep their content.
  const generation = String(clock.nowMs() * 1000 + (count % 1000));
  await insertObject(db, account, { ...source, generation, blobId: blob.id, size: blob.size }, clock.nowMs());
  await planForgetting(context);
  return generation;
}

const upload = operation({
  id: "functions.sources.upload",
  summary: "Uploads an archive to a URL from generateUploadUrl",
  description: `The content type must be \`application/zip\`. The header \`x-goog-generation\` of the response names this upload; a second upload to the same URL keeps the first. An account may have ${OBJECTS_MAX} archives and 5 GB. A job deletes uploads after 7 days; deployed revisions keep their archive.`,
  method: "PUT",
  path: "/sources/{link}",
  permission: "cloudfunctions.functions.sourceCodeSet",
  tags: ["additional"],
  params: Sealed,
  headers: Type.Object({
    "content-type": Type.Optional(
      Type.String({ maxLength: 200, description: "Must be application/zip.", examples: [ZIP] }),
    ),
  }),
  body: streamedBody,
  bodyKinds: ["stream"],
  bodyBytesMax: ARCHIVE_BYTES_MAX,
  transaction: "manual",
  timeoutSeconds: 600,
  answers: { 200: noBody },
  errors: [
    errors.invalidArgument,
    errors.permissionDenied,
    errors.failedPrecondition,
    errors.resourceExhausted,
  ],
  async handle({ params, headers, body }, context) {
    const { source } = getLink(context, params.link, "upload");
    if ((headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() !== ZIP)
      throw errors.invalidArgument(`An archive is sent as ${ZIP}.`);
    if (body.size === 0) throw errors.invalidArgument("The archive is empty.");
    await checkRoom(context, body.size);
    const archive = await context.blobs.prepare(() => body.chunks());
    const generation = await context.transact(
      (inner) => insertArchive(inner, source, archive, body.size),
      body.size,
    );
    return new Answer(200, undefined, { "x-goog-generation": generation });
  },
});

const download = operation({
  id: "functions.sources.download",
  summary: "Downloads a function's archive from a URL from generateDownloadUrl",
  description: "Supports ranges and conditional requests. The archive is gone when its revision is deleted.",
  method: "GET",
  path: "/sources/{link}",
  permission: "cloudfunctions.functions.sourceCodeGet",
  tags: ["additional"],
  params: Sealed,
  headers: Type.Object(CONTENT_HEADERS),
  answers: contentAnswers(ZIP),
  errors: [errors.invalidArgument, errors.permissionDenied, errors.notFound],
  async handle({ params, headers }, context) {
    const { source } = getLink(context, params.link, "download");
    const blob = await context.blobs.find(source.object);
    if (!blob) throw errors.notFound("The archive is gone.");
    return contentAnswer(context.blobs, blob, headers);
  },
});

export const sourceOperations = [generateUploadUrl, generateDownloadUrl, upload, download];
