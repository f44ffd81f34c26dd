/** Publishing to slots, endpoints, packages and the query log. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Type } from "@sinclair/typebox";
import { answer, media } from "#kernel/operation";
import { isTrained, type Published, SLOTS, type Slot, type Version } from "../domain/application.ts";
import { LOG_HEAD, logLineOf, QUERIES_KEPT_MAX } from "../domain/queries.ts";
import { errors } from "../errors.ts";
import { dropModel } from "../jobs/training.ts";
import { contentOfModel } from "../learning/index.ts";
import type { LanguageContext } from "../state.ts";
import { listModels } from "../store/models.ts";
import { findPublished, putPublished } from "../store/published.ts";
import { listQueries } from "../store/queries.ts";
import { findVersion, updateVersion } from "../store/versions.ts";
import { appJsonOf } from "../transfer/app-json.ts";
import { EndpointView, endpointShown, PublishAsked, predictionUrlOf } from "../wire/applications.ts";
import { ApplicationParams, Guid, VersionParams } from "../wire/shared.ts";
import { called, getApplication, getPlace, getVersionRead, operation, type VersionPath } from "./lookup.ts";

const compress = promisify(gzip);
const LOG_PAGE = 1_000;

/** Publishing uses the current content, so the model must be trained on it. */
function checkTrained(version: Version): string {
  if (version.trainedBlob === undefined || !isTrained(version))
    throw errors.badArgument(
      `The version ${version.name} must be trained before it is published: it was ${version.trainedBlob === undefined ? "never trained" : "changed since its last training"}.`,
    );
  return version.trainedBlob;
}

const publish = operation({
  ...called("apps", "PublishApplication"),
  summary: "Publishes a trained version to the production or staging slot",
  description:
    "Replaces the content of the slot immediately; predictions use it from the next query on. Refused if the version changed since its last training. With `directVersionPublish` the version is queried by its name and the slots stay. Later edits of the version do not change what is published.",
  method: "POST",
  path: "/apps/{appId}/publish",
  params: ApplicationParams,
  body: PublishAsked,
  answers: { 201: EndpointView, 207: EndpointView },
  examples: { body: { versionId: "0.1", isStaging: false } },
  async handle({ params, body }, context) {
    const { db, account, clock } = context;
    const application = await getApplication(context, params);
    const name = body.versionId ?? application.activeVersion;
    const version = await findVersion(db, account, application.id, name);
    if (!version) throw errors.badArgument(`The application ${application.id} has no version ${name}.`);
    const slot: Slot = body.isStaging === true ? "staging" : "production";
    const published: Published = {
      application: application.id,
      slot,
      versionName: version.name,
      versionUid: version.uid,
      blob: checkTrained(version),
      settings: application.publishSettings,
      publishedAtMs: clock.nowMs(),
    };
    await updateVersion(db, account, { ...version, publishedAtMs: published.publishedAtMs });
    // A version that is published directly is queried by its name. The slots stay unchanged.
    if (body.directVersionPublish !== true) {
      const before = await findPublished(db, account, application.id, slot);
      await putPublished(db, account, published);
      await dropModel(context, before?.blob);
    }
    const entities = await listModels(db, account, version.uid);
    context.afterCommit(() => context.state.trainer.warm({ culture: application.culture, entities }));
    return answer(201, endpointShown(published, context.request.mountUrl));
  },
});

const listEndpoints = operation({
  ...called("apps", "ListEndpoints"),
  summary: "Lists the prediction URLs of an application by region",
  description: "This server is the only region.",
  method: "GET",
  path: "/apps/{appId}/endpoints",
  params: ApplicationParams,
  answers: {
    200: Type.Record(Type.String(), Type.String(), {
      description: "Addresses of predictions, by region; this process is the only one.",
      examples: [
        { local: "http://127.0.0.1:4020/language/luis/v2.0/apps/0f0b8b52-8a34-4a3e-9c8b-1f5c1c2d3e4f" },
      ],
    }),
  },
  async handle({ params }, context) {
    const { id } = await getApplication(context, params);
    return { local: predictionUrlOf(context.request.mountUrl, id) };
  },
});

const downloadLog = operation({
  ...called("apps", "DownloadQueryLogs"),
  summary: "Downloads the query log of an application as CSV, newest first",
  description: `The latest ${QUERIES_KEPT_MAX} queries with \`log=true\` are kept; they are written within about a second.`,
  method: "GET",
  path: "/apps/{appId}/querylogs",
  params: ApplicationParams,
  answers: { 200: media("application/octet-stream") },
  async handle({ params }, context) {
    const { id } = await getApplication(context, params);
    await context.state.queries.flush();
    const lines = [LOG_HEAD];
    for (let before: string | undefined; ; ) {
      const page = await listQueries(context.db, context.account, id, { before, take: LOG_PAGE });
      lines.push(...page.map(logLineOf));
      before = page.at(-1)?.id;
      if (page.length < LOG_PAGE) break;
    }
    return answer(200, lines.join(""), {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${id}.csv"`,
    });
  },
});

/** A package: the content of the version when it was trained, and its model. */
async function packageOf(context: LanguageContext, path: VersionPath, blob: string | undefined) {
  const model = blob === undefined ? undefined : await context.blobs.read(blob);
  if (!model) throw errors.badArgument(`The version ${path.versionId} was never trained.`);
  const { application, version } = await getPlace(context, path);
  const content = (await contentOfModel(model)) ?? (await getVersionRead(context, path)).content;
  const words = { name: application.name, versionId: version.name, desc: application.description };
  const whole = JSON.stringify({
    applicationId: application.id,
    application: appJsonOf(content, words),
    model: model.toString("base64"),
  });
  return answer(200, await compress(whole), {
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="${application.id}_v${encodeURIComponent(version.name)}.gz"`,
  });
}

const packageTrained = operation({
  ...called("apps", "PackageTrainedApplication"),
  summary: "Downloads a trained version as a gzip package",
  description:
    "Contains the version as it was when it was trained, and the model. Refused if it was never trained.",
  method: "GET",
  path: "/package/{appId}/versions/{versionId}/gzip",
  params: VersionParams,
  transaction: "manual",
  answers: { 200: media("application/octet-stream") },
  async handle({ params }, context) {
    const { version } = await getPlace(context, params);
    return packageOf(context, params, version.trainedBlob);
  },
});

const packagePublished = operation({
  ...called("apps", "PackagePublishedApplication"),
  summary: "Downloads the published content of a slot as a gzip package",
  description: "Contains the version as it was published, and the model.",
  method: "GET",
  path: "/package/{appId}/slot/{slotName}/gzip",
  params: Type.Object({
    appId: Guid,
    slotName: Type.String({
      maxLength: 50,
      description: "`production` or `staging`, in any case.",
      examples: ["production"],
    }),
  }),
  transaction: "manual",
  answers: { 200: media("application/octet-stream") },
  async handle({ params }, context) {
    const { db, account } = context;
    const application = await getApplication(context, params);
    const slot = SLOTS.find((one) => one === params.slotName.toLowerCase());
    if (!slot)
      throw errors.badArgument(`There is no slot ${params.slotName}; there are ${SLOTS.join(" and ")}.`);
    const published = await findPublished(db, account, application.id, slot);
    if (!published) throw errors.badArgument(`Nothing is published to the slot ${slot}.`);
    return packageOf(context, { appId: params.appId, versionId: published.versionName }, published.blob);
  },
});

export const publishingOperations = [publish, listEndpoints, downloadLog, packageTrained, packagePublished];
