/** Processes one picture: decodes it, detects faces and measures the requested attributes. */
import type { Descriptor } from "../domain/descriptor.ts";
import type { Point } from "../domain/geometry.ts";
import type { RecognitionModel } from "../domain/models.ts";
import { descriptorSquareOf, pointsOf, squareAround } from "./alignment.ts";
import { type Box, detectBoxes, largestOf } from "./detection.ts";
import type { FoundFace } from "./found-face.ts";
import { measurePixels } from "./measures.ts";
import { DESCRIPTOR_SQUARE_SIZE, type DescriptorNetwork } from "./networks/descriptor.ts";
import { FEATURES_SIZE } from "./networks/face-features.ts";
import { networks } from "./networks/index.ts";
import type { Picture } from "./pictures/picture.ts";
import { readPicture } from "./pictures/read.ts";
import { mirrored, type Similarity, sampleSquare } from "./pictures/sampling.ts";
import type { Looked, Task } from "./tasks.ts";

export async function look(task: Task): Promise<Looked> {
  const picture = await readPicture(task.picture);
  const boxes = detectBoxes(picture, await networks.detector(), task.detectionModel);
  const faces: FoundFace[] = [];
  for (const box of largestOf(boxes)) faces.push(await faceIn(picture, box, task));
  return { faces };
}

async function faceIn(picture: Picture, box: Box, task: Task): Promise<FoundFace> {
  const points = pointsOf(picture, box, await networks.points());
  const square = [sampleSquare(picture, squareAround(box), FEATURES_SIZE)];
  return {
    rectangle: rectangleOf(picture, box),
    points: points.map(({ x, y }) => ({ x: x * picture.scale, y: y * picture.scale })),
    ...(task.recognitionModel && {
      descriptor: describe(picture, points, await networks.descriptor(), task.recognitionModel),
    }),
    ...(task.wantsExpressions && { expressions: (await networks.expressions()).expressions(square)[0] }),
    ...(task.wantsAgeAndGender && (await networks.ageGender()).agesAndGenders(square)[0]),
    ...(task.wantsPixelMeasures && { pixels: measurePixels(picture, points) }),
  } as FoundFace;
}

function rectangleOf({ scale }: Picture, box: Box) {
  const left = Math.round(box.left * scale);
  const top = Math.round(box.top * scale);
  return {
    left,
    top,
    width: Math.max(1, Math.round(box.right * scale) - left),
    height: Math.max(1, Math.round(box.bottom * scale) - top),
  };
}

/** Zoom factors of the squares whose descriptors are averaged, by model. */
const ZOOMS: Readonly<Record<RecognitionModel, readonly number[]>> = {
  recognition_01: [1],
  recognition_02: [1],
  recognition_03: [1, 1.06],
  recognition_04: [1, 1.06],
};

/** Mean descriptor of the face, its mirror image and, for later models, a slightly wider view. */
function describe(
  picture: Picture,
  points: readonly Point[],
  network: DescriptorNetwork,
  model: RecognitionModel,
): Descriptor {
  const size = DESCRIPTOR_SQUARE_SIZE;
  const square = descriptorSquareOf(points, size);
  const seen = ZOOMS[model].flatMap((zoom) => {
    const plain = sampleSquare(picture, zoomed(square, zoom, size), size);
    return [plain, mirrored(plain, size)];
  });
  const descriptors = network.descriptors(seen);
  return descriptors[0]?.map(
    (_, i) => descriptors.reduce((sum, one) => sum + (one[i] as number), 0) / descriptors.length,
  ) as Descriptor;
}
function zoomed({ a, b, x, y }: Similarity, zoom: number, size: number): Similarity {
  const half = (size * (1 - zoom)) / 2;
  return { a: a * zoom, b: b * zoom, x: x + a * half - b * half, y: y + b * half + a * half };
}
