/** How answers name kinds of entities. */
import type { EntitySource, FoundEntity } from "../recognition/prediction.ts";

type ModelType = { readonly modelTypeId: number; readonly modelType: string };

const MODEL_TYPES: Readonly<Record<EntitySource, ModelType>> = {
  model: { modelTypeId: 1, modelType: "Entity Extractor" },
  external: { modelTypeId: 1, modelType: "Entity Extractor" },
  prebuilt: { modelTypeId: 2, modelType: "Prebuilt Entity Extractor" },
  composite: { modelTypeId: 4, modelType: "Composite Entity Extractor" },
  list: { modelTypeId: 5, modelType: "List Entity Extractor" },
  pattern: { modelTypeId: 7, modelType: "Pattern.Any Entity Extractor" },
  regex: { modelTypeId: 8, modelType: "Regex Entity Extractor" },
};
const HIERARCHICAL: ModelType = { modelTypeId: 3, modelType: "Hierarchical Entity Extractor" };

export const modelOf = ({ source, entity }: FoundEntity): ModelType =>
  source === "model" && entity.includes("::") ? HIERARCHICAL : MODEL_TYPES[source];
