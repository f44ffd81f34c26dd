/** 64-bit executables: programs of our own, packed with UPX and with the packer in tools/packed64, which builds them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BrokenFileError, DIRECTORY, mapPe, type PeFile, readPe } from "../pe/file.ts";
import { isExecutable, isWritable } from "./appearance.ts";
import { DEFAULT_BUDGET } from "./outcome.ts";
import { unpackExecutable } from "./unpack.ts";

const folder = new URL("../../../../tests/support/packed64/", import.meta.url);
const sample = (name: string): Buffer => readFileSync(new URL(name, folder));
const SMALL_BUDGET = { instructionsMax: 300_000, memoryBytesMax: 96 * 1024 * 1024 };
/** Of the program, from its base. */
const ENTRY = 0x1098;
const OPTIONAL = 24;
const headerOf = (file: Buffer): number => file.readUInt32LE(0x3c);

function unpacked(name: string) {
  const { verdict, content, report } = unpackExecutable(sample(name), DEFAULT_BUDGET);
  const file = readPe(content ?? new Uint8Array());
  return { verdict, report, file, image: Buffer.from(mapPe(file)), content: content ?? new Uint8Array() };
}
const directoryOf = (file: PeFile, number: number) => file.directories[number] ?? { address: 0, bytes: 0 };

describe("a 64-bit program packed with", () => {
  it.each([
    ["bare-upx-nrv2e.exe", "UPX"],
    ["bare-upx-lzma.exe", "UPX"],
    ["bare-own.exe", undefined],
  ])("%s is unpacked", (name, packer) => {
    const { verdict, report, file, image, content } = unpacked(name);
    expect([verdict, report.reason]).toEqual(["unpacked", "It asks for GetStdHandle."]);
    expect(report.packer?.name).toBe(packer);
    expect([report.base, report.originalEntryPoint]).toEqual([0x1_4000_0000, ENTRY]);
    expect([file.isWide, file.window, file.base, file.entryPoint]).toEqual([true, 1, 0x4000_0000, ENTRY]);
    const functions = report.imports.flatMap((one) => one.functions);
    expect(functions).toEqual(
      expect.arrayContaining(["ExitProcess", "GetStdHandle", "GetVersion", "WriteFile", "MessageBoxA"]),
    );
    expect(report.unboundImports).toEqual([]);
    expect(image.includes("The tomatoes want water before the sun is high.")).toBe(true);
    expect(file.sections.filter((section) => isWritable(section) && isExecutable(section))).toEqual([]);
    expect(directoryOf(file, DIRECTORY.functions).bytes).toBeGreaterThanOrEqual(36);
    expect(report.layers[0]?.address).toBe(0x1_4000_0000 + ENTRY);
    expect(report.strings.every(({ address }) => address > 0x1_0000_0000)).toBe(true);
    expect(report.calls.at(-1)?.caller).toBeGreaterThan(0x1_4000_0000);
    const found = report.calls.find(({ given }) => given[1] === '"ExitProcess"');
    expect(found).toMatchObject({
      name: "GetProcAddress",
      result: expect.stringMatching(/^0x175[0-9a-f]{6}$/),
    });
    expect(found?.given[0]).toMatch(/^0x175[0-9a-f]{6}$/);
    expect(unpackExecutable(content, DEFAULT_BUDGET).verdict).toBe("plain");
  });

  it("UPX is told with its imports as a loader reads them, by slots of 64 bits", () => {
    const { file, image } = unpacked("bare-upx-nrv2e.exe");
    const { address } = directoryOf(file, DIRECTORY.imports);
    const lookups = image.readUInt32LE(address);
    const slots = image.readUInt32LE(address + 16);
    expect(image.readBigUInt64LE(lookups)).toBe(image.readBigUInt64LE(slots));
    const names = [0, 8, 16, 24].map((offset) => {
      const at = Number(image.readBigUInt64LE(lookups + offset)) + 2;
      return image.toString("latin1", at, image.indexOf(0, at));
    });
    expect(names).toEqual(["ExitProcess", "GetStdHandle", "GetVersion", "WriteFile"]);
    expect(image.readBigUInt64LE(lookups + 32)).toBe(0n);
  });
});

describe("a 64-bit library", () => {
  const { report, file, image } = unpacked("beds-upx.dll");
  it("keeps its exports", () => {
    const { address } = directoryOf(file, DIRECTORY.exports);
    const names = image.readUInt32LE(address + 32);
    const name = image.readUInt32LE(names);
    expect(image.toString("latin1", name, image.indexOf(0, name))).toBe("bed_litres");
    expect(image.readUInt32LE(address + 24)).toBe(3);
  });
  it("is relocatable: each word of its table is an address of the image, with 64 bits", () => {
    const { address, bytes } = directoryOf(file, DIRECTORY.relocations);
    const words: number[] = [];
    for (let at = address; at < address + bytes; at += image.readUInt32LE(at + 4))
      for (let entry = at + 8; entry < at + image.readUInt32LE(at + 4); entry += 2) {
        const value = image.readUInt16LE(entry);
        if (value !== 0) words.push(image.readUInt32LE(at) + (value & 0xfff));
        if (value !== 0) expect(value >> 12).toBe(10);
      }
    expect(words.length).toBeGreaterThanOrEqual(9);
    for (const word of words) {
      const place = Number(image.readBigUInt64LE(word)) - report.base;
      expect(place > 0 && place < image.length).toBe(true);
    }
  });
  it("lies elsewhere where its base is the system's, and is refused there if it cannot", () => {
    const moved = sample("beds-upx.dll");
    moved.writeUInt32LE(0x7600_0000, headerOf(moved) + OPTIONAL + 24);
    const { verdict, report: other } = unpackExecutable(moved, DEFAULT_BUDGET);
    expect([verdict, other.base]).toEqual(["unpacked", report.base - (report.base % 2 ** 32) + 0x4000_0000]);
    const fixed = sample("bare-upx-nrv2e.exe");
    fixed.writeUInt32LE(0x7600_0000, headerOf(fixed) + OPTIONAL + 24);
    expect(() => readPe(fixed)).toThrow(BrokenFileError);
  });
});

/** With other bytes where the program begins. */
function beginningWith(...code: readonly number[]): Buffer {
  const file = sample("bare-upx-nrv2e.exe");
  const { entryPoint, sections } = readPe(file);
  const section = sections.find(
    ({ address, bytes }) => entryPoint >= address && entryPoint < address + bytes,
  );
  file.set(code, entryPoint - (section?.address ?? 0) + (section?.fileOffset ?? 0));
  return file;
}
describe("a 64-bit program ends in a report", () => {
  it.each([
    ["an instruction that is not emulated", [0xc5, 0xf8, 0x77], "an instruction that there is not"],
    ["one that 64-bit mode has no longer", [0x60], "an instruction that there is not"],
    ["an address outside of all it has", [0x48, 0x31, 0xc0, 0x48, 0x8b, 0x00], "access at 0x0"],
    ["a jump there", [0x48, 0x31, 0xc0, 0xff, 0xe0], "access at 0x0"],
    ["a stack there", [0x31, 0xe4, 0x50], "access at 0x0"],
    ["a loop without an end", [0xeb, 0xfe], "300000 instructions"],
    ["a long repetition", [0x48, 0x83, 0xc9, 0xff, 0xf3, 0xac], "not handle"],
  ])("with %s", (_what, code, reason) => {
    const { verdict, report } = unpackExecutable(beginningWith(...code), SMALL_BUDGET);
    expect(verdict).toBe("stopped");
    expect(report.reason).toContain(reason);
  });
  it("or in words, whatever of it was changed at random", () => {
    const ends = new Set<string>();
    let state = 23;
    const roll = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      return ((state ^ (state >>> 16)) >>> 0) % below;
    };
    for (let i = 0; i < 60; i += 1) {
      const file = sample(i % 2 ? "bare-upx-nrv2e.exe" : "beds-upx.dll");
      const room = roll(2) === 0 ? 0x200 : file.length;
      for (let changes = 1 + roll(6); changes > 0; changes -= 1) file[roll(room)] = roll(256);
      try {
        ends.add(unpackExecutable(file, SMALL_BUDGET).verdict);
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenFileError);
        ends.add("broken");
      }
    }
    expect([...ends].sort()).toEqual(expect.arrayContaining(["broken", "stopped", "unpacked"]));
  });
});
