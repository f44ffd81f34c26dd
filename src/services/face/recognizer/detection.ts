/** Detects faces as boxes: first in the whole picture, then with further passes for missed faces. */
import type { DetectionModel } from "../domain/models.ts";
import { DETECTOR_SIZE, type Detector } from "./networks/detector.ts";
import type { Picture } from "./pictures/picture.ts";
import { levelled, sampleSquare, uprightSquare } from "./pictures/sampling.ts";

/** In pixels of the picture. */
export type Box = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly score: number;
};

const SCORE_MIN = 0.5;
/** Lower threshold if no other face was found. */
const FAINT_SCORE_MIN = 0.25;
/** Two boxes with more overlap are one face. */
const OVERLAP_MAX = 0.4;
/**
 * The detector works best for faces that cover a tenth to a third of its input. Faces that fill the picture,
 * and blurred ones, need a larger margin. These are the margins as multiples of the picture's side.
 */
const FROM_AFAR = [2, 3];
/** Tiles of a large picture, for faces that are too small in the whole. */
const TILE_SIDE = 720;
const TILE_OVERLAP = 120;

/** Smaller faces than these are left out. */
const FACES_MAX = 100;

/** Largest first. */
export const largestOf = (boxes: readonly Box[]): Box[] =>
  boxes.toSorted((one, other) => areaOf(other) - areaOf(one)).slice(0, FACES_MAX);

export function detectBoxes(picture: Picture, detector: Detector, model: DetectionModel): Box[] {
  const side = Math.max(picture.width, picture.height);
  // Small pictures are not enlarged, because that does not improve detection.
  const found = lookFromAfar(picture, detector, Math.max(side, DETECTOR_SIZE), { isLevelled: false });
  for (const times of FROM_AFAR)
    if (!found.some(isCertain))
      found.push(...lookFromAfar(picture, detector, side * times, { isLevelled: true }));
  if (seesSmall(model) || !found.some(isCertain)) found.push(...lookAtTiles(picture, detector));
  const certain = found.filter(isCertain);
  return withoutDoubles(certain.length > 0 ? certain : found);
}

const isCertain = ({ score }: Box): boolean => score >= SCORE_MIN;
/** Later models also detect small faces. */
const seesSmall = (model: DetectionModel): boolean => model !== "detection_01";

type Window = { readonly left: number; readonly top: number; readonly side: number };

function look(picture: Picture, detector: Detector, { left, top, side }: Window, isLevelled: boolean): Box[] {
  const seen = sampleSquare(picture, uprightSquare(left, top, side, DETECTOR_SIZE), DETECTOR_SIZE);
  const square = isLevelled ? levelled(seen) : seen;
  return detector.detect(square, FAINT_SCORE_MIN).flatMap(({ score, ...part }) => {
    const box = {
      left: Math.max(0, left + part.left * side),
      top: Math.max(0, top + part.top * side),
      right: Math.min(picture.width, left + part.right * side),
      bottom: Math.min(picture.height, top + part.bottom * side),
      score,
    };
    return box.right - box.left > 1 && box.bottom - box.top > 1 ? [box] : [];
  });
}

/** Detects faces with the picture centred in a square. */
function lookFromAfar(
  picture: Picture,
  detector: Detector,
  side: number,
  { isLevelled }: { readonly isLevelled: boolean },
): Box[] {
  const window = { left: (picture.width - side) / 2, top: (picture.height - side) / 2, side };
  return look(picture, detector, window, isLevelled);
}

function lookAtTiles(picture: Picture, detector: Detector): Box[] {
  const { width, height } = picture;
  if (Math.max(width, height) <= TILE_SIDE) return [];
  return startsOf(height).flatMap((top) =>
    startsOf(width).flatMap((left) =>
      look(picture, detector, { left, top, side: TILE_SIDE }, false).filter(
        (box) => !isCut(box, left, width) && !isCutBelow(box, top, height),
      ),
    ),
  );
}
function startsOf(length: number): number[] {
  const count = Math.max(1, Math.ceil((length - TILE_OVERLAP) / (TILE_SIDE - TILE_OVERLAP)));
  return Array.from({ length: count }, (_, i) =>
    count === 1 ? 0 : Math.round((i * (length - TILE_SIDE)) / (count - 1)),
  );
}
/** A box at an inner edge of a tile is complete in another tile, or in the whole picture. */
const EDGE = 2;
const isCut = (box: Box, left: number, width: number): boolean =>
  (left > 0 && box.left < left + EDGE) || (left + TILE_SIDE < width && box.right > left + TILE_SIDE - EDGE);
const isCutBelow = (box: Box, top: number, height: number): boolean =>
  (top > 0 && box.top < top + EDGE) || (top + TILE_SIDE < height && box.bottom > top + TILE_SIDE - EDGE);

/** Keeps the box with the best score for each face. */
function withoutDoubles(boxes: readonly Box[]): Box[] {
  const kept: Box[] = [];
  for (const box of [...boxes].sort((one, other) => other.score - one.score))
    if (!kept.some((better) => overlapOf(better, box) > OVERLAP_MAX)) kept.push(box);
  return kept;
}
const areaOf = (box: Box): number => (box.right - box.left) * (box.bottom - box.top);
/** Overlap relative to the smaller box, so that a box inside another counts as a duplicate. */
function overlapOf(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / Math.min(areaOf(one), areaOf(other));
}
