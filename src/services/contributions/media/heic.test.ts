/** HEIC pictures: decoded upright, and refused before they take more memory than they declare. */
import { expect, test } from "vitest";
import { heicPicture, heicThatClaims } from "../../../../tests/support/heic-picture.ts";
import { decodeHeic, isHevc } from "./heic.ts";
import { probe } from "./probe.ts";

const readerOf = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (start: number, length: number) => bytes.subarray(start, start + length),
});

test("is turned as its container says", () => {
  const { data, width, height } = decodeHeic(heicPicture);
  expect([width, height, data.length]).toEqual([64, 96, 64 * 96 * 4]);
  const colourAt = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
  const isAbout = (colour: number[], wanted: number[]) =>
    colour.every((value, index) => Math.abs(value - (wanted[index] ?? 255)) < 16);
  expect(isAbout(colourAt(8, 8), [40, 60, 220])).toBe(true);
  expect(isAbout(colourAt(56, 8), [220, 40, 40])).toBe(true);
  expect(isAbout(colourAt(8, 88), [240, 220, 60])).toBe(true);
  expect(isAbout(colourAt(56, 88), [40, 200, 60])).toBe(true);
});
test("its header has size, camera and position", async () => {
  expect(await probe(readerOf(heicPicture))).toMatchObject({
    format: { name: "heic" },
    width: 64,
    height: 96,
    camera: "Testcam One",
    position: { latitude: expect.closeTo(48.858, 2), longitude: expect.closeTo(2.294, 2) },
  });
});
test("a declared size over the limit is refused before decoding", async () => {
  expect(await probe(readerOf(heicThatClaims(10_000, 5000)))).toMatchObject({ width: 10_000 });
  await expect(probe(readerOf(heicThatClaims(10_000, 5001)))).rejects.toThrow("at most 50 million");
});
test("pixel data larger than declared is refused", () => {
  expect(decodeHeic(heicThatClaims(512, 512))).toMatchObject({ width: 512, height: 512 });
  expect(() => decodeHeic(heicThatClaims(16, 16))).toThrow("exceeds the maximum image size");
});
test.each([
  ["cut", heicPicture.subarray(0, 700)],
  ["without boxes", Buffer.from("hvcC nothing else")],
])("a damaged one is an error: %s", (_name, bytes) => {
  expect(() => decodeHeic(bytes)).toThrow();
});
test("other codecs are told apart", () => {
  expect([isHevc(heicPicture), isHevc(Buffer.from("ftypmif1 av1C"))]).toEqual([true, false]);
});
