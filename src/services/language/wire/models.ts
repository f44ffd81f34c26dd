/** Intents and entities, as clients spell them. */
import { type Static, Type } from "@sinclair/typebox";
import type { ChildEntity, FeatureRelation, Origin, Role } from "../domain/content.ts";
import { LEVELS_MAX } from "../domain/limits.ts";
import type { Model, ModelKind } from "../domain/models.ts";
import { Count, Guid, nested } from "./shared.ts";

const Name = Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()]));
export const NewModel = Type.Object({ name: Name });
export const EntityChange = Type.Object({
  name: Name,
  instanceOf: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
});

const NEW_CHILD = {
  name: Name,
  instanceOf: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
};
/** One level more than allowed, so that deeper nesting is refused with a clear message. */
export type GivenChild = {
  readonly name?: string | null;
  readonly instanceOf?: string | null;
  readonly children?: readonly GivenChild[];
};
export const NewChild = Type.Unsafe<GivenChild>(nested(NEW_CHILD, LEVELS_MAX + 1));
export const NewEntity = Type.Object({
  name: Name,
  children: Type.Optional(Type.Array(NewChild, { maxItems: 1000 })),
});

export const WordList = Type.Object({
  canonicalForm: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
  list: Type.Optional(Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 20_000 })),
});
export const NewList = Type.Object({ name: Name, subLists: Type.Optional(Type.Array(WordList)) });
export const ListPatch = Type.Pick(NewList, ["subLists"]);

export const NewRegex = Type.Object({
  name: Name,
  regexPattern: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
});
export const NewPatternAny = Type.Object({
  name: Name,
  explicitList: Type.Optional(Type.Array(Type.String({ maxLength: 10_000 }))),
});
export const NewExplicitItem = Type.Object({
  explicitListItem: Type.Optional(Type.String({ maxLength: 10_000 })),
});
export const ExplicitItem = Type.Object({ id: Count, explicitListItem: Type.String() });
const ExplicitItems = Type.Array(ExplicitItem, {
  examples: [[{ id: 7, explicitListItem: "Far and away" }]],
});
export const CompositeChange = Type.Object({
  name: Name,
  children: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 1000 })),
});

export const RoleView = Type.Object({ id: Guid, name: Type.String() });
const ReadableType = Type.String();
const INFO = { id: Guid, name: Type.String(), typeId: Type.Integer(), readableType: ReadableType };
const ENTITY = { ...INFO, roles: Type.Array(RoleView) };
const ORIGIN = {
  customPrebuiltDomainName: Type.Optional(Type.String()),
  customPrebuiltModelName: Type.Optional(Type.String()),
};
export const ChildView = Type.Unsafe<ChildShown>(
  nested({ ...INFO, instanceOf: Type.Optional(Type.String()) }, LEVELS_MAX - 1),
);
type ChildShown = {
  readonly id: string;
  readonly name: string;
  readonly typeId: number;
  readonly readableType: string;
  readonly instanceOf?: string;
  readonly children?: readonly ChildShown[];
};
export const IntentView = Type.Object({ ...INFO, ...ORIGIN });
export const LearnedView = Type.Object({ ...ENTITY, ...ORIGIN, children: Type.Array(ChildView) });
export const HierarchicalView = Type.Object({ ...ENTITY, children: Type.Array(ChildView) });
export const SubListView = Type.Object({
  id: Count,
  canonicalForm: Type.String(),
  list: Type.Array(Type.String()),
});
export const ListView = Type.Object({ ...ENTITY, subLists: Type.Array(SubListView) });
export const RegexView = Type.Object({ ...ENTITY, regexPattern: Type.String() });
export const PatternAnyView = Type.Object({ ...ENTITY, explicitList: ExplicitItems });
export const PrebuiltView = Type.Object(ENTITY);
/** A model of any kind. Its type tells which other members it has. */
export const ModelView = Type.Object({
  ...INFO,
  ...ORIGIN,
  roles: Type.Optional(Type.Array(RoleView)),
  children: Type.Optional(Type.Array(ChildView)),
  subLists: Type.Optional(Type.Array(SubListView)),
  regexPattern: Type.Optional(Type.String()),
  explicitList: Type.Optional(ExplicitItems),
});
export type ModelShown = Static<typeof ModelView>;

const TYPES: Readonly<Record<ModelKind, readonly [typeId: number, readableType: string]>> = {
  intent: [0, "Intent Classifier"],
  learned: [1, "Entity Extractor"],
  prebuilt: [2, "Prebuilt Entity Extractor"],
  hierarchical: [3, "Hierarchical Entity Extractor"],
  composite: [4, "Composite Entity Extractor"],
  list: [5, "List Entity Extractor"],
  "pattern-any": [7, "Pattern.Any Entity Extractor"],
  regex: [8, "Regex Entity Extractor"],
};
const CHILD = { typeId: 1, readableType: "Child Entity Extractor" } as const;
const HIERARCHICAL_CHILD = { typeId: 6, readableType: "Hierarchical Child Entity Extractor" } as const;

const originShown = (origin: Origin | undefined) =>
  origin && { customPrebuiltDomainName: origin.domain, customPrebuiltModelName: origin.model };
const rolesShown = (roles: readonly Role[]) => roles.map(({ id, name }) => ({ id, name }));
export const childShown = ({ id, name, instanceOf, children }: ChildEntity): ChildShown => ({
  id,
  name,
  ...CHILD,
  ...(instanceOf !== undefined && { instanceOf }),
  ...(children.length > 0 && { children: children.map(childShown) }),
});
export const hierarchicalChildShown = ({ id, name }: Role) => ({ id, name, ...HIERARCHICAL_CHILD });

/** The members of a model besides its name and type. */
function particulars(model: Model): Partial<ModelShown> {
  switch (model.kind) {
    case "intent":
      return { ...originShown(model.origin) };
    case "learned":
      return { ...originShown(model.origin), children: model.children.map(childShown) };
    case "hierarchical":
      return { children: model.children.map(hierarchicalChildShown) };
    case "composite":
      return { children: model.children.map(({ id, name }) => ({ id, name, ...CHILD })) };
    case "list":
      return {
        subLists: model.subLists.map(({ id, canonicalForm, synonyms }) => ({
          id,
          canonicalForm,
          list: [...synonyms],
        })),
      };
    case "regex":
      return { regexPattern: model.pattern };
    case "pattern-any":
      return { explicitList: model.explicitList.map(({ id, text }) => ({ id, explicitListItem: text })) };
    default:
      return {};
  }
}
export function modelShown(model: Model): ModelShown {
  const [typeId, readableType] = TYPES[model.kind];
  return {
    id: model.id,
    name: model.name,
    typeId,
    readableType,
    ...(model.kind !== "intent" && { roles: rolesShown(model.roles) }),
    ...particulars(model),
  };
}

export const FeatureRelationShape = Type.Object({
  featureName: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  modelName: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  isRequired: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
});
export const featureShown = (feature: FeatureRelation): Static<typeof FeatureRelationShape> =>
  "phraseList" in feature
    ? { featureName: feature.phraseList, isRequired: feature.isRequired }
    : { modelName: feature.model, isRequired: feature.isRequired };

export const PrebuiltAvailable = Type.Object({
  name: Type.String(),
  description: Type.String(),
  examples: Type.String(),
});
