/** Face attributes: which models support them, and how measurements become attribute values. */
import { errors } from "../errors.ts";
import type { HeadPose } from "./head-pose.ts";
import type { DetectionModel, RecognitionModel } from "./models.ts";

/** All attributes of the public API. */
const ATTRIBUTES = [
  "age",
  "gender",
  "headPose",
  "smile",
  "facialHair",
  "glasses",
  "emotion",
  "hair",
  "makeup",
  "occlusion",
  "accessories",
  "blur",
  "exposure",
  "noise",
  "mask",
  "qualityForRecognition",
] as const;
export type Attribute = (typeof ATTRIBUTES)[number];
/** Attributes that the networks and the pixels can measure. The others would be guesses. */
export const MEASURED = [
  "age",
  "gender",
  "headPose",
  "smile",
  "emotion",
  "blur",
  "exposure",
  "noise",
  "qualityForRecognition",
] as const satisfies readonly Attribute[];
export type Measured = (typeof MEASURED)[number];
/** Attributes about people rather than pictures. A setting disables them. */
const DEMOGRAPHIC: ReadonlySet<Attribute> = new Set(["age", "gender", "emotion", "smile"]);

const SUPPORTED: Readonly<Record<DetectionModel, readonly Measured[]>> = {
  detection_01: MEASURED,
  detection_02: [],
  detection_03: ["headPose", "blur", "qualityForRecognition"],
};
const QUALITY_MODELS: ReadonlySet<RecognitionModel> = new Set(["recognition_03", "recognition_04"]);

export type AttributeWish = {
  readonly detectionModel: DetectionModel;
  readonly recognitionModel: RecognitionModel;
  readonly demographics: boolean;
};

/** Parses a list such as `age,headPose`. Throws if an attribute is unknown or unsupported by the models. */
export function attributesOf(text: string, wish: AttributeWish): Measured[] {
  const names = text.split(",").map((name) => name.trim());
  const asked = [...new Set(names.filter((name) => name !== "").map(attributeNamed))];
  if (asked.length > 0 && wish.detectionModel === "detection_02")
    throw errors.badArgument("'returnFaceAttributes' is not supported by detection_02.");
  return asked.map((name) => supported(name, wish));
}
function attributeNamed(name: string): Attribute {
  const known = ATTRIBUTES.find((one) => one.toLowerCase() === name.toLowerCase());
  if (!known)
    throw errors.badArgument(
      `Invalid argument returnFaceAttributes: there is no "${name}"; there are ${ATTRIBUTES.join(", ")}.`,
    );
  return known;
}
function supported(
  name: Attribute,
  { detectionModel, recognitionModel, demographics }: AttributeWish,
): Measured {
  const offered = SUPPORTED[detectionModel].filter((one) => demographics || !DEMOGRAPHIC.has(one));
  const found = offered.find((one) => one === name);
  if (!found)
    throw errors.badArgument(
      `Only face attributes '${offered.join(",")}' are supported by ${detectionModel} here, and ${name} is none of them.`,
    );
  if (found === "qualityForRecognition" && !QUALITY_MODELS.has(recognitionModel))
    throw errors.badArgument(
      `'qualityForRecognition' is supported with recognition_03 and recognition_04, not with ${recognitionModel}.`,
    );
  return found;
}

/** Values from 0 to 1: loss of detail, mean brightness, and share of noise. */
export type PixelMeasures = { readonly blur: number; readonly brightness: number; readonly noise: number };

export type Level = "Low" | "Medium" | "High";
const levelOf = (value: number, [medium, high]: readonly [number, number]): Level =>
  value < medium ? "Low" : value < high ? "Medium" : "High";

export const blurOf = ({ blur }: PixelMeasures) => ({ blurLevel: levelOf(blur, [0.25, 0.75]), value: blur });
export const noiseOf = ({ noise }: PixelMeasures) => ({
  noiseLevel: levelOf(noise, [0.3, 0.7]),
  value: noise,
});

const BRIGHTNESS_MIN = 0.25;
const BRIGHTNESS_MAX = 0.75;
export function exposureOf({ brightness }: PixelMeasures) {
  const exposureLevel =
    brightness < BRIGHTNESS_MIN
      ? ("UnderExposure" as const)
      : brightness > BRIGHTNESS_MAX
        ? ("OverExposure" as const)
        : ("GoodExposure" as const);
  return { exposureLevel, value: brightness };
}

/** Distance between the eyes, in pixels of the original picture. */
const EYES_APART_HIGH = 45;
const EYES_APART_LOW = 20;
const TURNED_HIGH = 30;
const TURNED_LOW = 50;
export function qualityOf(
  eyesApart: number,
  { yaw, pitch }: HeadPose,
  { blur, brightness, noise }: PixelMeasures,
): Level {
  const turned = Math.max(Math.abs(yaw), Math.abs(pitch));
  if (eyesApart < EYES_APART_LOW || turned > TURNED_LOW || blur > 0.9 || brightness < 0.08) return "Low";
  const good = eyesApart >= EYES_APART_HIGH && turned <= TURNED_HIGH && blur < 0.5 && noise < 0.7;
  return good && brightness >= 0.15 && brightness <= 0.9 ? "High" : "Medium";
}
