/** Detection: the faces of a picture, with temporary IDs for comparisons. */
import { Type } from "@sinclair/typebox";
import { operationsFor } from "#kernel/operation";
import * as attributes from "../domain/attributes.ts";
import { type Descriptor, textOf } from "../domain/descriptor.ts";
import { headPoseOf } from "../domain/head-pose.ts";
import { landmarksOf } from "../domain/landmarks.ts";
import { levelFor, qualityFor } from "../domain/versions.ts";
import { errors } from "../errors.ts";
import { planForgetting } from "../jobs/forget.ts";
import type { FoundFace } from "../recognizer/index.ts";
import { allowsDemographics } from "../settings.ts";
import type { FaceContext, State } from "../state.ts";
import { insertDetected } from "../store/detected.ts";
import type { DetectedRow, Tables } from "../tables.ts";
import * as wire from "../wire/detect.ts";
import { ImageBody, TAKES_PICTURE } from "../wire/shared.ts";
import { PICTURE_ERRORS, pictureBytesOf } from "./picture.ts";

const operation = operationsFor<Tables, State>();
const NEEDS_PIXELS: readonly attributes.Measured[] = ["blur", "exposure", "noise", "qualityForRecognition"];

const detect = operation({
  ...TAKES_PICTURE,
  id: "face.detect",
  summary: "Detects the faces of a picture",
  description:
    "Send the picture as application/octet-stream, or its URL in JSON, which is fetched within 20 seconds (6 MB). The largest face comes first. Face ids expire after `faceIdTimeToLive` seconds, a day by default; their descriptors are stored encrypted, the picture is not stored. Use the ids in `face.verify`, `face.identify` or `face.findSimilar`.",
  method: "POST",
  path: "/detect",
  permission: "face:Detect",
  query: wire.DetectQuery,
  body: ImageBody,
  answers: { 200: Type.Array(wire.DetectedFaceView, { description: "The faces, the largest first." }) },
  errors: PICTURE_ERRORS,
  examples: { body: { url: "https://pictures.example/family.jpg" } },
  async handle({ query, body }, context) {
    const { detectionModel, recognitionModel } = query;
    if (query.returnFaceLandmarks && detectionModel === "detection_02")
      throw errors.badArgument("'returnLandmarks' is not supported by detection_02.");
    const wanted = attributes.attributesOf(query.returnFaceAttributes ?? "", {
      detectionModel,
      recognitionModel,
      demographics: allowsDemographics(context.config),
    });
    const { faces } = await context.state.recognizer.look(context.account, {
      picture: await pictureBytesOf(body, context),
      detectionModel,
      ...(query.returnFaceId && { recognitionModel }),
      wantsExpressions: wanted.includes("smile") || wanted.includes("emotion"),
      wantsAgeAndGender: wanted.includes("age") || wanted.includes("gender"),
      wantsPixelMeasures: NEEDS_PIXELS.some((name) => wanted.includes(name)),
    });
    const ids = query.returnFaceId ? await keep(faces, query, context) : [];
    return faces.map((face, i) => ({
      ...(query.returnFaceId && { faceId: ids[i] as string }),
      ...(query.returnRecognitionModel && { recognitionModel }),
      faceRectangle: face.rectangle,
      ...(query.returnFaceLandmarks && { faceLandmarks: landmarksOf(face.points) }),
      ...(wanted.length > 0 && { faceAttributes: attributesOf(face, wanted, context) }),
    }));
  },
});

async function keep(
  faces: readonly FoundFace[],
  { recognitionModel, faceIdTimeToLive }: { recognitionModel: string; faceIdTimeToLive: number },
  context: FaceContext,
): Promise<string[]> {
  const expiresAtMs = context.clock.nowMs() + faceIdTimeToLive * 1000;
  const rows = faces.map(
    ({ descriptor }): DetectedRow => ({
      account: context.account,
      id: context.ids.uuid(),
      recognition_model: recognitionModel,
      descriptor: context.secrets.seal(textOf(descriptor as Descriptor)),
      expires_at: expiresAtMs,
    }),
  );
  if (rows.length > 0)
    await context.transact(async (within) => {
      await insertDetected(within.db, rows);
      await planForgetting(within);
    });
  return rows.map(({ id }) => id);
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function attributesOf(
  face: FoundFace,
  wanted: readonly attributes.Measured[],
  context: FaceContext,
): wire.FaceAttributesView {
  const { points, expressions, pixels, age = 0, maleProbability = 0 } = face;
  const has = (name: attributes.Measured): boolean => wanted.includes(name);
  const emotion =
    expressions &&
    Object.fromEntries(Object.entries(expressions).map(([name, value]) => [name, rounded(value)]));
  return {
    ...(has("age") && { age: Math.round(Math.max(0, age) * 10) / 10 }),
    ...(has("gender") && { gender: maleProbability > 0.5 ? "male" : "female" }),
    ...(has("headPose") && { headPose: headPoseOf(points) }),
    ...(has("smile") && expressions && { smile: rounded(expressions.happiness) }),
    ...(has("emotion") && emotion && { emotion: emotion as wire.FaceAttributesView["emotion"] }),
    ...(pixels && pixelAttributesOf(face, pixels, has, context)),
  } as wire.FaceAttributesView;
}
function pixelAttributesOf(
  { points }: FoundFace,
  pixels: attributes.PixelMeasures,
  has: (name: attributes.Measured) => boolean,
  context: FaceContext,
): wire.FaceAttributesView {
  const { blurLevel, value: blur } = attributes.blurOf(pixels);
  const { exposureLevel, value: exposure } = attributes.exposureOf(pixels);
  const { noiseLevel, value: noise } = attributes.noiseOf(pixels);
  const quality = attributes.qualityOf(eyesApartOf(points), headPoseOf(points), pixels);
  return {
    ...(has("blur") && { blur: { blurLevel: levelFor(context, blurLevel), value: blur } }),
    ...(has("exposure") && {
      exposure: { exposureLevel: levelFor(context, exposureLevel), value: exposure },
    }),
    ...(has("noise") && { noise: { noiseLevel: levelFor(context, noiseLevel), value: noise } }),
    ...(has("qualityForRecognition") && { qualityForRecognition: qualityFor(quality) }),
  };
}
function eyesApartOf(points: FoundFace["points"]): number {
  const { pupilLeft, pupilRight } = landmarksOf(points);
  return Math.hypot(pupilRight.x - pupilLeft.x, pupilRight.y - pupilLeft.y);
}

export const detectOperations = [detect];
