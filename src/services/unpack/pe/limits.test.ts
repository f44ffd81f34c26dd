/** What a file may claim of itself: the last that is read, and the first that is not. */
import { expect, it } from "vitest";
import { makePacked, trickNames } from "../../../../tests/support/packers.ts";
import { BrokenFileError, DIRECTORY, type PeFile, readPe } from "./file.ts";
import { findResources } from "./named-tables.ts";

const IMAGE_BYTES = 64 * 1024 * 1024;
const RESOURCES = 20_000;

it("an image has at most 64 MB", () => {
  const claiming = (bytes: number) => {
    const file = Buffer.from(makePacked(trickNames[0] ?? ""));
    file.writeUInt32LE(bytes, file.readUInt32LE(0x3c) + 24 + 56);
    return readPe(file);
  };
  expect(claiming(IMAGE_BYTES).imageBytes).toBe(IMAGE_BYTES);
  expect(() => claiming(IMAGE_BYTES + 1)).toThrow(BrokenFileError);
});

/** One directory whose entries all lead to the same resource. */
function resourcesOf(count: number): Buffer {
  const leaf = 16 + count * 8;
  const bytes = Buffer.alloc(leaf + 16);
  bytes.writeUInt16LE(count, 14);
  for (let at = 16; at < leaf; at += 8) bytes.writeUInt32LE(leaf, at + 4);
  return bytes;
}
it("a file has at most 20,000 resources", () => {
  const START = 0x1000;
  const found = (count: number) => {
    const own = { address: START, bytes: 16 };
    const directories = Object.assign([], { [DIRECTORY.resources]: own });
    const image = Buffer.concat([Buffer.alloc(START), resourcesOf(count)]);
    return findResources({ directories } as unknown as PeFile, image);
  };
  expect(found(RESOURCES)).toEqual({ address: START, bytes: 16 });
  expect(found(RESOURCES + 1)).toBeUndefined();
});
