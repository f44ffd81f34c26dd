import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { jpegScansOf } from "./jpeg-scans.ts";

const SCAN = Buffer.from("ffda0008010101013f00", "hex");
const START = Buffer.from("ffd8ffe00010", "hex");
const of = (...parts: readonly Buffer[]): number =>
  jpegScansOf(Buffer.concat([START, Buffer.alloc(14), ...parts]), 1000);
const END = Buffer.from("ffd9", "hex");

describe("scans of a JPEG", () => {
  it("are counted in pictures of an encoder", async () => {
    const picture = () => sharp({ create: { width: 64, height: 64, channels: 3, background: "#c86432" } });
    expect(jpegScansOf(await picture().jpeg({ mozjpeg: false }).toBuffer(), 100)).toBe(1);
    expect(jpegScansOf(await picture().jpeg({ progressive: true }).toBuffer(), 100)).toBeGreaterThan(5);
  });
  it("are not in other segments, in stuffed bytes, or behind the end", () => {
    const segmentWithScan = Buffer.concat([Buffer.from("ffe1000c", "hex"), SCAN]);
    expect(of(segmentWithScan, SCAN, Buffer.from("12ff00da", "hex"), END, SCAN)).toBe(1);
  });
  it("are found behind restarts, fill bytes and bytes that belong to nothing", () => {
    expect(
      of(SCAN, Buffer.from("ffd0aaffd7bbffff", "hex"), SCAN, Buffer.from("0000ff01", "hex"), SCAN, END),
    ).toBe(3);
  });
  it("are counted to a limit, in a picture that breaks off too", () => {
    expect(of(SCAN, SCAN.subarray(0, 4))).toBe(2);
    const many = Buffer.concat(Array.from({ length: 500 }, () => SCAN));
    expect([
      jpegScansOf(Buffer.concat([START.subarray(0, 2), many]), 101),
      jpegScansOf(Buffer.alloc(0), 101),
    ]).toEqual([101, 0]);
  });
});
