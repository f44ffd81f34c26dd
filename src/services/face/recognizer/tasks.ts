/** What the main thread asks of a worker, and what comes back. */
import type { DetectionModel, RecognitionModel } from "../domain/models.ts";
import type { FoundFace } from "./found-face.ts";

export type Task = {
  readonly picture: Uint8Array;
  readonly detectionModel: DetectionModel;
  /** Descriptors are made where one is named. */
  readonly recognitionModel?: RecognitionModel;
  readonly wantsExpressions?: boolean;
  readonly wantsAgeAndGender?: boolean;
  readonly wantsPixelMeasures?: boolean;
};
export type Looked = { readonly faces: readonly FoundFace[] };
export type Result =
  | Looked
  | { readonly problem: "invalidImage" | "invalidImageSize"; readonly message: string };
