/** Prebuilt domains and their models, added to an application. */
import { Type } from "@sinclair/typebox";
import { answer } from "#kernel/operation";
import type { Origin } from "../domain/content.ts";
import { checkCulture, TOKENIZER_VERSION } from "../domain/cultures.ts";
import { APPLICATIONS_MAX, INTENTS_MAX, keyOf } from "../domain/limits.ts";
import { emptyLearned, type StoredModel } from "../domain/models.ts";
import { type DomainIntent, PREBUILT_DOMAINS, type PrebuiltDomain } from "../domain/prebuilt-domains.ts";
import { errors } from "../errors.ts";
import { deleteExamples, findExampleByText, insertExamples } from "../store/examples.ts";
import { deleteModel, findEntityByName, listStoredModels } from "../store/models.ts";
import { inlineOf } from "../transfer/lu-inline.ts";
import { IntentView, LearnedView, ModelView, modelShown } from "../wire/models.ts";
import { Guid, Status, SUCCESS, VersionParams, versionParams } from "../wire/shared.ts";
import { addModel, referToIntent, removeEntity } from "./changes.ts";
import { createApplication } from "./creation.ts";
import { learnedRoom } from "./learned-entities.ts";
import { called, type Editing, edit, getContentPlace, operation } from "./lookup.ts";

const P = "/apps/{appId}/versions/{versionId}";
const intentRoom = { what: "intents", kinds: ["intent"], most: INTENTS_MAX } as const;

const Text = Type.Optional(Type.String({ maxLength: 1_000 }));
const DomainAsked = Type.Object({ domainName: Text });
const NewFromDomain = Type.Object({ domainName: Text, culture: Text });
const ModelAsked = Type.Object({ domainName: Text, modelName: Text });
const ItemView = Type.Object({ name: Type.String(), description: Type.String(), examples: Type.String() });
const DomainView = Type.Object({
  name: Type.String(),
  culture: Type.String(),
  description: Type.String(),
  examples: Type.String(),
  intents: Type.Array(ItemView),
  entities: Type.Array(ItemView),
});
const domainShown = ({ name, culture, description, examples, intents, entities }: PrebuiltDomain) => ({
  name,
  culture,
  description,
  examples,
  intents: intents.map((one) => ({ name: one.name, description: one.description, examples: one.examples })),
  entities: entities.map((one) => ({ ...one })),
});

function getDomain(name: string | undefined, culture: string): PrebuiltDomain {
  const found = PREBUILT_DOMAINS.find(
    (one) => keyOf(one.name) === keyOf(name ?? "") && one.culture === culture,
  );
  if (!found)
    throw errors.badArgument(`There is no prebuilt domain ${name ?? ""} for the culture ${culture}.`);
  return found;
}
function getPart<Part extends { readonly name: string }>(
  parts: readonly Part[],
  name: string | undefined,
): Part {
  const found = parts.find((one) => keyOf(one.name) === keyOf(name ?? ""));
  if (!found) throw errors.badArgument(`The domain has no model ${name ?? ""}.`);
  return found;
}
const originOf = (stored: StoredModel): Origin | undefined =>
  stored.model.kind === "intent" || stored.model.kind === "learned" ? stored.model.origin : undefined;

async function addDomainEntity(
  editing: Editing,
  domain: PrebuiltDomain,
  name: string,
  id: string,
): Promise<string> {
  const origin = { domain: domain.name, model: name };
  return addModel(editing, { ...emptyLearned(id, name), origin }, learnedRoom);
}

/** With its utterances; labels of entities that are not there are left out. */
async function addDomainIntent(
  editing: Editing,
  domain: PrebuiltDomain,
  { name, utterances }: DomainIntent,
  id: string,
): Promise<string> {
  const { db, account, uid } = editing;
  const origin = { domain: domain.name, model: name };
  await addModel(editing, { kind: "intent", id, name, features: [], origin }, intentRoom);
  for (const line of utterances) {
    const { text, labels } = inlineOf(line);
    if (await findExampleByText(db, account, uid, text)) continue;
    const kept = [];
    for (const { entity, startPos, endPos } of labels) {
      const found = await findEntityByName(db, account, uid, entity);
      if (!found) continue;
      kept.push({
        entity: found.model.name,
        start: startPos,
        end: endPos + 1,
        role: undefined,
        children: [],
      });
      editing.touch(found.model.name);
    }
    await insertExamples(db, account, uid, [{ id: editing.nextNumber(), text, intent: name, labels: kept }]);
  }
  return id;
}

async function addDomain(editing: Editing, domain: PrebuiltDomain, newId: () => string): Promise<string[]> {
  const added: string[] = [];
  for (const { name } of domain.entities) added.push(await addDomainEntity(editing, domain, name, newId()));
  for (const intent of domain.intents) added.push(await addDomainIntent(editing, domain, intent, newId()));
  return added;
}

const listDomains = operation({
  ...called("domains", "ListPrebuiltDomains"),
  summary: "Lists the prebuilt domains",
  description: "A domain has intents with utterances, and entities.",
  method: "GET",
  path: "/apps/customprebuiltdomains",
  answers: { 200: Type.Array(DomainView) },
  handle: () => PREBUILT_DOMAINS.map(domainShown),
});
const listDomainsOfCulture = operation({
  ...called("domains", "ListPrebuiltDomainsForCulture"),
  summary: "Lists the prebuilt domains of a culture",
  description: "Empty for a culture without domains; an unknown culture is refused.",
  method: "GET",
  path: "/apps/customprebuiltdomains/{culture}",
  params: Type.Object({ culture: Type.String({ maxLength: 50 }) }),
  answers: { 200: Type.Array(DomainView) },
  handle({ params }) {
    const culture = checkCulture(params.culture);
    return PREBUILT_DOMAINS.filter((domain) => domain.culture === culture).map(domainShown);
  },
});
const createFromDomain = operation({
  ...called("domains", "AddApplicationOfDomain"),
  summary: "Creates an application with all models of a prebuilt domain",
  description: `Includes the utterances of its intents. The version is not trained: call \`language.training.trainVersion\` next. Counts towards the ${APPLICATIONS_MAX} applications of an account.`,
  method: "POST",
  path: "/apps/customprebuiltdomains",
  body: NewFromDomain,
  answers: { 201: Guid },
  examples: { body: { domainName: "Weather", culture: "en-us" } },
  async handle({ body }, context) {
    const culture = checkCulture(body.culture ?? "en-us");
    const domain = getDomain(body.domainName, culture);
    const words = {
      name: domain.name,
      culture,
      tokenizerVersion: TOKENIZER_VERSION,
      description: domain.description,
      domain: domain.name,
      usageScenario: "",
    };
    const { id } = await createApplication(context, words, "0.1");
    await edit(context, { appId: id, versionId: "0.1" }, (editing) =>
      addDomain(editing, domain, () => context.ids.uuid()),
    );
    return answer(201, id);
  },
});

const addToVersion = operation({
  ...called("domains", "AddPrebuiltDomain"),
  summary: "Adds all models of a prebuilt domain to a version",
  description:
    "All or nothing: refused if a name exists or a limit would be exceeded. Utterances that the version has already are skipped. Train the version afterwards.",
  method: "POST",
  path: `${P}/customprebuiltdomains`,
  params: VersionParams,
  body: DomainAsked,
  answers: { 201: Type.Array(Guid) },
  examples: { body: { domainName: "Weather" } },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const domain = getDomain(body.domainName, editing.application.culture);
      return answer(201, await addDomain(editing, domain, () => context.ids.uuid()));
    }),
});
const deleteFromVersion = operation({
  ...called("domains", "DeletePrebuiltDomain"),
  summary: "Deletes all models of a prebuilt domain from a version",
  description: "Also deletes the utterances of its intents and the labels of its entities.",
  method: "DELETE",
  path: `${P}/customprebuiltdomains/{domainName}`,
  params: versionParams({ domainName: Type.String({ maxLength: 1_000 }) }),
  answers: { 200: Status },
  handle: ({ params }, context) =>
    edit(context, params, async (editing) => {
      const { db, account, uid } = editing;
      const models = (await listStoredModels(db, account, uid, { kinds: ["intent", "learned"] })).filter(
        (stored) => keyOf(originOf(stored)?.domain ?? "") === keyOf(params.domainName),
      );
      if (models.length === 0)
        throw errors.badArgument(`The version has no models of the domain ${params.domainName}.`);
      for (const stored of models) {
        const { model } = stored;
        if (model.kind !== "intent") {
          await removeEntity(editing, stored);
          continue;
        }
        await deleteExamples(db, account, uid, { intent: model.name });
        await referToIntent(editing, { of: "model", from: model.name, to: undefined });
        await deleteModel(db, account, uid, model.id);
      }
      return SUCCESS;
    }),
});

const addEntityOfDomain = operation({
  ...called("domains", "AddCustomPrebuiltEntity"),
  summary: "Adds an entity of a prebuilt domain to a version",
  description:
    "It becomes a machine-learned entity that remembers its domain, without examples. Train the version afterwards.",
  method: "POST",
  path: `${P}/customprebuiltentities`,
  params: VersionParams,
  body: ModelAsked,
  answers: { 201: Guid },
  examples: { body: { domainName: "Weather", modelName: "Weather.Location" } },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const domain = getDomain(body.domainName, editing.application.culture);
      const { name } = getPart(domain.entities, body.modelName);
      return answer(201, await addDomainEntity(editing, domain, name, context.ids.uuid()));
    }),
});
const addIntentOfDomain = operation({
  ...called("domains", "AddCustomPrebuiltIntent"),
  summary: "Adds an intent of a prebuilt domain to a version",
  description:
    "Includes its utterances; labels of entities that the version lacks are left out, so add those entities first.",
  method: "POST",
  path: `${P}/customprebuiltintents`,
  params: VersionParams,
  body: ModelAsked,
  answers: { 201: Guid },
  examples: { body: { domainName: "Weather", modelName: "Weather.QueryWeather" } },
  handle: ({ params, body }, context) =>
    edit(context, params, async (editing) => {
      const domain = getDomain(body.domainName, editing.application.culture);
      const intent = getPart(domain.intents, body.modelName);
      return answer(201, await addDomainIntent(editing, domain, intent, context.ids.uuid()));
    }),
});

const listed = [
  {
    action: "ListCustomPrebuiltEntities",
    path: "customprebuiltentities",
    what: "entities",
    kinds: ["learned"],
    view: LearnedView,
  },
  {
    action: "ListCustomPrebuiltIntents",
    path: "customprebuiltintents",
    what: "intents",
    kinds: ["intent"],
    view: IntentView,
  },
  {
    action: "ListCustomPrebuiltModels",
    path: "customprebuiltmodels",
    what: "models",
    kinds: ["intent", "learned"],
    view: ModelView,
  },
] as const;
const listOperations = listed.map(({ action, path, what, kinds, view }) =>
  operation({
    ...called("domains", action),
    summary: `Lists the ${what} that were added from prebuilt domains`,
    description: "Models of other origin are left out. All on one page.",
    method: "GET",
    path: `${P}/${path}`,
    params: VersionParams,
    answers: { 200: Type.Array(view) },
    async handle({ params }, context) {
      const { version } = await getContentPlace(context, params);
      const models = await listStoredModels(context.db, context.account, version.uid, { kinds: [...kinds] });
      return models.filter(originOf).map(({ model }) => modelShown(model));
    },
  }),
);

export const prebuiltDomainOperations = [
  listDomains,
  listDomainsOfCulture,
  createFromDomain,
  addToVersion,
  deleteFromVersion,
  addEntityOfDomain,
  addIntentOfDomain,
  ...listOperations,
];
