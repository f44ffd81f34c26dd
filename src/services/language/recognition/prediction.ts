/** The prediction for an utterance, independent of the public answer formats. */

export type ScoredIntent = { readonly name: string; readonly score: number };

export type EntitySource = "model" | "list" | "regex" | "prebuilt" | "pattern" | "composite" | "external";

export type FoundEntity = {
  /** Its name; `Parent::Child` of hierarchical ones; of a nested one its own name. */
  readonly entity: string;
  readonly role: string | undefined;
  /** In UTF-16 units of the text; `end` is the first that no longer belongs to it. */
  readonly start: number;
  readonly end: number;
  /** For learned entities, from 0 to 1. */
  readonly score: number | undefined;
  readonly source: EntitySource;
  /** The type within an extractor of several types: `builtin.datetimeV2.date`. */
  readonly type: string;
  /** The resolved value: canonical forms, numbers, dates. */
  readonly resolution: unknown;
  readonly children: readonly FoundEntity[];
};

export type Prediction = {
  /** All intents, the likeliest first. */
  readonly intents: readonly ScoredIntent[];
  readonly entities: readonly FoundEntity[];
};
