import sharp from "sharp";
import { expect, it } from "vitest";
import { exifWith } from "../../../tests/support/scans.ts";
import { exifEntriesOf } from "./exif-entries.ts";

const picture = (format: "jpeg" | "png" | "webp") =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: "#c86432" } })
    .withExif({ IFD0: { Artist: "Ann", Copyright: "Ann" }, IFD2: { UserComment: "A bridge" } })
    .toFormat(format)
    .toBuffer();

it("counts the entries that encoders write, in each format", async () => {
  for (const format of ["jpeg", "png", "webp"] as const) {
    const entries = exifEntriesOf(await picture(format), 1000);
    expect([format, entries > 2 && entries < 40], String(entries)).toEqual([format, true]);
  }
});
it("counts a directory once, and to a limit", () => {
  expect(exifEntriesOf(exifWith(70), 1000)).toBe(71);
  expect(exifEntriesOf(Buffer.concat([exifWith(70), exifWith(30)]), 1000)).toBe(102);
  expect(exifEntriesOf(exifWith(5000), 1000)).toBe(1000);
  expect(exifEntriesOf(exifWith(5000).subarray(0, 20), 1000)).toBe(2);
  const chain = Buffer.alloc(6000 * 6);
  for (let at = 8; at + 6 < chain.length; at += 6) chain.writeUInt32LE(at + 6, at + 2);
  chain.write("II*\0\x08", 0, "latin1");
  expect(exifEntriesOf(Buffer.concat([Buffer.from("eXIf"), chain]), 1000)).toBe(1000);
  expect(exifEntriesOf(Buffer.from("Exif\0\0II"), 1000)).toBe(0);
});
