/** Names of detection and recognition models, and their valid combinations. */

export const DETECTION_MODELS = ["detection_01", "detection_02", "detection_03"] as const;
export type DetectionModel = (typeof DETECTION_MODELS)[number];

export const RECOGNITION_MODELS = [
  "recognition_01",
  "recognition_02",
  "recognition_03",
  "recognition_04",
] as const;
export type RecognitionModel = (typeof RECOGNITION_MODELS)[number];
