/** Request and response shapes of verify, identify, find similar and group. */
import { Type } from "@sinclair/typebox";
import { words } from "#kernel/shape";
import { containerId, uuidOf } from "./shared.ts";

const Confidence = Type.Number({
  minimum: 0,
  maximum: 1,
  description: "How sure it is that both are one person; 0.5 is as likely right as wrong.",
  examples: [0.93],
});
const faceIds = (least: number, most: number) =>
  Type.Array(uuidOf("face"), {
    minItems: least,
    maxItems: most,
    description: `The ids of ${least} to ${most} detected faces.`,
    examples: [["3fa85f64-5717-4562-b3fc-2c963f66afa6", "7c9e6679-7425-40de-944b-e07fc1f90ae7"]],
  });

/** Two faces, or a face and a person. */
export const VerifyBody = Type.Object({
  faceId1: Type.Optional(uuidOf("first face")),
  faceId2: Type.Optional(uuidOf("second face")),
  faceId: Type.Optional(uuidOf("face that is held against a person")),
  personId: Type.Optional(uuidOf("person")),
  personGroupId: Type.Optional(containerId("person's group")),
  largePersonGroupId: Type.Optional(containerId("person's large group")),
});
export const VerifyResult = Type.Object({
  isIdentical: Type.Boolean({ description: "Whether confidence is 0.5 or more." }),
  confidence: Confidence,
});

export const IdentifyBody = Type.Object({
  faceIds: faceIds(1, 10),
  personGroupId: Type.Optional(containerId("person group")),
  largePersonGroupId: Type.Optional(containerId("large person group")),
  maxNumOfCandidatesReturned: Type.Integer({
    minimum: 1,
    maximum: 5,
    default: 1,
    description: "How many persons are named for each face.",
  }),
  confidenceThreshold: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "The least confidence of a candidate; 0.5 where it is left out.",
      examples: [0.6],
    }),
  ),
});
export const IdentifyResults = Type.Array(
  Type.Object({
    faceId: uuidOf("face"),
    candidates: Type.Array(Type.Object({ personId: uuidOf("person"), confidence: Confidence }), {
      description: "Who it may be, the likeliest first.",
    }),
  }),
  { description: "For each face, in the order of the request." },
);

export const FindSimilarBody = Type.Object({
  faceId: uuidOf("face that is looked for"),
  faceListId: Type.Optional(containerId("face list to look in")),
  largeFaceListId: Type.Optional(containerId("large face list to look in")),
  faceIds: Type.Optional(faceIds(1, 1000)),
  maxNumOfCandidatesReturned: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 20,
    description: "How many faces are answered at the most.",
  }),
  mode: {
    ...words(["matchPerson", "matchFace"]),
    default: "matchPerson",
    description:
      "matchPerson: only faces of the same person. matchFace: the most similar faces of any person.",
  },
});
export const SimilarFaces = Type.Array(
  Type.Object({
    faceId: Type.Optional(uuidOf("detected face")),
    persistedFaceId: Type.Optional(uuidOf("face of the list")),
    confidence: Confidence,
  }),
  { description: "The faces, the most alike first." },
);

export const GroupBody = Type.Object({ faceIds: faceIds(2, 1000) });
export const GroupResult = Type.Object({
  groups: Type.Array(Type.Array(uuidOf("face")), {
    description: "Faces that look like one person each, the largest group first.",
  }),
  messyGroup: Type.Array(uuidOf("face"), { description: "Faces that look like no other." }),
});
