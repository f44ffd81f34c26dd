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
import { look } from "./look.ts";

const picture = (bytes: Buffer): Uint8Array => new Uint8Array(bytes);
async function descriptorOf(
  bytes: Buffer,
  recognitionModel: RecognitionModel = "recognition_04",
): Promise<Descriptor> {
  const { faces } = await look({ picture: picture(bytes), detectionModel: "detection_01", recognitionModel });
  const [face] = faces;
  if (!face?.descriptor) throw new Error("no face was found");
  return face.descriptor;
}
const confidence = (one: Descriptor, other: Descriptor, model: RecognitionModel = "recognition_04") =>
  confidenceOf(distanceBetween(one, other), model);

describe("recognition", () => {
  const portraits = new Map<Person, Buffer>();
  const known = new Map<Person, Descriptor>();
  beforeAll(async () => {
    for (const person of people) {
      portraits.set(person, await portraitOf(person));
      known.set(person, await descriptorOf(portraits.get(person)!));
    }
  });
  const others = () => people.filter((person) => person !== "ann").map((person) => known.get(person)!);

  it("tells people apart", () => {
    for (const one of people)
      for (const other of people)
        if (one !== other)
          expect([one, other, confidence(known.get(one)!, known.get(other)!) < 0.5]).toEqual([
            one,
            other,
            true,
          ]);
  });
  it.each([
    ...Object.entries(changes).map(
      ([name, change]) => [name, (bytes: Buffer) => changed(bytes, change)] as const,
    ),
    ["compressed", (bytes: Buffer) => compressed(bytes, 15)] as const,
    ["noisy", (bytes: Buffer) => noisy(bytes, 40)] as const,
  ])("knows a person whose picture is %s, and takes nobody else for them", async (_name, change) => {
    const seen = await descriptorOf(await change(portraits.get("ann")!));
    expect(confidence(seen, known.get("ann")!)).toBeGreaterThan(0.7);
    for (const other of others()) expect(confidence(seen, other)).toBeLessThan(0.5);
  });
  it("gives each descriptor version numbers of its own", async () => {
    const older = await descriptorOf(portraits.get("ann")!, "recognition_01");
    expect(distanceBetween(older, known.get("ann")!)).toBeGreaterThan(0.001);
    const darker = await descriptorOf(
      await changed(portraits.get("ann")!, changes.darker!),
      "recognition_01",
    );
    expect(confidence(older, darker, "recognition_01")).toBeGreaterThan(0.7);
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
          input: await sharp(await portraitOf("dora"))
            .resize(62)
            .toBuffer(),
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
    const tight = await sharp(await portraitOf("cleo"))
      .extract({ left: 55, top: 45, width: 140, height: 165 })
      .jpeg()
      .toBuffer();
    const { faces } = await look({ picture: picture(tight), detectionModel: "detection_01" });
    expect(faces).toHaveLength(1);
  });
  it("finds nobody where nobody is", async () => {
    const { data, info } = await sharp(await portraitOf("eve"))
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (let i = 0; i < data.length; i += 1) data[i] = (i * i * 31 + i * 7919) % 251;
    const nothing = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
      .png()
      .toBuffer();
    expect((await look({ picture: picture(nothing), detectionModel: "detection_03" })).faces).toEqual([]);
  });
});

describe("measurements", () => {
  const measured = async (bytes: Buffer) => {
    const { faces } = await look({
      picture: picture(bytes),
      detectionModel: "detection_01",
      wantsExpressions: true,
      wantsAgeAndGender: true,
      wantsPixelMeasures: true,
    });
    return faces[0]!;
  };
  it("follow what was done to a picture", async () => {
    const portrait = await portraitOf("cleo");
    const plain = await measured(portrait);
    const blurred = await measured(await changed(portrait, (one) => one.blur(3)));
    expect(blurred.pixels!.blur).toBeGreaterThan(plain.pixels!.blur + 0.15);
    const dark = await measured(await changed(portrait, changes.darker!));
    expect(dark.pixels!.brightness).toBeLessThan(plain.pixels!.brightness * 0.5);
    const grainy = await measured(await noisy(portrait, 40));
    expect(grainy.pixels!.noise).toBeGreaterThan(plain.pixels!.noise + 0.2);
    const turned = await measured(
      await changed(portrait, (one) => one.rotate(25, { background: "#777777" })),
    );
    expect(headPoseOf(turned.points).roll - headPoseOf(plain.points).roll).toBeGreaterThan(18);
    expect(headPoseOf(turned.points).roll - headPoseOf(plain.points).roll).toBeLessThan(32);
    const mirror = await measured(await changed(portrait, changes.mirrored!));
    expect(Math.abs(headPoseOf(mirror.points).yaw + headPoseOf(plain.points).yaw)).toBeLessThan(6);
  });
  it("say of a smiling woman that she is one", async () => {
    const { expressions, maleProbability, age } = await measured(await portraitOf("fay"));
    expect(expressions!.happiness).toBeGreaterThan(0.8);
    expect(maleProbability).toBeLessThan(0.3);
    expect(age).toBeGreaterThan(15);
    expect(age).toBeLessThan(50);
  });
});
