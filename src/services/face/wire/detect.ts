/** Request and response shapes of detection. */
import { type Static, Type } from "@sinclair/typebox";
import { LANDMARKS } from "../domain/landmarks.ts";
import { DetectionModelName, RecognitionModelName, ReturnRecognitionModel, uuidOf } from "./shared.ts";

export const DetectQuery = Type.Object({
  returnFaceId: Type.Boolean({ description: "Whether faces get ids to be compared by.", default: true }),
  returnFaceLandmarks: Type.Boolean({
    description: "Whether the 27 landmarks are answered.",
    default: false,
  }),
  returnFaceAttributes: Type.Optional(
    Type.String({
      maxLength: 400,
      description: "What else to measure, with commas between.",
      examples: ["headPose,blur"],
    }),
  ),
  recognitionModel: RecognitionModelName,
  returnRecognitionModel: ReturnRecognitionModel,
  detectionModel: DetectionModelName,
  faceIdTimeToLive: Type.Integer({
    minimum: 60,
    maximum: 86_400,
    default: 86_400,
    description: "For how many seconds the ids are known.",
  }),
});

const pixels = (what: string) => Type.Integer({ description: `${what}, in pixels.`, examples: [120] });
const Rectangle = Type.Object(
  { top: pixels("Top edge"), left: pixels("Left edge"), width: pixels("Width"), height: pixels("Height") },
  { description: "Where the face is." },
);
/** Converts `eyebrowLeftOuter` to words. */
const wordsOf = (name: string): string => name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
const placeOf = (name: string) =>
  Type.Object(
    {
      x: Type.Number({ description: "From the left, in pixels.", examples: [412.3] }),
      y: Type.Number({ description: "From the top, in pixels.", examples: [98.1] }),
    },
    { description: `Where it is: ${wordsOf(name)}, as the picture shows it.` },
  );
const share = (what: string) =>
  Type.Number({ minimum: 0, maximum: 1, description: `${what}, from 0 to 1.`, examples: [0.2] });
const LEVELS = ["Low", "Medium", "High"] as const;
const EXPOSURES = ["UnderExposure", "GoodExposure", "OverExposure"] as const;
const SMALL_LEVELS = ["low", "medium", "high"] as const;
const SMALL_EXPOSURES = ["underExposure", "goodExposure", "overExposure"] as const;
const oneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Unsafe<Words[number]>(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      { description },
    ),
  );
const IN_WORDS = "The value in words, which begin with a small letter in versions after 1.0.";
const Level = oneOf([...LEVELS, ...SMALL_LEVELS], IN_WORDS);
const angle = (what: string) => Type.Number({ description: `${what}, in degrees.`, examples: [-4.2] });

const FaceAttributes = Type.Partial(
  Type.Object({
    age: Type.Number({ description: "Years, as the face looks.", examples: [31.5] }),
    gender: Type.Union([Type.Literal("male"), Type.Literal("female")], { description: "As the face looks." }),
    headPose: Type.Object(
      {
        pitch: angle("Upwards"),
        roll: angle("Clockwise"),
        yaw: angle("To the picture's right"),
      },
      { description: "How the head is turned." },
    ),
    smile: share("How much it smiles"),
    emotion: Type.Object(
      {
        anger: share("Anger"),
        disgust: share("Disgust"),
        fear: share("Fear"),
        happiness: share("Happiness"),
        neutral: share("None"),
        sadness: share("Sadness"),
        surprise: share("Surprise"),
      },
      { description: "What the face expresses; all together are 1." },
    ),
    blur: Type.Object(
      { blurLevel: Level, value: share("Blur") },
      { description: "How blurred the face is." },
    ),
    exposure: Type.Object(
      {
        exposureLevel: oneOf([...EXPOSURES, ...SMALL_EXPOSURES], IN_WORDS),
        value: share("Brightness"),
      },
      { description: "How bright the face is." },
    ),
    noise: Type.Object(
      { noiseLevel: Level, value: share("Noise") },
      { description: "How noisy the face is." },
    ),
    qualityForRecognition: oneOf(SMALL_LEVELS, "How fit the face is to be recognized by."),
  }),
  { description: "What was measured of it." },
);
export type FaceAttributesView = Static<typeof FaceAttributes>;

export const DetectedFaceView = Type.Object({
  faceId: Type.Optional(uuidOf("face, for as long as it lives")),
  recognitionModel: Type.Optional(RecognitionModelName),
  faceRectangle: Rectangle,
  faceLandmarks: Type.Optional(
    Type.Object(Object.fromEntries(LANDMARKS.map((name) => [name, placeOf(name)])), {
      description: "The 27 landmarks.",
    }),
  ),
  faceAttributes: Type.Optional(FaceAttributes),
});
export type DetectedFace = Static<typeof DetectedFaceView>;
