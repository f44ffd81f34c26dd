/** An exported application, as clients spell it: schema 7, and the older one where children are plain names. */
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { LEVELS_MAX } from "../domain/limits.ts";
import type { AppJson } from "../transfer/app-json.ts";

const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const Text = maybe(Type.String({ maxLength: 10_000 }));
const LongText = maybe(Type.String({ maxLength: 2_000_000 }));
const Flag = maybe(Type.Boolean());
const Texts = maybe(Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 20_000 }));
const many = (properties: TProperties) => maybe(Type.Array(Type.Object(properties), { maxItems: 20_000 }));

const features = many({ featureName: Text, modelName: Text, isRequired: Flag });
function withChildren(levels: number): TSchema {
  const child = Type.Object({
    name: Text,
    instanceOf: Text,
    features,
    ...(levels > 1 && { children: maybe(Type.Array(withChildren(levels - 1))) }),
  });
  return Type.Union([child, Type.String({ maxLength: 1_000 })]);
}
const children = maybe(Type.Array(withChildren(LEVELS_MAX), { maxItems: 1_000 }));
const inherits = maybe(Type.Object({ domain_name: Text, model_name: Text }));
const MODEL = { name: Text, children, features, roles: Texts, inherits };
function labels(levels: number): TSchema {
  return Type.Object({
    entity: Type.String({ maxLength: 1_000 }),
    startPos: Type.Integer(),
    endPos: Type.Integer(),
    role: Text,
    ...(levels > 1 && { children: maybe(Type.Array(labels(levels - 1), { maxItems: 1_000 })) }),
  });
}
const phraseLists = many({
  name: Text,
  mode: Flag,
  words: LongText,
  activated: Flag,
  enabledForAllModels: Flag,
});

export const AppShape = Type.Unsafe<AppJson>(
  Type.Object({
    luis_schema_version: Text,
    name: Text,
    versionId: Text,
    desc: Text,
    culture: Text,
    tokenizerVersion: Text,
    settings: maybe(
      Type.Array(
        Type.Object({
          name: Text,
          value: Type.Optional(Type.Union([Type.Boolean(), Type.String({ maxLength: 1_000 }), Type.Null()])),
        }),
      ),
    ),
    intents: many(MODEL),
    entities: many(MODEL),
    hierarchicals: many(MODEL),
    composites: many(MODEL),
    closedLists: many({ name: Text, roles: Texts, subLists: many({ canonicalForm: Text, list: Texts }) }),
    prebuiltEntities: many({ name: Text, roles: Texts }),
    patternAnyEntities: many({ name: Text, roles: Texts, explicitList: Texts }),
    regex_entities: many({ name: Text, regexPattern: Text, roles: Texts }),
    regex_features: many({ name: Text, pattern: Text, activated: Flag }),
    phraselists: phraseLists,
    model_features: phraseLists,
    patterns: many({ pattern: Text, intent: Text }),
    utterances: many({
      text: Text,
      intent: Text,
      entities: maybe(Type.Array(labels(LEVELS_MAX), { maxItems: 1_000 })),
    }),
  }),
);
