/** Phrase lists and patterns, as clients spell them. */
import { Type } from "@sinclair/typebox";
import type { PhraseList } from "../domain/content.ts";
import type { Feature } from "../store/features.ts";
import { Count, Guid } from "./shared.ts";

const Text = Type.Union([Type.String({ maxLength: 2_000_000 }), Type.Null()]);
export const NewPhraseList = Type.Object({
  name: Type.Optional(Text),
  phrases: Type.Optional(Text),
  isExchangeable: Type.Optional(Type.Boolean({ default: true })),
  enabledForAllModels: Type.Optional(Type.Boolean({ default: true })),
});
/** Absent members stay unchanged. */
export const PhraseListChange = Type.Object({
  name: Type.Optional(Text),
  phrases: Type.Optional(Text),
  isActive: Type.Optional(Type.Boolean()),
  isExchangeable: Type.Optional(Type.Boolean()),
  enabledForAllModels: Type.Optional(Type.Boolean()),
  pattern: Type.Optional(
    Type.String({
      description: "Its phrases, under the contract's other name.",
      examples: ["spring,summer,autumn,winter"],
    }),
  ),
  mode: Type.Optional(
    Type.Boolean({ description: "isExchangeable, under the contract's other name.", examples: [true] }),
  ),
});
export const PhraseListView = Type.Object({
  id: Count,
  name: Type.String(),
  phrases: Type.String(),
  isExchangeable: Type.Boolean(),
  isActive: Type.Boolean(),
  enabledForAllModels: Type.Boolean(),
});
export const phraseListShown = ({
  id,
  name,
  phrases,
  isExchangeable,
  isActive,
  enabledForAllModels,
}: PhraseList) => ({
  id,
  name,
  phrases: phrases.join(","),
  isExchangeable,
  isActive,
  enabledForAllModels,
});
export const FeaturesView = Type.Object({
  phraselistFeatures: Type.Array(PhraseListView),
  patternFeatures: Type.Array(
    Type.Object({
      id: Count,
      name: Type.String(),
      pattern: Type.String(),
      isActive: Type.Boolean(),
      enabledForAllModels: Type.Boolean(),
    }),
  ),
});
export const featuresShown = (features: readonly Feature[]) => ({
  phraselistFeatures: features.flatMap((feature) =>
    feature.kind === "phrases" ? [phraseListShown(feature)] : [],
  ),
  patternFeatures: features.flatMap((feature) =>
    feature.kind === "regex"
      ? [
          {
            id: feature.id,
            name: feature.name,
            pattern: feature.pattern,
            isActive: feature.isActive,
            enabledForAllModels: true,
          },
        ]
      : [],
  ),
});

export const NewPattern = Type.Object({
  pattern: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
  intent: Type.Optional(Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()])),
});
export const PatternChange = Type.Object({ id: Type.Optional(Guid), ...NewPattern.properties });
export const PatternView = Type.Object({ id: Guid, pattern: Type.String(), intent: Type.String() });
