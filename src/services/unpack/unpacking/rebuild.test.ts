/** What is rebuilt keeps the tables that other tools read, wherever the packer has left or hidden them. */
import { describe, expect, it } from "vitest";
import { makePackedElsewhere } from "../../../../tests/support/packed-elsewhere.ts";
import { PACKED_ENTRY, packedProgram, slotOf } from "../../../../tests/support/packed-program.ts";
import {
  EXPORTED,
  makeMovablePacked,
  makeWithHiddenTables,
  makeWithMovedImports,
  RESOURCE_TEXT,
} from "../../../../tests/support/packed-tables.ts";
import { makePacked, trickNames } from "../../../../tests/support/packers.ts";
import { DIRECTORY, mapPe, readPe } from "../pe/file.ts";
import { importTablesOf } from "./imports.ts";
import { putBackImports } from "./moved-imports.ts";
import { DEFAULT_BUDGET } from "./outcome.ts";
import { unpackExecutable } from "./unpack.ts";

const FIXED_BASE = 1;

function unpacked(content: Uint8Array) {
  const { verdict, content: rebuilt, report } = unpackExecutable(content, DEFAULT_BUDGET);
  expect([verdict, report.reason]).toEqual(["unpacked", "It asks for GetVersion."]);
  const file = readPe(rebuilt ?? new Uint8Array());
  return { file, image: Buffer.from(mapPe(file)), content: Buffer.from(rebuilt ?? []) };
}
const isFixed = (content: Buffer): boolean =>
  (content.readUInt16LE(content.readUInt32LE(0x3c) + 22) & FIXED_BASE) !== 0;

/** As a reader of its own: block by block. */
function relocationsOf(image: Buffer, { address, bytes } = { address: 0, bytes: 0 }): number[] {
  const words: number[] = [];
  for (let at = address; at < address + bytes; at += image.readUInt32LE(at + 4))
    for (let entry = at + 8; entry < at + image.readUInt32LE(at + 4); entry += 2)
      if (image.readUInt16LE(entry) !== 0)
        words.push(image.readUInt32LE(at) + (image.readUInt16LE(entry) & 0xfff));
  return words;
}
const textAt = (image: Buffer, at: number): string =>
  image.subarray(at, image.indexOf(0, at)).toString("latin1");

describe("of a packed file whose header hides its tables", () => {
  const hidden = makeWithHiddenTables();
  const { file, image, content } = unpacked(hidden.content);
  it("relocations are found by what they point to, and it may lie elsewhere again", () => {
    expect(file.directories[DIRECTORY.relocations]?.address).toBe(hidden.relocationsAt);
    expect(relocationsOf(image, file.directories[DIRECTORY.relocations])).toEqual(hidden.words);
    expect(isFixed(content)).toBe(false);
  });
  it("exports are found by their names", () => {
    const { address = 0 } = file.directories[DIRECTORY.exports] ?? {};
    expect(address).toBe(hidden.exportsAt);
    expect(textAt(image, image.readUInt32LE(address + 12))).toBe(EXPORTED.name);
    const pointers = image.readUInt32LE(address + 32);
    expect(EXPORTED.functions.map((_, i) => textAt(image, image.readUInt32LE(pointers + i * 4)))).toEqual(
      EXPORTED.functions,
    );
  });
  it("resources stay where they were", () => {
    const { address = 0 } = file.directories[DIRECTORY.resources] ?? {};
    const leaf = address + image.readUInt32LE(address + 0x44);
    expect(textAt(image, image.readUInt32LE(leaf))).toBe(RESOURCE_TEXT);
  });
});

it("a library that its packer relocates is told as an attached one, and gets a table of all that changes with its place", () => {
  const movable = makeMovablePacked();
  const { file, image, content } = unpacked(movable.content);
  expect(relocationsOf(image, file.directories[DIRECTORY.relocations])).toEqual(movable.words);
  expect(isFixed(content)).toBe(false);
  expect(file.isLibrary).toBe(true);
  expect(image.subarray(0x1000, 0x1000 + packedProgram().length)).toEqual(Buffer.from(packedProgram()));
});

it("words that a packer relocates itself are found though its own table is empty", () => {
  const { content: packed, words } = makeMovablePacked({ isTableEmpty: true });
  const { file, image, content } = unpacked(packed);
  expect(relocationsOf(image, file.directories[DIRECTORY.relocations])).toEqual(words);
  expect(isFixed(content)).toBe(false);
});

it("what has no relocations stays at its place; sections follow one another, and what lay behind them does still", () => {
  const overlay = Buffer.from("what an installer installs");
  const { file, content } = unpacked(Buffer.concat([makePacked(trickNames[0] ?? ""), overlay]));
  expect(isFixed(content)).toBe(true);
  expect(file.entryPoint).toBe(PACKED_ENTRY);
  let next = 0x1000;
  for (const { address, bytes, fileOffset, fileBytes } of file.sections) {
    expect(address).toBe(next);
    next += Math.ceil(bytes / 0x1000) * 0x1000;
    expect(fileOffset % 0x200).toBe(0);
    expect(fileOffset + fileBytes).toBeLessThanOrEqual(content.length);
  }
  expect(file.imageBytes).toBe(next);
  expect(content.subarray(-overlay.length)).toEqual(overlay);
});

it("what was loaded into allocated memory is rebuilt there, with its own headers and all that it imports", () => {
  const elsewhere = makePackedElsewhere();
  const { verdict, content, report } = unpackExecutable(elsewhere.content, DEFAULT_BUDGET);
  expect(verdict).toBe("unpacked");
  expect(report.imports.map(({ functions }) => functions)).toEqual([elsewhere.functions]);
  const file = readPe(content ?? new Uint8Array());
  expect(file.entryPoint).toBe(elsewhere.entryPoint);
  expect(file.base).not.toBe(report.base);
  expect(file.sections.map(({ name }) => name)).toEqual([".text", ".imports"]);
});

it("imports that the packer has moved are put back, and with them each use of them", () => {
  const moved = makeWithMovedImports();
  const { report, content } = unpackExecutable(moved.content, DEFAULT_BUDGET);
  const [first, ...others] = report.imports;
  expect(first).toEqual({ library: "kernel32.dll", address: moved.slotsAt, functions: moved.functions });
  expect(others.flatMap(({ functions }) => functions)).not.toContain("GetVersion");
  expect(others.flatMap(({ functions }) => functions)).toContain("VirtualAlloc");
  const file = readPe(content ?? new Uint8Array());
  const image = Buffer.from(mapPe(file));
  const [exit, version] = [file.base + moved.slotsAt, file.base + moved.slotsAt + 4];
  const names = [0, 4].map((offset) => textAt(image, image.readUInt32LE(moved.slotsAt + offset) + 2));
  expect(names).toEqual(moved.functions);
  expect(moved.uses.map((at) => image.readUInt32LE(at))).toEqual([version, exit, version]);
});

it("an image full of addresses imports as much as programs do, and no more", () => {
  const image = new Uint8Array(new Uint32Array(100_000).fill(0x7500_1000).buffer);
  const library = { name: "kernel32.dll" };
  const { tables } = importTablesOf(image, {
    isWide: false,
    window: 0,
    find: () => ({ library, name: "GetVersion" }),
    follow: () => undefined,
    isElsewhere: () => false,
    isInside: () => false,
  });
  expect(tables.map(({ names }) => names.length)).toEqual([65_536]);
  expect(putBackImports(image, 0x40_0000, tables)).toEqual(tables);
});

describe("slots of an import table", () => {
  const library = { name: "kernel32.dll" };
  const [FUNCTION, ALLOCATED, INSIDE, HIDDEN] = [0x7500_1000, 0x200_0000, 0x40_1000, 0x40_2000];
  const importsOf = (words: readonly number[]) =>
    importTablesOf(new Uint8Array(Uint32Array.from([...words, 0, 0, 0]).buffer), {
      isWide: false,
      window: 0,
      find: (address) => (address === FUNCTION ? { library, name: "GetVersion" } : undefined),
      follow: (address) => (address === HIDDEN ? { library, name: "Sleep" } : undefined),
      isElsewhere: (address) => address === ALLOCATED,
      isInside: (address) => address >= 0x40_0000 && address < 0x41_0000,
    });
  const namesOf = (words: readonly number[]) => importsOf(words).tables.map(({ names }) => names);

  it("are followed between others, wherever they lead", () => {
    expect(namesOf([FUNCTION, HIDDEN, FUNCTION])).toEqual([["GetVersion", "Sleep", "GetVersion"]]);
    expect(namesOf([0, HIDDEN, 0, FUNCTION, FUNCTION])).toEqual([["GetVersion", "GetVersion"]]);
  });
  it("that lead to nothing known are told, and the others stay", () => {
    const { tables, unbound } = importsOf([FUNCTION, ALLOCATED, FUNCTION, INSIDE, FUNCTION, ALLOCATED]);
    expect(tables.map(({ address }) => address)).toEqual([0, 8, 16]);
    expect(unbound).toEqual([
      { address: 4, target: ALLOCATED },
      { address: 12, target: INSIDE },
      { address: 20, target: ALLOCATED },
    ]);
  });
  it("that a packer hides are bound, or told", () => {
    const { report } = unpackExecutable(
      makePacked("functions behind code that hides where it leads"),
      DEFAULT_BUDGET,
    );
    const names = report.imports.flatMap(({ functions }) => functions);
    expect([names.includes("ExitProcess"), names.includes("GetModuleFileNameA")]).toEqual([true, false]);
    expect(report.unboundImports).toEqual([
      { address: slotOf("GetModuleFileNameA"), target: expect.any(Number) },
    ]);
  });
  it("that stand alone among other words are none", () => {
    expect(importsOf([1, FUNCTION, 1])).toEqual({ tables: [], unbound: [] });
    expect(namesOf([1, FUNCTION, 0])).toEqual([["GetVersion"]]);
    expect(namesOf([ALLOCATED, FUNCTION, 1])).toEqual([["GetVersion"]]);
  });
});

it("a callback that belongs to the packer is not called again", () => {
  const { file, image } = unpacked(makePacked("a callback of threads that unpacks before the start"));
  const { address = 0 } = file.directories[DIRECTORY.tls] ?? {};
  expect(address).toBeGreaterThan(0);
  expect(image.readUInt32LE(address + 12)).toBe(0);
});
