/** Recognition on photographs: the same person through all that happens to pictures, against other people. */
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import {
  changed,
  changes,
  compressed,
  GROUP_PICTURE,
  noisy,
  type Person,
  people,
  portraitOf,
} from "../../../../tests/support/face-pictures.ts";
import { confidenceOf, distanceBetween } from "../domain/confidence.ts";
import type { Descriptor } from "../domain/descriptor.ts";
import { headPoseOf } from "../domain/head-pose.ts";
import type { RecognitionModel } from "../domain/models.ts";
import type { FoundFace } from "./found-face.ts";
import { look } from "./look.ts";

const picture = (bytes: Buffer): Uint8Array => new Uint8Array(bytes);
/** With everything that can be told of the largest face. */
async function seenIn(
  bytes: Buffer,
  recognitionModel: RecognitionModel = "recognition_04",
): Promise<FoundFace & { readonly descriptor: Descriptor }> {
  const { faces } = await look({
    picture: picture(bytes),
    detectionModel: "detection_01",
    recognitionModel,
    wantsExpressions: true,
    wantsAgeAndGender: true,
    wantsPixelMeasures: true,
  });
  const [face] = faces;
  if (!face?.descriptor) throw new Error("no face was found");
  return { ...face, descriptor: face.descriptor };
}
const confidence = (one: Descriptor, other: Descriptor, model: RecognitionModel = "recognition_04") =>
  confidenceOf(distanceBetween(one, other), model);

/** What is done to Ann's picture. */
const DONE: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  ...Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [name, (bytes: Buffer) => changed(bytes, change)]),
  ),
  compressed: (bytes) => compressed(bytes, 15),
  noisy: (bytes) => noisy(bytes, 40),
};
const portraits = new Map<Person, Buffer>();
const known = new Map<Person, Awaited<ReturnType<typeof seenIn>>>();
const described = (person: Person): Descriptor => known.get(person)!.descriptor;
/** Each picture is looked at once, whatever is asked of it. */
const looked = new Map<string, ReturnType<typeof seenIn>>();
function annWhen(done: string): ReturnType<typeof seenIn> {
  const face = looked.get(done) ?? DONE[done]!(portraits.get("ann")!).then((bytes) => seenIn(bytes));
  looked.set(done, face);
  return face;
}
beforeAll(async () => {
  for (const person of people) {
    portraits.set(person, await portraitOf(person));
    known.set(person, await seenIn(portraits.get(person)!));
  }
});

describe("recognition", () => {
  const others = () => people.filter((person) => person !== "ann");

  it("tells people apart", () => {
    for (const one of people)
      for (const other of people)
        if (one !== other)
          expect([one, other, confidence(described(one), described(other)) < 0.5]).toEqual([
            one,
            other,
            true,
          ]);
  });
  it.each(Object.keys(DONE))(
    "knows a person whose picture is %s, and takes nobody else for them",
    async (done) => {
      const { descriptor } = await annWhen(done);
      expect(confidence(descriptor, described("ann"))).toBeGreaterThan(0.7);
      for (const other of others()) expect(confidence(descriptor, described(other))).toBeLessThan(0.5);
    },
  );
  it("gives each descriptor version numbers of its own", async () => {
    const { descriptor: older } = await seenIn(portraits.get("ann")!, "recognition_01");
    expect(distanceBetween(older, described("ann"))).toBeGreaterThan(0.001);
    const darker = await seenIn(await DONE.darker!(portraits.get("ann")!), "recognition_01");
    expect(confidence(older, darker.descriptor, "recognition_01")).toBeGreaterThan(0.7);
  });
});

describe("detection", () => {
  it("finds all faces of a picture, the largest first, inside of it", async () => {
    const { faces } = await look({
      picture: picture(readFileSync(GROUP_PICTURE)),
      detectionModel: "detection_01",
    });
    expect(faces).toHaveLength(3);
    const areas = faces.map(({ rectangle: { width, height } }) => width * height);
    expect(areas).toEqual([...areas].sort((one, other) => other - one));
    const { width = 0, height = 0 } = await sharp(GROUP_PICTURE).metadata();
    for (const { rectangle, points } of faces) {
      expect(rectangle.left >= 0 && rectangle.left + rectangle.width <= width).toBe(true);
      expect(rectangle.top >= 0 && rectangle.top + rectangle.height <= height).toBe(true);
      expect(points[36]!.x).toBeLessThan(points[45]!.x);
      expect(points[27]!.y).toBeLessThan(points[57]!.y);
    }
  });
  it("finds small faces of a large picture with the later model", async () => {
    const small = await sharp({ create: { width: 1100, height: 700, channels: 3, background: "#99aabb" } })
      .composite([
        {
          input: await sharp(portraits.get("dora")!).resize(62).toBuffer(),
          left: 900,
          top: 500,
        },
      ])
      .jpeg()
      .toBuffer();
    const { faces } = await look({ picture: picture(small), detectionModel: "detection_03" });
    expect(faces).toHaveLength(1);
    expect(faces[0]?.rectangle.left).toBeGreaterThan(890);
  });
  it("finds a face that fills its picture", async () => {
    const tight = await sharp(portraits.get("cleo")!)
      .extract({ left: 55, top: 45, width: 140, height: 165 })
      .jpeg()
      .toBuffer();
    const { faces } = await look({ picture: picture(tight), detectionModel: "detection_01" });
    expect(faces).toHaveLength(1);
  });
  it("finds nobody where nobody is", async () => {
    const { data, info } = await sharp(portraits.get("eve")!).raw().toBuffer({ resolveWithObject: true });
    for (let i = 0; i < data.length; i += 1) data[i] = (i * i * 31 + i * 7919) % 251;
    const nothing = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
      .png()
      .toBuffer();
    expect((await look({ picture: picture(nothing), detectionModel: "detection_03" })).faces).toEqual([]);
  });
});

describe("measurements", () => {
  const rollOf = (face: FoundFace): number => headPoseOf(face.points).roll;
  it("follow what was done to a picture", async () => {
    const plain = known.get("ann")!;
    expect((await annWhen("blurred")).pixels!.blur).toBeGreaterThan(plain.pixels!.blur + 0.15);
    expect((await annWhen("darker")).pixels!.brightness).toBeLessThan(plain.pixels!.brightness * 0.5);
    expect((await annWhen("noisy")).pixels!.noise).toBeGreaterThan(plain.pixels!.noise + 0.2);
    const turnedBy = rollOf(await annWhen("turned")) - rollOf(plain);
    expect(turnedBy).toBeGreaterThan(14);
    expect(turnedBy).toBeLessThan(26);
    const mirror = await annWhen("mirrored");
    expect(Math.abs(headPoseOf(mirror.points).yaw + headPoseOf(plain.points).yaw)).toBeLessThan(6);
  });
  it("say of a smiling woman that she is one", () => {
    const { expressions, maleProbability, age } = known.get("fay")!;
    expect(expressions!.happiness).toBeGreaterThan(0.8);
    expect(maleProbability).toBeLessThan(0.3);
    expect(age).toBeGreaterThan(15);
    expect(age).toBeLessThan(50);
  });
});
