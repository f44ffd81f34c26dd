/** Shapes that many operations share. */
import { Type } from "@sinclair/typebox";
import { words } from "#kernel/shape";
import { DETECTION_MODELS, RECOGNITION_MODELS } from "../domain/models.ts";

const ID_EXAMPLE = "3fa85f64-5717-4562-b3fc-2c963f66afa6";
/** Owners choose the IDs of groups and lists. */
const CONTAINER_ID = "^[a-z0-9-_]+$";

export const containerId = (of: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: CONTAINER_ID,
    description: `The id of the ${of}: small letters, digits, - and _.`,
    examples: ["family"],
  });
export const uuidOf = (of: string) =>
  Type.String({ format: "uuid", maxLength: 36, description: `The id of the ${of}.`, examples: [ID_EXAMPLE] });

export const RecognitionModelName = {
  ...words(RECOGNITION_MODELS),
  description: "Which descriptors are made; those of different models are never compared.",
  default: "recognition_01",
};
export const DetectionModelName = {
  ...words(DETECTION_MODELS),
  description: "How faces are looked for.",
  default: "detection_01",
};
export const ReturnRecognitionModel = Type.Boolean({
  description: "Whether the answer names the recognition model.",
  default: false,
});
export const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "What it is called.",
  examples: ["Family"],
});
export const UserData = Type.String({
  maxLength: 16_384,
  description: "Whatever its owner wants kept with it.",
  examples: ["Holidays 2030"],
});
export const FaceUserData = Type.String({
  maxLength: 1024,
  description: "Whatever its owner wants kept with the face.",
  examples: ["Holidays 2030, third picture"],
});
export const TargetFace = Type.String({
  maxLength: 60,
  description:
    "Which face of the picture is meant, as left,top,width,height; needed where there are several.",
  examples: ["10,20,120,120"],
});

/** A picture: its URL in JSON, or its bytes as application/octet-stream. */
export const ImageBody = Type.Union(
  [
    Type.Object({
      url: Type.String({
        minLength: 1,
        maxLength: 8192,
        description: "Where the picture is fetched from.",
        examples: ["https://pictures.example/family.jpg"],
      }),
    }),
    Type.Uint8Array(),
  ],
  { description: "The picture: JPEG, PNG, GIF (its first frame), BMP or WebP, from 1 KB to 6 MB." },
);

/** Options of operations that take a picture. */
export const TAKES_PICTURE = {
  transaction: "manual",
  bodyKinds: ["json", "binary"],
  privateBody: true,
  bodyBytesMax: 6 * 1024 * 1024,
  timeoutSeconds: 120,
} as const;

/** The query of operations that add a face. */
export const AddFaceQuery = Type.Object({
  userData: Type.Optional(FaceUserData),
  targetFace: Type.Optional(TargetFace),
  detectionModel: DetectionModelName,
});
export const AddedFace = Type.Object({ persistedFaceId: uuidOf("face") });
