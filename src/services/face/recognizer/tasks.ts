/** Messages between the main thread and workers. */
import type { DetectionModel, RecognitionModel } from "../domain/models.ts";
import type { FoundFace } from "./found-face.ts";

export type Task = {
  readonly picture: Uint8Array;
  readonly detectionModel: DetectionModel;
  /** Descriptors are computed only if a model is given. */
  readonly recognitionModel?: RecognitionModel;
  readonly wantsExpressions?: boolean;
  readonly wantsAgeAndGender?: boolean;
  readonly wantsPixelMeasures?: boolean;
};
export type Looked = { readonly faces: readonly FoundFace[] };
export type Result =
  | Looked
  | { readonly problem: "invalidImage" | "invalidImageSize"; readonly message: string };
