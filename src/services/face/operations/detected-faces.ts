/** Loads detected faces by ID and decrypts them. */
import { type Descriptor, descriptorOf } from "../domain/descriptor.ts";
import type { RecognitionModel } from "../domain/models.ts";
import { errors } from "../errors.ts";
import type { FaceContext } from "../state.ts";
import { listDetected } from "../store/detected.ts";

export type DetectedFace = {
  readonly id: string;
  readonly recognitionModel: RecognitionModel;
  readonly descriptor: Descriptor;
};

/** Faces decrypted before the loop yields. */
const OPENED_AT_ONCE = 200;
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** In the order of the IDs. `notFound`: error for an unknown or expired ID. */
export async function getDetected(
  ids: readonly string[],
  { db, account, clock, secrets }: FaceContext,
  notFound: typeof errors.faceNotFound,
): Promise<DetectedFace[]> {
  const spelt = ids.map((id) => id.toLowerCase());
  const rows = await listDetected(db, account, spelt, clock.nowMs());
  const byId = new Map(rows.map((row) => [row.id, row]));
  const faces: DetectedFace[] = [];
  for (const id of spelt) {
    const row = byId.get(id);
    if (!row) throw notFound(`Face '${id}' is not found.`);
    faces.push({
      id,
      recognitionModel: row.recognition_model as RecognitionModel,
      descriptor: descriptorOf(secrets.open(row.descriptor)),
    });
    if (faces.length % OPENED_AT_ONCE === 0) await turn();
  }
  return faces;
}

export async function getDetectedOfOneModel(
  ids: readonly string[],
  context: FaceContext,
): Promise<DetectedFace[]> {
  const faces = await getDetected(ids, context, errors.namedFaceNotFound);
  if (faces.some(({ recognitionModel }) => recognitionModel !== faces[0]?.recognitionModel))
    throw errors.badArgument("'recognitionModel' is incompatible.");
  return faces;
}
