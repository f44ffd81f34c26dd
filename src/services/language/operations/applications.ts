/** Applications and their settings. */
import { Type } from "@sinclair/typebox";
import { answer } from "#kernel/operation";
import { checkApplicationName } from "../actions/application-names.ts";
import type { Application } from "../domain/application.ts";
import { applicationArnOf } from "../domain/arns.ts";
import { checkCulture, DOMAINS, TOKENIZER_VERSION, USAGE_SCENARIOS } from "../domain/cultures.ts";
import { APPLICATIONS_MAX, checkLength, DESCRIPTION_LENGTH_MAX, WORD_LENGTH_MAX } from "../domain/limits.ts";
import { errors } from "../errors.ts";
import { removeApplication, showInCatalog } from "../jobs/applications.ts";
import type { LanguageContext } from "../state.ts";
import { updateApplication } from "../store/applications.ts";
import { findOverview, listOverviews } from "../store/overviews.ts";
import {
  ApplicationChange,
  ApplicationSettingsChange,
  ApplicationSettingsView,
  ApplicationView,
  applicationShown,
  NewApplication,
  PublishSettingsChange,
  PublishSettingsView,
} from "../wire/applications.ts";
import { ApplicationParams, Guid, Paging, Status, SUCCESS } from "../wire/shared.ts";
import { createApplication } from "./creation.ts";
import { called, getApplication, noApplication, operation } from "./lookup.ts";

const ONE = "/apps/{appId}";

/**
 * Uses the spelling of the list if the value is in it. Other values of the makers' tools are stored as
 * given.
 */
function oneOf(what: string, known: readonly string[], given: string | null | undefined): string {
  if (!given) return "";
  checkLength(what, given, WORD_LENGTH_MAX);
  return known.find((one) => one.toLowerCase() === given.toLowerCase()) ?? given;
}

const add = operation({
  ...called("apps", "AddApplication"),
  summary: "Creates an application with one version",
  description: `The version has only the intent \`None\`. The culture cannot change afterwards. An account may have ${APPLICATIONS_MAX} applications with unique names. Next, add intents and examples, then train with \`language.training.trainVersion\`.`,
  method: "POST",
  path: "/apps",
  body: NewApplication,
  answers: { 201: Guid },
  examples: { body: { name: "Travel desk", culture: "en-us", initialVersionId: "0.1" } },
  async handle({ body }, context) {
    const words = {
      name: body.name,
      culture: checkCulture(body.culture),
      tokenizerVersion: body.tokenizerVersion ?? TOKENIZER_VERSION,
      description: body.description ?? "",
      domain: oneOf("domain", DOMAINS, body.domain),
      usageScenario: oneOf("usage scenario", USAGE_SCENARIOS, body.usageScenario),
    };
    checkTokenizer(words.tokenizerVersion);
    const { id } = await createApplication(context, words, body.initialVersionId ?? "0.1");
    return answer(201, id);
  },
});
export function checkTokenizer(version: string): void {
  if (version !== TOKENIZER_VERSION)
    throw errors.badArgument(`There is no tokenizer version ${version}; there is ${TOKENIZER_VERSION}.`);
}

const list = operation({
  ...called("apps", "ListApplications"),
  summary: "Lists the applications of the account",
  description: "`endpointHitsCount` counts predictions.",
  method: "GET",
  path: "/apps",
  query: Paging,
  answers: { 200: Type.Array(ApplicationView) },
  async handle({ query }, context) {
    const { db, account, request } = context;
    const overviews = await listOverviews(db, account, query);
    return overviews.map((overview) => applicationShown(overview, request.mountUrl));
  },
});

const get = operation({
  ...called("apps", "GetApplication"),
  summary: "Returns an application",
  description:
    "`activeVersion` is the version that clients use if they name none. `endpoints` shows what is published to each slot.",
  method: "GET",
  path: ONE,
  params: ApplicationParams,
  answers: { 200: ApplicationView },
  async handle({ params: { appId } }, { db, account, request }) {
    const overview = await findOverview(db, account, appId.toLowerCase());
    if (!overview) throw noApplication(appId);
    return applicationShown(overview, request.mountUrl);
  },
});

const update = operation({
  ...called("apps", "UpdateApplication"),
  summary: "Changes the name and description of an application",
  description: "Takes effect immediately and needs no training. Members that are absent or empty stay.",
  method: "PUT",
  path: ONE,
  params: ApplicationParams,
  body: ApplicationChange,
  answers: { 200: Status },
  examples: { body: { name: "Travel desk", description: "Books flights." } },
  async handle({ params, body }, context) {
    const application = await getApplication(context, params);
    const name = body.name
      ? await checkApplicationName(context, body.name, application.id)
      : application.name;
    const description = body.description ?? application.description;
    checkLength("description", description, DESCRIPTION_LENGTH_MAX);
    await updateApplication(context.db, context.account, { ...application, name, description });
    if (name !== application.name) await rename(context, { ...application, name });
    return SUCCESS;
  },
});

/** Tags that the catalogue holds stay. */
async function rename(context: LanguageContext, application: Application): Promise<void> {
  const entry = await context.catalog.find(applicationArnOf(context.account, application.id));
  await showInCatalog(context, application, entry?.tags);
}

const remove = operation({
  ...called("apps", "DeleteApplication"),
  summary: "Deletes an application with all of its versions",
  description:
    "Also deletes trained models, published slots, test set and query log. A published application is deleted too, with or without `force`.",
  method: "DELETE",
  path: ONE,
  params: ApplicationParams,
  query: Type.Object({
    force: Type.Boolean({
      default: false,
      description: "Taken as the makers' tools send it: a published application is deleted either way.",
      examples: [false],
    }),
  }),
  answers: { 200: Status },
  async handle({ params }, context) {
    await removeApplication(context, await getApplication(context, params));
    return SUCCESS;
  },
});

const getSettings = operation({
  ...called("apps", "GetApplicationSettings"),
  summary: "Returns whether the application is public",
  description: "Keys of other accounts can query a public application.",
  method: "GET",
  path: `${ONE}/settings`,
  params: ApplicationParams,
  answers: { 200: ApplicationSettingsView },
  async handle({ params }, context) {
    const { id, isPublic } = await getApplication(context, params);
    return { id, public: isPublic };
  },
});
const updateSettings = operation({
  ...called("apps", "UpdateApplicationSettings"),
  summary: "Sets whether the application is public",
  description:
    "Keys of every account on this server can then query its published slots. Takes effect immediately.",
  method: "PUT",
  path: `${ONE}/settings`,
  params: ApplicationParams,
  body: ApplicationSettingsChange,
  answers: { 200: Status },
  examples: { body: { public: true } },
  async handle({ params, body }, context) {
    const application = await getApplication(context, params);
    const isPublic = body.public ?? application.isPublic;
    await updateApplication(context.db, context.account, { ...application, isPublic });
    return SUCCESS;
  },
});
const getPublishSettings = operation({
  ...called("apps", "GetPublishSettings"),
  summary: "Returns the publish settings of an application",
  description: "Slots that are published already keep the settings of their publication.",
  method: "GET",
  path: `${ONE}/publishsettings`,
  params: ApplicationParams,
  answers: { 200: PublishSettingsView },
  async handle({ params }, context) {
    const { id, publishSettings } = await getApplication(context, params);
    return { id, ...publishSettings };
  },
});
const updatePublishSettings = operation({
  ...called("apps", "UpdatePublishSettings"),
  summary: "Changes the publish settings of an application",
  description:
    "Members that are not given stay. The settings apply from the next publication on: call `language.apps.publishApplication` afterwards.",
  method: "PUT",
  path: `${ONE}/publishsettings`,
  params: ApplicationParams,
  body: PublishSettingsChange,
  answers: { 200: Status },
  examples: { body: { sentimentAnalysis: false, speech: false, spellChecker: false } },
  async handle({ params, body }, context) {
    const application = await getApplication(context, params);
    const publishSettings = { ...application.publishSettings, ...body };
    await updateApplication(context.db, context.account, { ...application, publishSettings });
    return SUCCESS;
  },
});

export const applicationOperations = [
  add,
  list,
  get,
  update,
  remove,
  getSettings,
  updateSettings,
  getPublishSettings,
  updatePublishSettings,
];
