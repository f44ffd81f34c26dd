/** Selects one face of a picture to store with a person or in a list. */
import type { Descriptor } from "../domain/descriptor.ts";
import { overlapOf, type Rectangle } from "../domain/geometry.ts";
import type { DetectionModel, RecognitionModel } from "../domain/models.ts";
import { errors } from "../errors.ts";
import type { FoundFace } from "../recognizer/index.ts";
import type { FaceContext } from "../state.ts";
import { pictureBytesOf, type SentPicture } from "./picture.ts";

export type TakenPicture = {
  readonly body: SentPicture;
  readonly query: { readonly targetFace?: string | undefined; readonly detectionModel: DetectionModel };
};

/** Minimum intersection over union of a detected face and the caller's rectangle. */
const OVERLAP_MIN = 0.3;
const WHOLE_NUMBER = /^\d{1,6}$/;

/** Waits for the picture and the networks, so it must run outside of a transaction. */
export async function takeFace(
  { body, query }: TakenPicture,
  context: FaceContext,
  recognitionModel: RecognitionModel,
): Promise<Descriptor> {
  const target = query.targetFace === undefined ? undefined : rectangleOf(query.targetFace);
  const picture = await pictureBytesOf(body, context);
  const { detectionModel } = query;
  const { faces } = await context.state.recognizer.look(context.account, {
    picture,
    detectionModel,
    recognitionModel,
  });
  return (target ? faceAt(faces, target) : onlyFace(faces)).descriptor as Descriptor;
}

function rectangleOf(text: string): Rectangle {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.length !== 4 || !parts.every((part) => WHOLE_NUMBER.test(part)))
    throw errors.badArgument("Invalid argument targetFace: left,top,width,height in pixels are needed.");
  const [left, top, width, height] = parts.map(Number) as [number, number, number, number];
  if (width === 0 || height === 0) throw errors.badArgument("Invalid argument targetFace: it has no area.");
  return { left, top, width, height };
}

function faceAt(faces: readonly FoundFace[], target: Rectangle): FoundFace {
  const [best] = [...faces].sort(
    (one, other) => overlapOf(other.rectangle, target) - overlapOf(one.rectangle, target),
  );
  if (!best) throw errors.invalidImage("No face detected in the image.");
  if (overlapOf(best.rectangle, target) < OVERLAP_MIN)
    throw errors.badArgument("Argument targetFace out of range: no face of the image is there.");
  return best;
}
function onlyFace(faces: readonly FoundFace[]): FoundFace {
  const [first, second] = faces;
  if (!first) throw errors.invalidImage("No face detected in the image.");
  if (second) throw errors.invalidImage("There is more than 1 face in the image: name one by targetFace.");
  return first;
}
