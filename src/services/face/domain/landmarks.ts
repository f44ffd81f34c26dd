/**
 * The 27 public landmarks, each the mean of some of the model's 68 points. Left and right are those of the
 * picture.
 */
import { midpointOf, type Point } from "./geometry.ts";

const POINTS_OF_LANDMARKS = {
  pupilLeft: [37, 38, 40, 41],
  pupilRight: [43, 44, 46, 47],
  noseTip: [30],
  mouthLeft: [48],
  mouthRight: [54],
  eyebrowLeftOuter: [17],
  eyebrowLeftInner: [21],
  eyeLeftOuter: [36],
  eyeLeftTop: [37, 38],
  eyeLeftBottom: [40, 41],
  eyeLeftInner: [39],
  eyebrowRightInner: [22],
  eyebrowRightOuter: [26],
  eyeRightInner: [42],
  eyeRightTop: [43, 44],
  eyeRightBottom: [46, 47],
  eyeRightOuter: [45],
  noseRootLeft: [27, 39],
  noseRootRight: [27, 42],
  noseLeftAlarTop: [29, 31],
  noseRightAlarTop: [29, 35],
  noseLeftAlarOutTip: [31],
  noseRightAlarOutTip: [35],
  upperLipTop: [51],
  upperLipBottom: [62],
  underLipTop: [66],
  underLipBottom: [57],
} as const satisfies Readonly<Record<string, readonly number[]>>;
export type LandmarkName = keyof typeof POINTS_OF_LANDMARKS;
export const LANDMARKS = Object.keys(POINTS_OF_LANDMARKS) as readonly LandmarkName[];

const tenth = (value: number): number => Math.round(value * 10) / 10;

export function landmarksOf(points: readonly Point[]): Record<LandmarkName, Point> {
  const placed = LANDMARKS.map((name) => {
    const { x, y } = midpointOf(POINTS_OF_LANDMARKS[name].map((index) => points[index] as Point));
    return [name, { x: tenth(x), y: tenth(y) }];
  });
  return Object.fromEntries(placed);
}
