/** What a file may claim of itself: the last that is read, and the first that is not. */
import { describe, expect, it } from "vitest";
import { makePacked, trickNames } from "../../../../tests/support/packers.ts";
import { BrokenFileError, DIRECTORY, type PeFile, readPe } from "./file.ts";
import { findFunctionTable } from "./function-table.ts";
import { findText } from "./image.ts";
import { findExports, findResources, findThreadTable } from "./named-tables.ts";
import { findRelocations } from "./relocations.ts";

const IMAGE_BYTES = 64 * 1024 * 1024;
const RESOURCES = 20_000;
const START = 0x1000;

it("an image has at most 64 MB", () => {
  const claiming = (bytes: number) => {
    const file = Buffer.from(makePacked(trickNames[0] ?? ""));
    file.writeUInt32LE(bytes, file.readUInt32LE(0x3c) + 24 + 56);
    return readPe(file);
  };
  expect(claiming(IMAGE_BYTES).imageBytes).toBe(IMAGE_BYTES);
  expect(() => claiming(IMAGE_BYTES + 1)).toThrow(BrokenFileError);
});

it("a file has at most 96 sections", () => {
  const claiming = (count: number) => {
    const file = Buffer.alloc(8192);
    file.set(makePacked(trickNames[0] ?? "").subarray(0, 512));
    const header = file.readUInt32LE(0x3c);
    file.fill(0, header + 24 + file.readUInt16LE(header + 20));
    file.writeUInt16LE(count, header + 6);
    return readPe(file).sections.length;
  };
  expect(claiming(96)).toBe(96);
  expect(() => claiming(97)).toThrow("too many sections");
});

it("a text has at most 511 characters and its zero", () => {
  const lengthOf = (length: number) => findText(Buffer.from(`${"t".repeat(length)}\0`), 0)?.length;
  expect([511, 512, 513].map(lengthOf)).toEqual([511, 512, undefined]);
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
  const found = (count: number) => {
    const own = { address: START, bytes: 16 };
    const directories = Object.assign([], { [DIRECTORY.resources]: own });
    const image = Buffer.concat([Buffer.alloc(START), resourcesOf(count)]);
    return findResources({ directories } as unknown as PeFile, image);
  };
  expect(found(RESOURCES)).toEqual({ address: START, bytes: 16 });
  expect(found(RESOURCES + 1)).toBeUndefined();
});

/** Words from the start of the second page on. */
function imageOf(bytes: number, words: readonly (readonly [at: number, value: number])[]): Buffer {
  const image = Buffer.alloc(bytes);
  for (const [at, value] of words) image.writeUInt32LE(value, at);
  return image;
}
const fileWith = (more: Partial<PeFile>): PeFile => ({ directories: [], ...more }) as unknown as PeFile;

it("a table of exports has at most 65,536 functions", () => {
  const found = (functions: number) => {
    const addresses = START + 64;
    const image = imageOf(addresses + functions * 4 + 4, [
      [START + 12, START + 48],
      [START + 20, functions],
      [START + 28, addresses],
      [START + 32, addresses],
      [START + 36, addresses],
    ]);
    image.write("a.dll\0", START + 48, "latin1");
    const directories = [{ address: START, bytes: 40 }];
    return findExports(fileWith({ directories }), image)?.address;
  };
  expect([65_536, 65_537].map(found)).toEqual([START, undefined]);
});

it("a search for exports ends after a million entries", () => {
  /** Tables that claim so many functions and have none of them; behind them one that is whole. */
  const found = (claimed: readonly number[]) => {
    const whole = START + claimed.length * 48;
    const text = whole + 64;
    const image = imageOf(text + 16, [
      ...claimed.flatMap((functions, index) => [
        [START + index * 48 + 12, text] as const,
        [START + index * 48 + 20, functions] as const,
        [START + index * 48 + 28, 0x7fff_0000] as const,
      ]),
      [whole + 12, text],
      [whole + 20, 1],
      [whole + 24, 1],
      [whole + 28, text + 8],
      [whole + 32, whole + 44],
      [whole + 36, text + 8],
      [whole + 44, text],
    ]);
    image.write("dig\0", text, "latin1");
    return findExports(fileWith({}), image)?.address === whole;
  };
  const most = Array<number>(15).fill(65_536);
  expect([found([...most, 16_959]), found([...most, 16_960])]).toEqual([true, false]);
});

it("a program has at most 64 callbacks of threads", () => {
  const [table, list] = [START, START + 64];
  const calling = (count: number) => {
    const image = imageOf(START + 0x800, [
      [table + 8, list - 8],
      [table + 12, list],
      ...Array.from({ length: count }, (_, index) => [list + index * 4, START] as const),
    ]);
    const directories = Object.assign([], { [DIRECTORY.tls]: { address: table, bytes: 24 } });
    return findThreadTable(fileWith({ directories }), image, 0)?.callbacks.length;
  };
  expect([63, 64, 65].map(calling)).toEqual([63, 64, 64]);
});

describe("a table of functions", () => {
  const unwind = START + 0x800;
  const found = (entries: readonly (readonly [number, number])[], bytes = 0x3000, flags = 0) => {
    const words = entries.flatMap(([begin, end], index) => [
      [START + index * 12, begin] as const,
      [START + index * 12 + 4, end] as const,
      [START + index * 12 + 8, unwind] as const,
    ]);
    const image = imageOf(bytes, words);
    image.writeUInt8(1 | (flags << 3), unwind);
    return findFunctionTable(fileWith({ isWide: true }), image)?.bytes;
  };
  const three = [0, 1, 2].map((index) => [0x2000 + index * 16, 0x2010 + index * 16] as const);
  it("has at least three", () => {
    expect([found(three), found(three.slice(0, 2))]).toEqual([36, undefined]);
  });
  it("has functions of at most 16 MB", () => {
    const longest = (length: number) => found([...three, [0x2030, 0x2030 + length]], 0x100_4000);
    expect([longest(0x100_0000), longest(0x100_0001)]).toEqual([48, 36]);
  });
  it("knows flags up to four", () => {
    expect([found(three, 0x3000, 4), found(three, 0x3000, 5)]).toEqual([36, undefined]);
  });
});

describe("a table of relocations", () => {
  /** A block of so many entries, all of the first word of a page that holds an address. */
  const found = (entries: number, bytes = 8 + entries * 2) => {
    const image = imageOf(0x6000, [
      [START, 0x4000],
      [START + 4, bytes],
      [0x4000, START],
    ]);
    for (let entry = 0; entry < entries; entry += 1) image.writeUInt16LE(0x3000, START + 8 + entry * 2);
    return findRelocations(image, fileWith({ isWide: false }), 0)?.bytes;
  };
  it("has at least eight words", () => {
    expect([found(8), found(7)]).toEqual([24, undefined]);
  });
  it("has two bytes for each of a page in a block", () => {
    expect([found(4096), found(4097)]).toEqual([8200, undefined]);
  });
});
