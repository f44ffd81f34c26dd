/** Similarity of two faces: a distance and a calibrated confidence. */
import type { Descriptor } from "./descriptor.ts";
import type { RecognitionModel } from "./models.ts";

export function distanceBetween(a: Descriptor, b: Descriptor): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) {
    const difference = (a[i] as number) - (b[i] as number);
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}

/**
 * `threshold`: the distance that decides most pairs correctly, original and degraded photographs counted equally.
 * `width`: how fast the confidence falls around it. `tools/face-accuracy.mjs` measures the threshold.
 */
type Calibration = { readonly threshold: number; readonly width: number };
const calibrations: Readonly<Record<RecognitionModel, Calibration>> = {
  recognition_01: { threshold: 0.589, width: 0.06 },
  recognition_02: { threshold: 0.589, width: 0.06 },
  recognition_03: { threshold: 0.57, width: 0.06 },
  recognition_04: { threshold: 0.57, width: 0.06 },
};

/** Confidence at the threshold. Pairs below it count as two people. */
export const SAME_PERSON_CONFIDENCE = 0.5;
export const thresholdOf = (model: RecognitionModel): number => calibrations[model].threshold;

/** A logistic curve: 0.5 at the threshold. */
export function confidenceOf(distance: number, model: RecognitionModel): number {
  const { threshold, width } = calibrations[model];
  return 1 / (1 + Math.exp((distance - threshold) / width));
}
