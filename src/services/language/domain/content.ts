/**
 * The content of a version: the store reads it, the learner trains on it, and import and export convert it.
 */

export type VersionContent = {
  /** In lower case: `en-us`. */
  readonly culture: string;
  /** `1.0.0` unless the culture has a later one that was asked for. */
  readonly tokenizerVersion: string;
  readonly settings: VersionSettings;
  /** `None` is always among them. */
  readonly intents: readonly Intent[];
  readonly entities: readonly Entity[];
  readonly phraseLists: readonly PhraseList[];
  /** Of older applications: kept for their export. */
  readonly regexFeatures: readonly RegexFeature[];
  readonly patterns: readonly Pattern[];
  readonly utterances: readonly Utterance[];
};

export type VersionSettings = {
  readonly normalizePunctuation: boolean;
  readonly normalizeDiacritics: boolean;
  readonly normalizeWordForm: boolean;
  /**
   * False: negative examples of an intent are sampled at random from the other intents instead of used
   * completely.
   */
  readonly useAllTrainingData: boolean;
};

/** A feature of an intent or entity: a phrase list, or another model whose findings help. */
export type FeatureRelation =
  | { readonly phraseList: string; readonly isRequired: boolean }
  | { readonly model: string; readonly isRequired: boolean };

/** Which model of a prebuilt domain of ours it was taken from. */
export type Origin = { readonly domain: string; readonly model: string };

export type Intent = {
  readonly id: string;
  readonly name: string;
  readonly features: readonly FeatureRelation[];
  readonly origin?: Origin | undefined;
};

/** Entities of all kinds share one space of names within a version, without regard to case. */
type Named = {
  readonly id: string;
  readonly name: string;
  /** Names of roles, each with its id. */
  readonly roles: readonly Role[];
};
export type Role = { readonly id: string; readonly name: string };

/** Learned from labels; with children nested to five levels. A simple entity is one without children. */
export type LearnedEntity = Named & {
  readonly kind: "learned";
  readonly children: readonly ChildEntity[];
  readonly features: readonly FeatureRelation[];
  readonly origin?: Origin | undefined;
};
export type ChildEntity = {
  readonly id: string;
  readonly name: string;
  /** The name of an entity whose findings are required where this child is found. */
  readonly instanceOf: string | undefined;
  readonly features: readonly FeatureRelation[];
  readonly children: readonly ChildEntity[];
};
/** A learned entity. Its children are distinguished by context, and labelled as `Parent::Child`. */
export type HierarchicalEntity = Named & {
  readonly kind: "hierarchical";
  readonly children: readonly { readonly id: string; readonly name: string }[];
};
/** Holds others, by their names (a child of a hierarchical one as `Parent::Child`). */
export type CompositeEntity = Named & {
  readonly kind: "composite";
  readonly children: readonly { readonly id: string; readonly name: string }[];
};
export type ListEntity = Named & { readonly kind: "list"; readonly subLists: readonly SubList[] };
export type SubList = {
  readonly id: number;
  readonly canonicalForm: string;
  readonly synonyms: readonly string[];
};
export type RegexEntity = Named & { readonly kind: "regex"; readonly pattern: string };
export type PatternAnyEntity = Named & {
  readonly kind: "pattern-any";
  readonly explicitList: readonly { readonly id: number; readonly text: string }[];
};
/** Its name is that of the extractor: `datetimeV2`, `number`, `personName`. */
export type PrebuiltEntity = Named & { readonly kind: "prebuilt" };

export type Entity =
  | LearnedEntity
  | HierarchicalEntity
  | CompositeEntity
  | ListEntity
  | RegexEntity
  | PatternAnyEntity
  | PrebuiltEntity;
export type EntityKind = Entity["kind"];

export type PhraseList = {
  readonly id: number;
  readonly name: string;
  readonly phrases: readonly string[];
  /** Whether its phrases are interchangeable. */
  readonly isExchangeable: boolean;
  readonly isActive: boolean;
  readonly enabledForAllModels: boolean;
};
export type RegexFeature = {
  readonly id: number;
  readonly name: string;
  readonly pattern: string;
  readonly isActive: boolean;
};

/** `book [a] flight (to | towards) {city:destination}`. */
export type Pattern = { readonly id: string; readonly intent: string; readonly text: string };

export type Utterance = {
  readonly id: number;
  readonly text: string;
  readonly intent: string;
  readonly labels: readonly Label[];
};
/** In UTF-16 units of the text; `end` is the first that no longer belongs to it. */
export type Label = {
  readonly start: number;
  readonly end: number;
  /** An entity's name, `Parent::Child` for hierarchical ones; for a nested label the child's own name. */
  readonly entity: string;
  readonly role: string | undefined;
  readonly children: readonly Label[];
};
