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
    one: "Entity",
    many: "Entities",
    view: wire.LearnedView,
  },
  {
    kind: "hierarchical",
    path: "hierarchicalentities",
    words: "hierarchical entity",
    one: "HierarchicalEntity",
    many: "HierarchicalEntities",
    view: wire.HierarchicalView,
  },
  {
    kind: "composite",
    path: "compositeentities",
    words: "composite entity",
    one: "CompositeEntity",
    many: "CompositeEntities",
    view: wire.HierarchicalView,
  },
  {
    kind: "list",
    path: "closedlists",
    words: "list entity",
    one: "ClosedList",
    many: "ClosedLists",
    view: wire.ListView,
  },
  {
    kind: "regex",
    path: "regexentities",
    words: "regular-expression entity",
    one: "RegexEntity",
    many: "RegexEntities",
    view: wire.RegexView,
  },
  {
    kind: "pattern-any",
    path: "patternanyentities",
    words: "Pattern.Any entity",
    one: "PatternAnyEntity",
    many: "PatternAnyEntities",
    view: wire.PatternAnyView,
  },
  {
    kind: "prebuilt",
    path: "prebuilts",
    words: "prebuilt entity",
    one: "Prebuilt",
    many: "Prebuilts",
    view: wire.PrebuiltView,
  },
];
