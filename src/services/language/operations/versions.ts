/** Versions of an application and their settings. */
import { Type } from "@sinclair/typebox";
import { answer } from "#kernel/operation";
import { SETTING_NAMES, type Version } from "../domain/application.ts";
import type { VersionSettings } from "../domain/content.ts";
import { checkVersionName, VERSIONS_MAX } from "../domain/limits.ts";
import { withNewIds } from "../domain/new-ids.ts";
import { errors } from "../errors.ts";
import { removeVersion } from "../jobs/applications.ts";
import { withContent } from "../jobs/large-content.ts";
import { dropModel } from "../jobs/training.ts";
import { knowsRootsOf } from "../learning/index.ts";
import type { LanguageContext } from "../state.ts";
import { updateApplication } from "../store/applications.ts";
import { countModels, listModels, touchModels } from "../store/models.ts";
import { listPublished, renamePublished } from "../store/published.ts";
import { countVersions, findVersion, listVersions, updateVersion } from "../store/versions.ts";
import { SettingView, VersionAsked, VersionView, versionShown } from "../wire/applications.ts";
import { ModelView, modelShown } from "../wire/models.ts";
import { ApplicationParams, Paging, Status, SUCCESS, VersionName, VersionParams } from "../wire/shared.ts";
import { checkNewVersion, createVersion } from "./creation.ts";
import { called, getApplication, getContentPlace, getPlace, getVersionRead, operation } from "./lookup.ts";

const ONE = "/apps/{appId}/versions/{versionId}";

async function shown({ db, account, request }: LanguageContext, version: Version) {
  const { intent = 0, ...entities } = await countModels(db, account, version.uid);
  return versionShown(version, {
    intentsCount: intent,
    entitiesCount: Object.values(entities).reduce((sum, count) => sum + count, 0),
    mountUrl: request.mountUrl,
  });
}

const list = operation({
  ...called("versions", "ListVersions"),
  summary: "Lists the versions of an application",
  description: "Includes when each was trained and published.",
  method: "GET",
  path: "/apps/{appId}/versions",
  params: ApplicationParams,
  query: Paging,
  answers: { 200: Type.Array(VersionView) },
  async handle({ params, query }, context) {
    const { id } = await getApplication(context, params);
    const views = [];
    for (const version of await listVersions(context.db, context.account, id, query))
      views.push(await shown(context, version));
    return views;
  },
});

const get = operation({
  ...called("versions", "GetVersion"),
  summary: "Returns a version",
  description: "`trainingStatus` tells whether it changed since its last training.",
  method: "GET",
  path: ONE,
  params: VersionParams,
  answers: { 200: VersionView },
  handle: async ({ params }, context) => shown(context, (await getPlace(context, params)).version),
});

const rename = operation({
  ...called("versions", "UpdateVersion"),
  summary: "Renames a version",
  description:
    "Slots and the active version follow the new name. A name has at most 10 characters. Needs no training.",
  method: "PUT",
  path: ONE,
  params: VersionParams,
  body: VersionAsked,
  answers: { 200: Status },
  examples: { body: { version: "1.0" } },
  async handle({ params, body }, context) {
    const { db, account } = context;
    const { application, version } = await getPlace(context, params);
    const name = checkVersionName(body.version);
    const taken = await findVersion(db, account, application.id, name);
    if (taken && taken.uid !== version.uid)
      throw errors.badArgument(`The application has a version ${name} already.`);
    await updateVersion(db, account, { ...version, name, modifiedAtMs: context.clock.nowMs() });
    await renamePublished(db, account, version.uid, name);
    if (application.activeVersion === version.name)
      await updateApplication(db, account, { ...application, activeVersion: name });
    return SUCCESS;
  },
});

const clone = operation({
  ...called("versions", "CloneVersion"),
  summary: "Creates a copy of a version",
  description: `Models get new ids, and the trained model is not copied: train the copy. An application may have ${VERSIONS_MAX} versions.`,
  method: "POST",
  path: `${ONE}/clone`,
  params: VersionParams,
  body: VersionAsked,
  transaction: "manual",
  answers: { 201: VersionName },
  examples: { body: { version: "0.2" } },
  async handle({ params, body }, context) {
    const name = await checkNewVersion(context, await getApplication(context, params), body.version ?? "");
    const { content } = await getVersionRead(context, params);
    const copy = withNewIds(content, () => context.ids.uuid());
    const made = await withContent(context, copy, async (inside, given) =>
      createVersion(inside, await getApplication(inside, params), name, given),
    );
    return answer(201, made.name);
  },
});

const remove = operation({
  ...called("versions", "DeleteVersion"),
  summary: "Deletes a version",
  description:
    "Refused if it is published or the only one. If it was the active version, another becomes active. Deletes its trained model and cancels a pending training.",
  method: "DELETE",
  path: ONE,
  params: VersionParams,
  answers: { 200: Status },
  async handle({ params }, context) {
    const { db, account } = context;
    const { application, version } = await getPlace(context, params);
    if ((await countVersions(db, account, application.id)) === 1)
      throw errors.badArgument("The only version of an application cannot be deleted.");
    const published = await listPublished(db, account, application.id);
    if (published.some(({ versionUid }) => versionUid === version.uid))
      throw errors.badArgument(`The version ${version.name} is published and cannot be deleted.`);
    await removeVersion(context, version);
    await dropModel(context, version.trainedBlob);
    if (application.activeVersion === version.name) {
      const [first] = await listVersions(db, account, application.id, { skip: 0, take: 1 });
      await updateApplication(db, account, { ...application, activeVersion: first?.name ?? "" });
    }
    return SUCCESS;
  },
});

const listSettings = operation({
  ...called("versions", "ListVersionSettings"),
  summary: "Lists the settings of a version",
  description: "Settings that were never changed have their defaults.",
  method: "GET",
  path: `${ONE}/settings`,
  params: VersionParams,
  answers: { 200: Type.Array(SettingView) },
  async handle({ params }, context) {
    const { settings } = (await getPlace(context, params)).version;
    return Object.entries(SETTING_NAMES).map(([name, key]) => ({ name, value: String(settings[key]) }));
  },
});

/** Members of a batch in any case; values are `true` and `false`. */
function settingsWith(
  before: VersionSettings,
  given: readonly { name: string; value: string }[],
  culture: string,
): VersionSettings {
  const changed: Partial<Record<keyof VersionSettings, boolean>> = {};
  for (const { name, value } of given) {
    const known = Object.keys(SETTING_NAMES).find((one) => one.toLowerCase() === name.toLowerCase());
    const key = known === undefined ? undefined : SETTING_NAMES[known];
    if (!key)
      throw errors.badArgument(
        `There is no setting ${name}; there are ${Object.keys(SETTING_NAMES).join(", ")}.`,
      );
    if (!/^(?:true|false)$/i.test(value))
      throw errors.badArgument(`The setting ${known} is true or false, not ${value}.`);
    changed[key] = value.toLowerCase() === "true";
  }
  if (changed.normalizeWordForm && !knowsRootsOf(culture))
    throw errors.badArgument(`Forms of words are not known in ${culture}: NormalizeWordForm stays false.`);
  return { ...before, ...changed };
}

const updateSettings = operation({
  ...called("versions", "UpdateVersionSettings"),
  summary: "Changes settings of a version",
  description:
    "Settings that are not given stay. All models must be trained again. `NormalizeWordForm` is refused for cultures whose word forms are unknown.",
  method: "PUT",
  path: `${ONE}/settings`,
  params: VersionParams,
  body: Type.Array(SettingView, { maxItems: 100, description: "The settings to change." }),
  answers: { 200: Status },
  examples: { body: [{ name: "NormalizeDiacritics", value: "true" }] },
  async handle({ params, body }, context) {
    const { application, version } = await getPlace(context, params);
    const settings = settingsWith(version.settings, body, application.culture);
    const revision = version.revision + 1;
    await touchModels(context.db, context.account, version.uid, "all", revision);
    await updateVersion(context.db, context.account, {
      ...version,
      settings,
      revision,
      modifiedAtMs: context.clock.nowMs(),
    });
    return SUCCESS;
  },
});

const listAllModels = operation({
  ...called("models", "ListModels"),
  summary: "Lists the intents and entities of a version",
  description: "Children of machine-learned entities are inside their entity.",
  method: "GET",
  path: `${ONE}/models`,
  params: VersionParams,
  query: Paging,
  answers: { 200: Type.Array(ModelView) },
  async handle({ params, query }, context) {
    const { version } = await getContentPlace(context, params);
    return (await listModels(context.db, context.account, version.uid, { page: query })).map(modelShown);
  },
});

export const versionOperations = [
  list,
  get,
  rename,
  clone,
  remove,
  listSettings,
  updateSettings,
  listAllModels,
];
