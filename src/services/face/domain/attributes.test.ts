/** Which attributes may be asked for with which models, and what is made of what was measured. */
import { describe, expect, it } from "vitest";
import type { AttributeWish } from "./attributes.ts";
import { attributesOf, blurOf, exposureOf, MEASURED, noiseOf, qualityOf } from "./attributes.ts";
import { headPoseOf } from "./head-pose.ts";
import { LANDMARKS, landmarksOf } from "./landmarks.ts";

const wish: AttributeWish = {
  detectionModel: "detection_01",
  recognitionModel: "recognition_04",
  demographics: true,
};
const ask = (text: string, other: Partial<AttributeWish> = {}) => attributesOf(text, { ...wish, ...other });

describe("asking for attributes", () => {
  it("takes them in any case, with spaces, and once each", () => {
    expect(ask("headPose, Blur,BLUR")).toEqual(["headPose", "blur"]);
    expect(ask(MEASURED.join(","))).toEqual(MEASURED);
    expect(ask("")).toEqual([]);
  });
  it.each([
    ["hat", {}, 'there is no "hat"'],
    ["glasses", {}, "supported by detection_01"],
    ["mask", { detectionModel: "detection_03" }, "supported by detection_03"],
    ["age", { detectionModel: "detection_03" }, "Only face attributes 'headPose,blur,qualityForRecognition'"],
    [
      "headPose",
      { detectionModel: "detection_02" },
      "'returnFaceAttributes' is not supported by detection_02.",
    ],
    ["qualityForRecognition", { recognitionModel: "recognition_01" }, "not with recognition_01"],
    ["age", { demographics: false }, "age is none of them"],
    ["emotion", { demographics: false }, "emotion is none of them"],
  ] as const)("refuses %s with %j", (text, other, message) => {
    expect(() => ask(text, other)).toThrow(message);
  });
  it("leaves what is no demographic when those are off", () => {
    expect(ask("headPose,blur,exposure,noise", { demographics: false })).toHaveLength(4);
  });
});

describe("levels", () => {
  const pixels = { blur: 0.1, brightness: 0.5, noise: 0.1 };
  it("follow the values", () => {
    expect([0.1, 0.5, 0.9].map((blur) => blurOf({ ...pixels, blur }).blurLevel)).toEqual([
      "Low",
      "Medium",
      "High",
    ]);
    expect([0.1, 0.5, 0.9].map((noise) => noiseOf({ ...pixels, noise }).noiseLevel)).toEqual([
      "Low",
      "Medium",
      "High",
    ]);
    expect([0.1, 0.5, 0.9].map((brightness) => exposureOf({ ...pixels, brightness }).exposureLevel)).toEqual([
      "UnderExposure",
      "GoodExposure",
      "OverExposure",
    ]);
  });
  it("say how well a face can be recognised", () => {
    const ahead = { pitch: 0, roll: 0, yaw: 0 };
    expect(qualityOf(80, ahead, pixels)).toBe("High");
    expect(qualityOf(30, ahead, pixels)).toBe("Medium");
    expect(qualityOf(80, { ...ahead, yaw: 40 }, pixels)).toBe("Medium");
    expect(qualityOf(10, ahead, pixels)).toBe("Low");
    expect(qualityOf(80, { ...ahead, pitch: -60 }, pixels)).toBe("Low");
    expect(qualityOf(80, ahead, { ...pixels, blur: 0.95 })).toBe("Low");
  });
});

/** A plain head, as `MODEL` has it, turned and seen from afar. */
const HEAD: readonly (readonly [number, number, number, number])[] = [
  [36, -0.5, 0, 0.12],
  [39, -0.17, 0.01, 0.02],
  [42, 0.17, 0.01, 0.02],
  [45, 0.5, 0, 0.12],
  [27, 0, -0.02, -0.1],
  [30, 0, 0.42, -0.36],
  [31, -0.17, 0.52, -0.1],
  [33, 0, 0.56, -0.18],
  [35, 0.17, 0.52, -0.1],
  [48, -0.29, 0.84, 0.02],
  [51, 0, 0.78, -0.12],
  [54, 0.29, 0.84, 0.02],
  [57, 0, 0.96, -0.1],
];
function pointsOfHead({ pitch = 0, roll = 0, yaw = 0 }) {
  const [p, r, w] = [pitch, roll, yaw].map((angle) => (angle * Math.PI) / 180) as [number, number, number];
  const points = Array.from({ length: 68 }, () => ({ x: 0, y: 0 }));
  for (const [index, x, y, z] of HEAD) {
    // The nose points to the camera, which is towards smaller z: up is a turn about x, right one about y.
    const [y1, z1] = [y * Math.cos(-p) - z * Math.sin(-p), y * Math.sin(-p) + z * Math.cos(-p)];
    const x2 = x * Math.cos(-w) + z1 * Math.sin(-w);
    points[index] = {
      x: 300 + 100 * (x2 * Math.cos(r) - y1 * Math.sin(r)),
      y: 200 + 100 * (x2 * Math.sin(r) + y1 * Math.cos(r)),
    };
  }
  return points;
}

describe("the pose of a head", () => {
  it.each([
    { yaw: 30 },
    { yaw: -20 },
    { pitch: 15 },
    { pitch: -25 },
    { roll: 40 },
    { yaw: 20, pitch: 10, roll: -30 },
    {},
  ])("is found again: %j", (turned) => {
    const pose = headPoseOf(pointsOfHead(turned));
    expect(pose.yaw).toBeCloseTo(turned.yaw ?? 0, 0);
    expect(pose.pitch).toBeCloseTo(turned.pitch ?? 0, 0);
    expect(pose.roll).toBeCloseTo(turned.roll ?? 0, 0);
  });
  it("looks to the picture's right when the nose is there", () => {
    const points = pointsOfHead({ yaw: 30 });
    expect(points[30]?.x).toBeGreaterThan(300);
    const up = pointsOfHead({ pitch: 30 });
    expect(up[30]?.y).toBeLessThan(pointsOfHead({})[30]?.y ?? 0);
  });
});

describe("landmarks", () => {
  it("are 27, with left and right as the picture shows them", () => {
    const points = Array.from({ length: 68 }, (_, i) => ({ x: i, y: 100 + i }));
    const landmarks = landmarksOf(points);
    expect(LANDMARKS).toHaveLength(27);
    expect(Object.keys(landmarks)).toEqual(LANDMARKS);
    expect(landmarks.noseTip).toEqual({ x: 30, y: 130 });
    expect(landmarks.pupilLeft).toEqual({ x: 39, y: 139 });
    expect(landmarks.pupilLeft.x).toBeLessThan(landmarks.pupilRight.x);
  });
});
