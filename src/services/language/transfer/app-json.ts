/** An application as JSON: the public export format of schema 7, and the older one with string children. */
import { SETTING_NAMES, SETTINGS } from "../domain/application.ts";
import type {
  ChildEntity,
  Entity,
  FeatureRelation,
  Label,
  Origin,
  Role,
  VersionContent,
  VersionSettings,
} from "../domain/content.ts";

export type JsonFeature = {
  featureName?: string | null;
  modelName?: string | null;
  isRequired?: boolean | null;
};
export type JsonChild = {
  name?: string | null;
  instanceOf?: string | null;
  children?: (JsonChild | string)[] | null;
  features?: JsonFeature[] | null;
};
export type JsonModel = {
  name?: string | null;
  children?: (JsonChild | string)[] | null;
  features?: JsonFeature[] | null;
  roles?: string[] | null;
  inherits?: { domain_name?: string | null; model_name?: string | null } | null;
};
export type JsonLabel = {
  entity: string;
  startPos: number;
  endPos: number;
  role?: string | null;
  children?: JsonLabel[] | null;
};
export type JsonPhraseList = {
  name?: string | null;
  mode?: boolean | null;
  words?: string | null;
  activated?: boolean | null;
  enabledForAllModels?: boolean | null;
};
export type AppJson = {
  luis_schema_version?: string | null;
  name?: string | null;
  versionId?: string | null;
  desc?: string | null;
  culture?: string | null;
  tokenizerVersion?: string | null;
  settings?: { name?: string | null; value?: unknown }[] | null;
  intents?: JsonModel[] | null;
  entities?: JsonModel[] | null;
  hierarchicals?: JsonModel[] | null;
  composites?: JsonModel[] | null;
  closedLists?:
    | {
        name?: string | null;
        roles?: string[] | null;
        subLists?: { canonicalForm?: string | null; list?: string[] | null }[] | null;
      }[]
    | null;
  prebuiltEntities?: { name?: string | null; roles?: string[] | null }[] | null;
  patternAnyEntities?:
    | { name?: string | null; roles?: string[] | null; explicitList?: string[] | null }[]
    | null;
  regex_entities?: { name?: string | null; regexPattern?: string | null; roles?: string[] | null }[] | null;
  regex_features?: { name?: string | null; pattern?: string | null; activated?: boolean | null }[] | null;
  phraselists?: JsonPhraseList[] | null;
  model_features?: JsonPhraseList[] | null;
  patterns?: { pattern?: string | null; intent?: string | null }[] | null;
  utterances?: { text?: string | null; intent?: string | null; entities?: JsonLabel[] | null }[] | null;
};

const rolesOf = (roles: readonly Role[]): string[] => roles.map(({ name }) => name);
const featureJson = (feature: FeatureRelation): JsonFeature =>
  "phraseList" in feature
    ? { featureName: feature.phraseList, isRequired: feature.isRequired }
    : { modelName: feature.model, isRequired: feature.isRequired };
const childJson = ({ name, instanceOf, features, children }: ChildEntity): JsonChild => ({
  name,
  ...(instanceOf !== undefined && { instanceOf }),
  children: children.map(childJson),
  features: features.map(featureJson),
});
const labelJson = ({ entity, start, end, role, children }: Label): JsonLabel => ({
  entity,
  startPos: start,
  endPos: end - 1,
  ...(role !== undefined && { role }),
  children: children.map(labelJson),
});
const originJson = (origin: Origin | undefined) =>
  origin && { inherits: { domain_name: origin.domain, model_name: origin.model } };
const entitiesOf = <Kind extends Entity["kind"]>(
  entities: readonly Entity[],
  kind: Kind,
): readonly Extract<Entity, { kind: Kind }>[] =>
  entities.filter((entity): entity is Extract<Entity, { kind: Kind }> => entity.kind === kind);

export type AppWords = { readonly name: string; readonly versionId: string; readonly desc: string };

export function appJsonOf(content: VersionContent, { name, versionId, desc }: AppWords): AppJson {
  const { entities } = content;
  return {
    luis_schema_version: "7.0.0",
    intents: content.intents.map((intent) => ({
      name: intent.name,
      features: intent.features.map(featureJson),
      ...originJson(intent.origin),
    })),
    entities: entitiesOf(entities, "learned").map((entity) => ({
      name: entity.name,
      children: entity.children.map(childJson),
      roles: rolesOf(entity.roles),
      features: entity.features.map(featureJson),
      ...originJson(entity.origin),
    })),
    hierarchicals: entitiesOf(entities, "hierarchical").map((entity) => ({
      name: entity.name,
      children: entity.children.map((child) => ({ name: child.name })),
      roles: rolesOf(entity.roles),
      features: [],
    })),
    composites: entitiesOf(entities, "composite").map((entity) => ({
      name: entity.name,
      children: entity.children.map((child) => ({ name: child.name })),
      roles: rolesOf(entity.roles),
      features: [],
    })),
    closedLists: entitiesOf(entities, "list").map((entity) => ({
      name: entity.name,
      subLists: entity.subLists.map(({ canonicalForm, synonyms }) => ({
        canonicalForm,
        list: [...synonyms],
      })),
      roles: rolesOf(entity.roles),
    })),
    prebuiltEntities: entitiesOf(entities, "prebuilt").map((entity) => ({
      name: entity.name,
      roles: rolesOf(entity.roles),
    })),
    utterances: content.utterances.map(({ text, intent, labels }) => ({
      text,
      intent,
      entities: labels.map(labelJson),
    })),
    versionId,
    name,
    desc,
    culture: content.culture,
    tokenizerVersion: content.tokenizerVersion,
    patternAnyEntities: entitiesOf(entities, "pattern-any").map((entity) => ({
      name: entity.name,
      explicitList: entity.explicitList.map(({ text }) => text),
      roles: rolesOf(entity.roles),
    })),
    regex_entities: entitiesOf(entities, "regex").map((entity) => ({
      name: entity.name,
      regexPattern: entity.pattern,
      roles: rolesOf(entity.roles),
    })),
    phraselists: content.phraseLists.map((list) => ({
      name: list.name,
      mode: list.isExchangeable,
      words: list.phrases.join(","),
      activated: list.isActive,
      enabledForAllModels: list.enabledForAllModels,
    })),
    regex_features: content.regexFeatures.map((feature) => ({
      name: feature.name,
      pattern: feature.pattern,
      activated: feature.isActive,
    })),
    patterns: content.patterns.map(({ text, intent }) => ({ pattern: text, intent })),
    settings: Object.entries(SETTING_NAMES).map(([setting, key]) => ({
      name: setting,
      value: content.settings[key],
    })),
  };
}

/** Allocates ids for imported content: texts for models, numbers for utterances and parts. */
export type NewIds = { newId(): string; nextNumber(): number };

const featureOf = ({ featureName, modelName, isRequired }: JsonFeature): FeatureRelation[] => {
  if (featureName) return [{ phraseList: featureName, isRequired: isRequired ?? false }];
  return modelName ? [{ model: modelName, isRequired: isRequired ?? false }] : [];
};
const featuresOf = (features: readonly JsonFeature[] | null | undefined): FeatureRelation[] =>
  (features ?? []).flatMap(featureOf);
const labelOf = ({ entity, startPos, endPos, role, children }: JsonLabel): Label => ({
  start: startPos,
  end: endPos + 1,
  entity,
  role: role || undefined,
  children: (children ?? []).map(labelOf),
});
const originOf = (inherits: JsonModel["inherits"]): { origin?: Origin } =>
  inherits?.domain_name && inherits.model_name
    ? { origin: { domain: inherits.domain_name, model: inherits.model_name } }
    : {};
const nameOf = (child: JsonChild | string): string =>
  typeof child === "string" ? child : (child.name ?? "");

function childOf(child: JsonChild, ids: NewIds): ChildEntity {
  return {
    id: ids.newId(),
    name: child.name ?? "",
    instanceOf: child.instanceOf || undefined,
    features: featuresOf(child.features),
    children: (child.children ?? []).map((one) =>
      childOf(typeof one === "string" ? { name: one } : one, ids),
    ),
  };
}

function settingsOf(given: AppJson["settings"]): VersionSettings {
  const settings: Record<keyof VersionSettings, boolean> = { ...SETTINGS };
  for (const { name, value } of given ?? []) {
    const key = Object.entries(SETTING_NAMES).find(
      ([known]) => known.toLowerCase() === name?.toLowerCase(),
    )?.[1];
    if (key) settings[key] = value === true || String(value).toLowerCase() === "true";
  }
  return settings;
}

function entitiesFrom(json: AppJson, ids: NewIds): Entity[] {
  const rolesFrom = (roles: readonly string[] | null | undefined): Role[] =>
    (roles ?? []).map((name) => ({ id: ids.newId(), name }));
  const named = (model: { name?: string | null; roles?: string[] | null }) => ({
    id: ids.newId(),
    name: model.name ?? "",
    roles: rolesFrom(model.roles),
  });
  const parts = (model: JsonModel) =>
    (model.children ?? []).map((child) => ({ id: ids.newId(), name: nameOf(child) }));
  /** In the older schema, an entity whose children are plain names is a hierarchical one. */
  const isHierarchical = ({ children }: JsonModel) =>
    (children ?? []).some((child) => typeof child === "string");
  const entities = json.entities ?? [];
  return [
    ...entities
      .filter((model) => !isHierarchical(model))
      .map(
        (model): Entity => ({
          kind: "learned",
          ...named(model),
          children: (model.children ?? []).map((child) => childOf(child as JsonChild, ids)),
          features: featuresOf(model.features),
          ...originOf(model.inherits),
        }),
      ),
    ...[...entities.filter(isHierarchical), ...(json.hierarchicals ?? [])].map(
      (model): Entity => ({ kind: "hierarchical", ...named(model), children: parts(model) }),
    ),
    ...(json.composites ?? []).map(
      (model): Entity => ({ kind: "composite", ...named(model), children: parts(model) }),
    ),
    ...(json.closedLists ?? []).map(
      (model): Entity => ({
        kind: "list",
        ...named(model),
        subLists: (model.subLists ?? []).map(({ canonicalForm, list }) => ({
          id: ids.nextNumber(),
          canonicalForm: canonicalForm ?? "",
          synonyms: list ?? [],
        })),
      }),
    ),
    ...(json.regex_entities ?? []).map(
      (model): Entity => ({ kind: "regex", ...named(model), pattern: model.regexPattern ?? "" }),
    ),
    ...(json.patternAnyEntities ?? []).map(
      (model): Entity => ({
        kind: "pattern-any",
        ...named(model),
        explicitList: (model.explicitList ?? []).map((text) => ({ id: ids.nextNumber(), text })),
      }),
    ),
    ...(json.prebuiltEntities ?? []).map((model): Entity => ({ kind: "prebuilt", ...named(model) })),
  ];
}

/** Converts without validation, which `checkedContent` does. */
export function contentOf(
  json: AppJson,
  { culture, tokenizerVersion }: Pick<VersionContent, "culture" | "tokenizerVersion">,
  ids: NewIds,
): VersionContent {
  return {
    culture,
    tokenizerVersion,
    settings: settingsOf(json.settings),
    intents: (json.intents ?? []).map((intent) => ({
      id: ids.newId(),
      name: intent.name ?? "",
      features: featuresOf(intent.features),
      ...originOf(intent.inherits),
    })),
    entities: entitiesFrom(json, ids),
    phraseLists: [...(json.phraselists ?? []), ...(json.model_features ?? [])].map((list) => ({
      id: ids.nextNumber(),
      name: list.name ?? "",
      phrases: (list.words ?? "")
        .split(",")
        .map((phrase) => phrase.trim())
        .filter(Boolean),
      isExchangeable: list.mode ?? true,
      isActive: list.activated ?? true,
      enabledForAllModels: list.enabledForAllModels ?? true,
    })),
    regexFeatures: (json.regex_features ?? []).map((feature) => ({
      id: ids.nextNumber(),
      name: feature.name ?? "",
      pattern: feature.pattern ?? "",
      isActive: feature.activated ?? true,
    })),
    patterns: (json.patterns ?? []).map(({ pattern, intent }) => ({
      id: ids.newId(),
      text: pattern ?? "",
      intent: intent ?? "",
    })),
    // The maker's parser turns an empty list item into an empty utterance. It has no effect on training.
    utterances: (json.utterances ?? [])
      .filter(({ text, entities }) => text?.trim() || entities?.length)
      .map(({ text, intent, entities }) => ({
        id: ids.nextNumber(),
        text: text ?? "",
        intent: intent ?? "",
        labels: (entities ?? []).map(labelOf),
      })),
  };
}
