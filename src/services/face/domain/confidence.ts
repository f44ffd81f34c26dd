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
 * `equalError`: the distance with equal rates of false rejects and false accepts. `width`: how fast the
 * confidence falls around it.
 */
type Calibration = { readonly equalError: number; readonly width: number };
const calibrations: Readonly<Record<RecognitionModel, Calibration>> = {
  recognition_01: { equalError: 0.6, width: 0.06 },
  recognition_02: { equalError: 0.6, width: 0.06 },
  recognition_03: { equalError: 0.595, width: 0.06 },
  recognition_04: { equalError: 0.595, width: 0.06 },
};

/** Confidence at the equal-error distance. Pairs below it count as two people. */
export const EQUAL_ERROR_CONFIDENCE = 0.5;
export const equalErrorOf = (model: RecognitionModel): number => calibrations[model].equalError;

/** A logistic curve: 0.5 at the equal-error distance. */
export function confidenceOf(distance: number, model: RecognitionModel): number {
  const { equalError, width } = calibrations[model];
  return 1 / (1 + Math.exp((distance - equalError) / width));
}
