/**
 * Estimates the head pose: the rotation of a 3D model head that fits the face points best, in orthographic
 * projection.
 */
import type { Point } from "./geometry.ts";

/** Degrees. `roll`: clockwise in the picture. `yaw`: towards the picture's right. `pitch`: upwards. */
export type HeadPose = { readonly pitch: number; readonly roll: number; readonly yaw: number };

type Vector = readonly [number, number, number];

/**
 * Model head. The unit is the distance between the outer corners of the eyes. Axes: right, down, away from
 * the camera.
 */
const MODEL: readonly (readonly [index: number, place: Vector])[] = [
  [36, [-0.5, 0, 0.12]],
  [39, [-0.17, 0.01, 0.02]],
  [42, [0.17, 0.01, 0.02]],
  [45, [0.5, 0, 0.12]],
  [27, [0, -0.02, -0.1]],
  [30, [0, 0.42, -0.36]],
  [31, [-0.17, 0.52, -0.1]],
  [33, [0, 0.56, -0.18]],
  [35, [0.17, 0.52, -0.1]],
  [48, [-0.29, 0.84, 0.02]],
  [51, [0, 0.78, -0.12]],
  [54, [0.29, 0.84, 0.02]],
  [57, [0, 0.96, -0.1]],
];

const sumOf = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
const minus = (a: Vector, b: Vector): Vector => sumOf(a, scaled(b, -1));
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a: Vector): Vector => scaled(a, 1 / Math.hypot(...a));
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const degrees = (radians: number): number => Math.round((radians * 1800) / Math.PI) / 10;

const CENTRE = scaled(
  MODEL.reduce<Vector>((sum, [, place]) => sumOf(sum, place), [0, 0, 0]),
  1 / MODEL.length,
);
const CENTRED = MODEL.map(([index, place]) => [index, minus(place, CENTRE)] as const);
type Direction = 0 | 1 | 2;
const spread = (row: Direction, column: Direction): number =>
  CENTRED.reduce((sum, [, place]) => sum + place[row] * place[column], 0);
const spreadRow = (row: Direction): Vector => [spread(row, 0), spread(row, 1), spread(row, 2)];
const inverseSpread = inverseOf([spreadRow(0), spreadRow(1), spreadRow(2)]);

export function headPoseOf(points: readonly Point[]): HeadPose {
  const across = unit(rowFor(points, "x"));
  const down = rowFor(points, "y");
  const below = unit(minus(down, scaled(across, dot(down, across))));
  const away = cross(across, below);
  return {
    pitch: degrees(-Math.atan2(away[1], away[2])),
    roll: degrees(Math.atan2(below[0], across[0])),
    yaw: degrees(Math.asin(Math.max(-1, Math.min(1, away[0])))),
  };
}

/** Projection of the model's three axes onto one axis of the picture, by least squares. */
function rowFor(points: readonly Point[], axis: "x" | "y"): Vector {
  const moments = CENTRED.reduce<Vector>(
    (sum, [index, place]) => sumOf(sum, scaled(place, points[index]?.[axis] ?? 0)),
    [0, 0, 0],
  );
  const [first, second, third] = inverseSpread;
  return [dot(first, moments), dot(second, moments), dot(third, moments)];
}

/** Inverse of a symmetric matrix, by the cross products of its rows. */
function inverseOf([a, b, c]: readonly [Vector, Vector, Vector]): readonly [Vector, Vector, Vector] {
  const by = 1 / dot(a, cross(b, c));
  return [scaled(cross(b, c), by), scaled(cross(c, a), by), scaled(cross(a, b), by)];
}
