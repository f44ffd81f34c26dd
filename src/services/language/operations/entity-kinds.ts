/**
 * The kinds of entities with the names of their paths and operations. Their common operations are declared
 * from this table.
 */
import type { TSchema } from "@sinclair/typebox";
import type { EntityKind } from "../domain/content.ts";
import * as wire from "../wire/models.ts";

export type KindWords = {
  readonly kind: EntityKind;
  /** `closedlists` in `/closedlists/{entityId}`. */
  readonly path: string;
  readonly words: string;
  /** What a reader should know of the kind. */
  readonly about: string;
  /** `ClosedList` in `language:DeleteClosedList`. */
  readonly one: string;
  readonly many: string;
  readonly view: TSchema;
};

export const entityKinds: readonly KindWords[] = [
  {
    kind: "learned",
    path: "entities",
    words: "machine-learned entity",
    about: "Found by labelled examples and training.",
    one: "Entity",
    many: "Entities",
    view: wire.LearnedView,
  },
  {
    kind: "hierarchical",
    path: "hierarchicalentities",
    words: "hierarchical entity",
    about: "Comes from imports of older applications; its children are found by training.",
    one: "HierarchicalEntity",
    many: "HierarchicalEntities",
    view: wire.HierarchicalView,
  },
  {
    kind: "composite",
    path: "compositeentities",
    words: "composite entity",
    about: "Combines other entities that are found next to each other.",
    one: "CompositeEntity",
    many: "CompositeEntities",
    view: wire.HierarchicalView,
  },
  {
    kind: "list",
    path: "closedlists",
    words: "list entity",
    about: "Found by its exact values and synonyms.",
    one: "ClosedList",
    many: "ClosedLists",
    view: wire.ListView,
  },
  {
    kind: "regex",
    path: "regexentities",
    words: "regular-expression entity",
    about: "Found by its expression.",
    one: "RegexEntity",
    many: "RegexEntities",
    view: wire.RegexView,
  },
  {
    kind: "pattern-any",
    path: "patternanyentities",
    words: "Pattern.Any entity",
    about: "Found only through patterns that name it.",
    one: "PatternAnyEntity",
    many: "PatternAnyEntities",
    view: wire.PatternAnyView,
  },
  {
    kind: "prebuilt",
    path: "prebuilts",
    words: "prebuilt entity",
    about: "Found by fixed rules of the culture, such as numbers and dates.",
    one: "Prebuilt",
    many: "Prebuilts",
    view: wire.PrebuiltView,
  },
];
