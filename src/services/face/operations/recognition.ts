/** Verify, identify, find similar and group, by the descriptors of detected faces. */
import { operationsFor } from "#kernel/operation";
import { confidenceOf, distanceBetween, SAME_PERSON_CONFIDENCE, thresholdOf } from "../domain/confidence.ts";
import type { Descriptor } from "../domain/descriptor.ts";
import { groupFaces } from "../domain/groups.ts";
import type { RecognitionModel } from "../domain/models.ts";
import { errors } from "../errors.ts";
import { getPersonDescriptors, getRecognitionModel, searchFaces, searchPersons } from "../search/index.ts";
import type { FaceContext, State } from "../state.ts";
import type { Tables } from "../tables.ts";
import * as wire from "../wire/recognition.ts";
import { type DetectedFace, getDetected, getDetectedOfOneModel, turn } from "./detected-faces.ts";

const operation = operationsFor<Tables, State>();

const rounded = (confidence: number): number => Math.round(confidence * 100_000) / 100_000;
const incompatible = () => errors.badArgument("'recognitionModel' is incompatible.");
const requireModel = (face: DetectedFace, model: RecognitionModel): void => {
  if (face.recognitionModel !== model) throw incompatible();
};

type NamedGroups = {
  readonly personGroupId?: string | undefined;
  readonly largePersonGroupId?: string | undefined;
};
function groupNamed({ personGroupId, largePersonGroupId }: NamedGroups) {
  if (personGroupId !== undefined && largePersonGroupId !== undefined)
    throw errors.bothGroupsNamed("Large person group ID and person group ID are both not null.");
  if (personGroupId !== undefined) return { kind: "persongroup", id: personGroupId } as const;
  if (largePersonGroupId !== undefined) return { kind: "largepersongroup", id: largePersonGroupId } as const;
  throw errors.noGroupNamed("Large person group ID and person group ID are both null.");
}

const verdict = (distance: number, model: RecognitionModel) => {
  const confidence = rounded(confidenceOf(distance, model));
  return { isIdentical: confidence >= SAME_PERSON_CONFIDENCE, confidence };
};

async function verifyFaces(ids: readonly [string, string], context: FaceContext) {
  const [one, other] = (await getDetected(ids, context, errors.faceNotFound)) as [DetectedFace, DetectedFace];
  requireModel(other, one.recognitionModel);
  return verdict(distanceBetween(one.descriptor, other.descriptor), one.recognitionModel);
}
async function verifyPerson(faceId: string, personId: string, named: NamedGroups, context: FaceContext) {
  const group = groupNamed(named);
  const [face] = (await getDetected([faceId], context, errors.faceNotFound)) as [DetectedFace];
  requireModel(face, await getRecognitionModel(context, group));
  const own = await getPersonDescriptors(context, group, personId);
  if (own.length === 0) throw errors.persistedFaceNotFound("No persisted face of the person is found.");
  return verdict(nearest(face.descriptor, own), face.recognitionModel);
}
const nearest = (descriptor: Descriptor, others: readonly Descriptor[]): number =>
  Math.min(...others.map((other) => distanceBetween(descriptor, other)));

const verify = operation({
  id: "face.verify",
  summary: "Compares two faces, or a face and a person",
  description:
    "Ids come from `face.detect` and must have the same recognition model. A person is compared by the nearest of their faces, with or without training.",
  method: "POST",
  path: "/verify",
  permission: "face:Verify",
  transaction: "read",
  body: wire.VerifyBody,
  answers: { 200: wire.VerifyResult },
  errors: [
    errors.badArgument,
    errors.faceNotFound,
    errors.namedPersonNotFound,
    errors.persistedFaceNotFound,
    errors.namedPersonGroupNotFound,
    errors.namedLargePersonGroupNotFound,
    errors.bothGroupsNamed,
    errors.noGroupNamed,
  ],
  examples: {
    body: {
      faceId1: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
      faceId2: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    },
  },
  async handle({ body }, context) {
    const { faceId, personId, faceId1, faceId2 } = body;
    if (faceId1 !== undefined && faceId2 !== undefined) return verifyFaces([faceId1, faceId2], context);
    if (faceId !== undefined && personId !== undefined) return verifyPerson(faceId, personId, body, context);
    throw errors.badArgument(
      "Request body is invalid: faceId1 and faceId2, or faceId and personId, are needed.",
    );
  },
});

const identify = operation({
  id: "face.identify",
  summary: "Identifies faces among the persons of a trained group",
  description:
    "Uses the last completed training, so later faces are not found. Candidates below the confidence threshold are left out; without one, the threshold is that of `isIdentical`. The recognition model of faces and group must agree.",
  method: "POST",
  path: "/identify",
  permission: "face:Identify",
  transaction: "read",
  body: wire.IdentifyBody,
  answers: { 200: wire.IdentifyResults },
  errors: [
    errors.badArgument,
    errors.namedFaceNotFound,
    errors.namedPersonGroupNotFound,
    errors.namedLargePersonGroupNotFound,
    errors.personGroupNotTrained,
    errors.largePersonGroupNotTrained,
    errors.personGroupTrainingNotFinished,
    errors.largePersonGroupTrainingNotFinished,
    errors.bothGroupsNamed,
    errors.noGroupNamed,
  ],
  examples: { body: { personGroupId: "family", faceIds: ["3fa85f64-5717-4562-b3fc-2c963f66afa6"] } },
  async handle({ body }, context) {
    const group = groupNamed(body);
    const model = await getRecognitionModel(context, group);
    const faces = await getDetected(body.faceIds, context, errors.namedFaceNotFound);
    for (const face of faces) requireModel(face, model);
    const descriptors = faces.map(({ descriptor }) => descriptor);
    const found = await searchPersons(context, group, descriptors, body.maxNumOfCandidatesReturned);
    const least = body.confidenceThreshold ?? SAME_PERSON_CONFIDENCE;
    return body.faceIds.map((faceId, i) => ({
      faceId,
      candidates: (found[i] ?? [])
        .map(({ personId, distance }) => ({ personId, confidence: rounded(confidenceOf(distance, model)) }))
        .filter(({ confidence }) => confidence >= least),
    }));
  },
});

type Similar = { readonly faceId?: string; readonly persistedFaceId?: string; readonly distance: number };
type Places = {
  readonly faceIds?: readonly string[] | undefined;
  readonly faceListId?: string | undefined;
  readonly largeFaceListId?: string | undefined;
};

/** Exactly one search target must be given. */
function refuseSeveralPlaces({ faceIds, faceListId, largeFaceListId }: Places): void {
  const named = [faceIds, faceListId, largeFaceListId].filter((place) => place !== undefined).length;
  if (named === 0) throw errors.badArgument("LargeFaceListId, faceListId and faceIds are all null.");
  if (named > 1)
    throw errors.badArgument("2 or more of largeFaceListId, faceListId and faceIds are not null.");
}

async function similarIn(
  places: Places,
  face: DetectedFace,
  limit: number,
  context: FaceContext,
): Promise<Similar[]> {
  const { faceIds, faceListId, largeFaceListId } = places;
  if (faceIds) {
    const others = await getDetected([...new Set(faceIds)], context, errors.namedFaceNotFound);
    for (const other of others) requireModel(other, face.recognitionModel);
    return others
      .map(({ id, descriptor }) => ({ faceId: id, distance: distanceBetween(face.descriptor, descriptor) }))
      .sort((one, other) => one.distance - other.distance || (one.faceId < other.faceId ? -1 : 1))
      .slice(0, limit);
  }
  const list =
    faceListId === undefined
      ? ({ kind: "largefacelist", id: largeFaceListId ?? "" } as const)
      : ({ kind: "facelist", id: faceListId } as const);
  requireModel(face, await getRecognitionModel(context, list));
  return searchFaces(context, list, face.descriptor, limit);
}

const findSimilar = operation({
  id: "face.findSimilar",
  summary: "Finds the faces that are most similar to one",
  description:
    "Searches in given face ids, a face list (its present faces) or a large face list (its last training). Exactly one of them must be given. With the mode `matchPerson`, faces that are not the same person are left out.",
  method: "POST",
  path: "/findsimilars",
  permission: "face:FindSimilar",
  transaction: "read",
  body: wire.FindSimilarBody,
  answers: { 200: wire.SimilarFaces },
  errors: [
    errors.badArgument,
    errors.namedFaceNotFound,
    errors.namedFaceListNotFound,
    errors.namedLargeFaceListNotFound,
    errors.largeFaceListNotTrained,
    errors.largeFaceListTrainingNotFinished,
    errors.faceListNotReady,
  ],
  examples: { body: { faceId: "3fa85f64-5717-4562-b3fc-2c963f66afa6", faceListId: "visitors" } },
  async handle({ body }, context) {
    refuseSeveralPlaces(body);
    const [face] = (await getDetected([body.faceId], context, errors.namedFaceNotFound)) as [DetectedFace];
    const similar = await similarIn(body, face, body.maxNumOfCandidatesReturned, context);
    const answered = similar.map(({ distance, ...id }) => ({
      ...id,
      confidence: rounded(confidenceOf(distance, face.recognitionModel)),
    }));
    return body.mode === "matchFace"
      ? answered
      : answered.filter(({ confidence }) => confidence >= SAME_PERSON_CONFIDENCE);
  },
});

/** Rows of distances computed before the loop yields. */
const ROWS_AT_ONCE = 20;

async function distancesAmong(faces: readonly DetectedFace[]): Promise<Float32Array[]> {
  const rows: Float32Array[] = [];
  for (const face of faces) {
    rows.push(Float32Array.from(faces, (other) => distanceBetween(face.descriptor, other.descriptor)));
    if (rows.length % ROWS_AT_ONCE === 0) await turn();
  }
  return rows;
}

const group = operation({
  id: "face.group",
  summary: "Groups faces by person",
  description:
    "Faces without a similar one are in `messyGroup`. The faces must have the same recognition model. Nothing is stored.",
  method: "POST",
  path: "/group",
  permission: "face:Group",
  transaction: "read",
  body: wire.GroupBody,
  answers: { 200: wire.GroupResult },
  errors: [errors.badArgument, errors.namedFaceNotFound],
  examples: {
    body: {
      faceIds: ["3fa85f64-5717-4562-b3fc-2c963f66afa6", "7c9e6679-7425-40de-944b-e07fc1f90ae7"],
    },
  },
  async handle({ body }, context) {
    const faces = await getDetectedOfOneModel([...new Set(body.faceIds)].sort(), context);
    const model = faces[0]?.recognitionModel as RecognitionModel;
    const { groups, messy } = await groupFaces(await distancesAmong(faces), thresholdOf(model), turn);
    const idOf = (index: number): string => faces[index]?.id as string;
    return { groups: groups.map((members) => members.map(idOf)), messyGroup: messy.map(idOf) };
  },
});

export const recognitionOperations = [verify, identify, findSimilar, group];
