/** Face points, and the aligned square for the descriptor network. */
import { midpointOf, type Point } from "../domain/geometry.ts";
import type { Box } from "./detection.ts";
import { FEATURES_SIZE, type PointsNetwork } from "./networks/face-features.ts";
import type { Picture } from "./pictures/picture.ts";
import { mirrored, type Similarity, sampleSquare } from "./pictures/sampling.ts";

const POINTS = 68;
/**
 * First and last indexes of model points: eyes by their side in the picture, base of the nose, corners of
 * the mouth.
 */
const EYE_ON_THE_LEFT = [36, 41] as const;
const EYE_ON_THE_RIGHT = [42, 47] as const;
const NOSE_BASE = [31, 35] as const;
const MOUTH_ON_THE_LEFT = [48, 48] as const;
const MOUTH_ON_THE_RIGHT = [54, 54] as const;
const ANCHORS = [EYE_ON_THE_LEFT, EYE_ON_THE_RIGHT, NOSE_BASE, MOUTH_ON_THE_LEFT, MOUTH_ON_THE_RIGHT];
/** Positions of the anchors in the training pictures of the descriptor network, relative to the square. */
const ANCHORS_AT: readonly Point[] = [
  { x: 0.317, y: 0.311 },
  { x: 0.67, y: 0.311 },
  { x: 0.493, y: 0.574 },
  { x: 0.336, y: 0.687 },
  { x: 0.651, y: 0.687 },
];
/** Positions of the anchors in the square for the second pass of the points network. */
const ANCHORS_FOR_POINTS: readonly Point[] = ANCHORS_AT.map(({ x, y }) => ({
  x: 0.5 + (x - 0.493) * 1.18,
  y: 0.53 + (y - 0.5) * 1.18,
}));

/** Index of the mirrored point for each point. */
const IN_THE_MIRROR: readonly number[] = mirrorTable();
function mirrorTable(): number[] {
  const table = Array.from({ length: POINTS }, (_, i) => i);
  const swap = (a: number, b: number) => {
    table[a] = b;
    table[b] = a;
  };
  const swapEnds = (first: number, last: number) => {
    for (let i = 0; first + i < last - i; i += 1) swap(first + i, last - i);
  };
  swapEnds(0, 16);
  swapEnds(17, 26);
  swapEnds(31, 35);
  for (const [a, b] of [
    [36, 45],
    [37, 44],
    [38, 43],
    [39, 42],
    [40, 47],
    [41, 46],
  ] as const)
    swap(a, b);
  swapEnds(48, 54);
  swapEnds(55, 59);
  swapEnds(60, 64);
  swapEnds(65, 67);
  return table;
}

/** Two passes: on the detected box, then on the aligned face and its mirror image. */
export function pointsOf(picture: Picture, box: Box, network: PointsNetwork): Point[] {
  const first = pointsIn(picture, squareAround(box), network);
  return pointsIn(picture, similarityTo(anchorsOf(first), ANCHORS_FOR_POINTS, FEATURES_SIZE), network);
}

export function squareAround({ left, top, right, bottom }: Box): Similarity {
  const side = Math.max(right - left, bottom - top);
  return {
    a: side / FEATURES_SIZE,
    b: 0,
    x: (left + right - side) / 2,
    y: (top + bottom - side) / 2,
  };
}
function pointsIn(picture: Picture, square: Similarity, network: PointsNetwork): Point[] {
  const seen = sampleSquare(picture, square, FEATURES_SIZE);
  const [plain, turned] = network.points([seen, mirrored(seen, FEATURES_SIZE)]) as [
    Float32Array,
    Float32Array,
  ];
  return Array.from({ length: POINTS }, (_, i) => {
    const twin = IN_THE_MIRROR[i] as number;
    const u = (((plain[i * 2] as number) + 1 - (turned[twin * 2] as number)) / 2) * FEATURES_SIZE;
    const v = (((plain[i * 2 + 1] as number) + (turned[twin * 2 + 1] as number)) / 2) * FEATURES_SIZE;
    return { x: square.a * u - square.b * v + square.x, y: square.b * u + square.a * v + square.y };
  });
}

const anchorsOf = (points: readonly Point[]): Point[] =>
  ANCHORS.map(([first, last]) => midpointOf(points.slice(first, last + 1)));

/** The aligned square for the descriptor network. */
export const descriptorSquareOf = (points: readonly Point[], size: number): Similarity =>
  similarityTo(anchorsOf(points), ANCHORS_AT, size);

/** Transform from the square to the picture, by least squares over the anchors. */
function similarityTo(anchors: readonly Point[], places: readonly Point[], size: number): Similarity {
  const from = places.map(({ x, y }) => ({ x: x * size, y: y * size }));
  const fromMean = midpointOf(from);
  const toMean = midpointOf(anchors);
  let [along, across, spread] = [0, 0, 0];
  from.forEach((place, i) => {
    const anchor = anchors[i] as Point;
    const [ux, uy] = [place.x - fromMean.x, place.y - fromMean.y];
    const [vx, vy] = [anchor.x - toMean.x, anchor.y - toMean.y];
    along += ux * vx + uy * vy;
    across += ux * vy - uy * vx;
    spread += ux * ux + uy * uy;
  });
  const [a, b] = [along / spread, across / spread];
  return {
    a,
    b,
    x: toMean.x - a * fromMean.x + b * fromMean.y,
    y: toMean.y - b * fromMean.x - a * fromMean.y,
  };
}
