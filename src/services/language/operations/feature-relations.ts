/** Which phrase lists and models help which intents and entities: the same four operations for both. */
import { type Static, Type } from "@sinclair/typebox";
import type { Operation } from "#kernel/operation";
import type { FeatureRelation } from "../domain/content.ts";
import { checkRoom, FEATURES_PER_MODEL_MAX, keyOf } from "../domain/limits.ts";
import { changeChild, type Model, sameFeature } from "../domain/models.ts";
import { errors } from "../errors.ts";
import type { LanguageContext } from "../state.ts";
import { listFeatures } from "../store/features.ts";
import { findEntityByName, findIntentByName } from "../store/models.ts";
import { FeatureRelationShape, featureShown } from "../wire/models.ts";
import { Guid, Status, SUCCESS, versionParams } from "../wire/shared.ts";
import { getModel, replaceModel } from "./changes.ts";
import { findChildOf } from "./children.ts";
import { called, type Editing, edit, getPlace, operation, type Place } from "./lookup.ts";

type Given = Static<typeof FeatureRelationShape>;
type Owner = "Intent" | "Entity";

/** The model, or the child of a model, that a path names, and a setter for its features. */
type FeatureOwner = {
  readonly name: string;
  readonly features: readonly FeatureRelation[];
  replace(editing: Editing, features: readonly FeatureRelation[]): Promise<void>;
};
async function getOwner(
  context: LanguageContext,
  place: Pick<Place, "version">,
  owner: Owner,
  id: string,
): Promise<FeatureOwner> {
  const found =
    owner === "Entity" &&
    (await findChildOf({ db: context.db, account: context.account, uid: place.version.uid }, id));
  if (found) {
    const { stored, entity, child } = found;
    return {
      name: child.name,
      features: child.features,
      replace: (editing, features) =>
        replaceModel(editing, stored, {
          ...entity,
          children: changeChild(entity.children, child.id, (one) => ({ ...one, features })),
        }),
    };
  }
  const stored = await getModel(context, place, owner === "Intent" ? "intent" : "learned", id);
  const { model } = stored;
  return {
    name: model.name,
    features: model.features,
    replace: (editing, features) => replaceModel(editing, stored, { ...model, features } as Model),
  };
}

/** With names as they are spelt. */
async function relationOf(
  { db, account, uid }: Editing,
  owner: string,
  given: Given,
): Promise<FeatureRelation> {
  const { featureName, modelName, isRequired } = given;
  if (!featureName === !modelName) throw errors.badArgument("Either featureName or modelName must be given.");
  if (featureName) {
    const list = (await listFeatures(db, account, uid)).find(
      ({ kind, name }) => kind === "phrases" && keyOf(name) === keyOf(featureName),
    );
    if (!list) throw errors.badArgument(`There is no phrase list ${featureName}.`);
    return { phraseList: list.name, isRequired: isRequired ?? false };
  }
  const found =
    (await findEntityByName(db, account, uid, modelName ?? "")) ??
    (await findIntentByName(db, account, uid, modelName ?? ""));
  const model = found?.model;
  if (!model || model.kind === "pattern-any" || keyOf(model.name) === keyOf(owner))
    throw errors.badArgument(`There is no model ${modelName} that could be a feature of ${owner}.`);
  return { model: model.name, isRequired: isRequired ?? false };
}

const P = "/apps/{appId}/versions/{versionId}";
const example = { featureName: "Seasons", isRequired: false };

const pathOf = (owner: Owner): string =>
  owner === "Intent" ? `${P}/intents/{intentId}/features` : `${P}/entities/{entityId}/features`;
const paramsOf = (owner: Owner) =>
  owner === "Intent" ? versionParams({ intentId: Guid }) : versionParams({ entityId: Guid });
function ownerOf(context: LanguageContext, place: Pick<Place, "version">, owner: Owner, named: object) {
  const { intentId, entityId } = named as { readonly intentId?: string; readonly entityId?: string };
  return getOwner(context, place, owner, intentId ?? entityId ?? "");
}
const takingOne = (owner: Owner) => ({
  path: pathOf(owner),
  params: paramsOf(owner),
  body: FeatureRelationShape,
  answers: { 200: Status },
  examples: { body: example },
});
const wordOf = (owner: Owner): string => owner.toLowerCase();

function addingOperations(owner: Owner): Operation[] {
  const word = wordOf(owner);
  return [
    operation({
      ...called("features", `Add${owner}Feature`),
      summary: `Adds a phrase list or model as a feature of an ${word}`,
      description: `With \`isRequired\`, it is predicted only where the feature is found. At most ${FEATURES_PER_MODEL_MAX} features, each once. Train the version afterwards.`,
      method: "POST",
      ...takingOne(owner),
      handle: ({ params: named, body }, context) =>
        edit(context, named, async (editing) => {
          const { name, features, replace } = await ownerOf(context, editing, owner, named);
          const added = await relationOf(editing, name, body);
          if (features.some((one) => sameFeature(one, added)))
            throw errors.badArgument(`${name} has that feature already.`);
          checkRoom("features of a model", features.length + 1, FEATURES_PER_MODEL_MAX);
          await replace(editing, [...features, added]);
          return SUCCESS;
        }),
    }),
    operation({
      ...called("features", `Get${owner}Features`),
      summary: `Lists the features of an ${word}`,
      description: "Phrase lists that are enabled for all models are not listed.",
      method: "GET",
      path: pathOf(owner),
      params: paramsOf(owner),
      answers: { 200: Type.Array(FeatureRelationShape) },
      async handle({ params: named }, context) {
        const { features } = await ownerOf(context, await getPlace(context, named), owner, named);
        return features.map(featureShown);
      },
    }),
  ];
}

function replacingOperations(owner: Owner): Operation[] {
  const word = wordOf(owner);
  return [
    operation({
      ...called("features", `Replace${owner}Features`),
      summary: `Replaces the features of an ${word}`,
      description: `An empty list removes all. At most ${FEATURES_PER_MODEL_MAX} features; duplicates are dropped. Train the version afterwards.`,
      method: "PUT",
      path: pathOf(owner),
      params: paramsOf(owner),
      body: Type.Array(FeatureRelationShape, { maxItems: 500, description: "What helps it." }),
      answers: { 200: Status },
      examples: { body: [example] },
      handle: ({ params: named, body }, context) =>
        edit(context, named, async (editing) => {
          const { name, replace } = await ownerOf(context, editing, owner, named);
          const features: FeatureRelation[] = [];
          for (const given of body) {
            const relation = await relationOf(editing, name, given);
            if (!features.some((one) => sameFeature(one, relation))) features.push(relation);
          }
          checkRoom("features of a model", features.length, FEATURES_PER_MODEL_MAX);
          await replace(editing, features);
          return SUCCESS;
        }),
    }),
    operation({
      ...called("features", `Delete${owner}Feature`),
      summary: `Removes a feature of an ${word}`,
      description: "The phrase list or model itself stays. Train the version afterwards.",
      method: "DELETE",
      ...takingOne(owner),
      handle: ({ params: named, body }, context) =>
        edit(context, named, async (editing) => {
          const { name, features, replace } = await ownerOf(context, editing, owner, named);
          const gone = await relationOf(editing, name, body);
          const kept = features.filter((one) => !sameFeature(one, gone));
          if (kept.length === features.length) throw errors.badArgument(`${name} has no such feature.`);
          await replace(editing, kept);
          return SUCCESS;
        }),
    }),
  ];
}

export const featureRelationOperations = (["Intent", "Entity"] as const).flatMap((owner) => [
  ...addingOperations(owner),
  ...replacingOperations(owner),
]);
