/** The part of a version that its model stores: everything except the utterances. */
import type {
  Entity,
  FeatureRelation,
  Intent,
  Pattern,
  PhraseList,
  VersionContent,
} from "../domain/content.ts";
import type { TextRules } from "../recognition/reading.ts";

export type Definition = {
  readonly culture: string;
  readonly rules: TextRules;
  readonly intents: readonly Pick<Intent, "name" | "features">[];
  readonly entities: readonly Entity[];
  /** Enabled phrase lists that are a feature of some model. */
  readonly phraseLists: readonly PhraseList[];
  readonly patterns: readonly Pick<Pattern, "intent" | "text">[];
  /** Prebuilt entities whose findings help to learn others. */
  readonly helpfulPrebuilts: readonly string[];
};

/** Of prebuilt entities in training; finding them takes much longer than learning. */
const UTTERANCES_WITH_PREBUILTS_MAX = 3000;

export function definitionOf(content: VersionContent): Definition {
  const { culture, settings } = content;
  const relations = relationsOf(content);
  const named = new Set(
    relations.flatMap((relation) => ("phraseList" in relation ? [relation.phraseList] : [])),
  );
  const models = new Set([
    ...relations.flatMap((relation) => ("model" in relation ? [relation.model] : [])),
    ...instancesOf(content.entities),
  ]);
  return {
    culture,
    rules: {
      culture,
      withoutDiacritics: settings.normalizeDiacritics,
      withoutPunctuation: settings.normalizePunctuation,
      rootsOnly: settings.normalizeWordForm,
    },
    intents: content.intents.map(({ name, features }) => ({ name, features })),
    entities: content.entities,
    phraseLists: content.phraseLists.filter(
      ({ name, isActive, enabledForAllModels }) => isActive && (enabledForAllModels || named.has(name)),
    ),
    patterns: content.patterns.map(({ intent, text }) => ({ intent, text })),
    helpfulPrebuilts:
      content.utterances.length > UTTERANCES_WITH_PREBUILTS_MAX
        ? []
        : content.entities
            .filter(({ kind, name }) => kind === "prebuilt" && models.has(name))
            .map(({ name }) => name),
  };
}

type WithChildren = {
  readonly features: readonly FeatureRelation[];
  readonly children: readonly WithChildren[];
};

function relationsOf({ intents, entities }: VersionContent): FeatureRelation[] {
  const below = (node: WithChildren): FeatureRelation[] => [
    ...node.features,
    ...node.children.flatMap(below),
  ];
  return [
    ...intents.flatMap(({ features }) => features),
    ...entities.flatMap((entity) => (entity.kind === "learned" ? below(entity) : [])),
  ];
}

type WithInstance = {
  readonly instanceOf: string | undefined;
  readonly children: readonly WithInstance[];
};

function instancesOf(entities: readonly Entity[]): string[] {
  const below = (node: WithInstance): string[] => [
    ...(node.instanceOf === undefined ? [] : [node.instanceOf]),
    ...node.children.flatMap(below),
  ];
  return entities.flatMap((entity) => (entity.kind === "learned" ? entity.children.flatMap(below) : []));
}
