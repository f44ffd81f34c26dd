/** Packers of our own come undone, and hostile and broken files do no harm. */
import { describe, expect, it } from "vitest";
import { makePackedExecutable, makePlainExecutable } from "../../../../tests/support/executables.ts";
import { PACKED_ENTRY, packedProgram } from "../../../../tests/support/packed-program.ts";
import { makePacked, trickNames } from "../../../../tests/support/packers.ts";
import { BrokenFileError, mapPe, readPe } from "../pe/file.ts";
import { isExecutable, isWritable } from "./appearance.ts";
import { DEFAULT_BUDGET } from "./outcome.ts";
import { unpackExecutable } from "./unpack.ts";

const SMALL_BUDGET = { instructionsMax: 300_000, memoryBytesMax: 96 * 1024 * 1024 };

describe("a program packed with", () => {
  it.each(trickNames)("%s is unpacked", (trick) => {
    const { verdict, content, report } = unpackExecutable(makePacked(trick), DEFAULT_BUDGET);
    expect(report.reason).toBe("It asks for GetVersion.");
    expect(verdict).toBe("unpacked");
    expect(report.originalEntryPoint).toBe(PACKED_ENTRY);
    const file = readPe(content ?? new Uint8Array());
    const program = packedProgram();
    expect(file.entryPoint).toBe(PACKED_ENTRY);
    expect(Buffer.from(mapPe(file).subarray(0x1000, 0x1000 + program.length))).toEqual(Buffer.from(program));
    expect(report.imports.flatMap(({ functions }) => functions)).toEqual(
      expect.arrayContaining(["GetVersion", "ExitProcess"]),
    );
    expect(file.sections.filter((section) => isWritable(section) && isExecutable(section))).toEqual([]);
  });
});

/** Where fields lie, for files of our own making. */
const HEADER = 0x40;
const OPTIONAL = HEADER + 24;
const FIRST_SECTION = OPTIONAL + 0xe0;
type Change = (file: Buffer) => void;
const hostile: Readonly<Record<string, Change>> = {
  "sections that lie over each other": (file) => file.writeUInt32LE(0x1000, FIRST_SECTION + 40 + 12),
  "a section that is not in the file": (file) => file.writeUInt32LE(0x7fff_f000, FIRST_SECTION + 20),
  "a section larger than the file": (file) => file.writeUInt32LE(0x00ff_0000, FIRST_SECTION + 16),
  "a raw offset between sectors": (file) =>
    file.writeUInt32LE(file.readUInt32LE(FIRST_SECTION + 20) + 1, FIRST_SECTION + 20),
  "its entry point in the headers": (file) => file.writeUInt32LE(0x10, OPTIONAL + 16),
  "its entry point outside": (file) => file.writeUInt32LE(0x7000_0000, OPTIONAL + 16),
  "tiny alignments": (file) => {
    file.writeUInt32LE(4, OPTIONAL + 32);
    file.writeUInt32LE(4, OPTIONAL + 36);
  },
  "a huge alignment": (file) => file.writeUInt32LE(0x1000_0000, OPTIONAL + 32),
  "no imports": (file) => file.writeUInt32LE(0, OPTIONAL + 104),
  "imports that point nowhere": (file) => file.writeUInt32LE(0x7fff_fff0, OPTIONAL + 104),
  "imports that go on for ever": (file) => file.writeUInt32LE(0x1000, OPTIONAL + 104),
  "thread callbacks that point nowhere": (file) => file.writeUInt32LE(0x7fff_fff0, OPTIONAL + 96 + 72),
  "thread callbacks in the middle of code": (file) => file.writeUInt32LE(0x1000, OPTIONAL + 96 + 72),
  "sections without an end": (file) => file.writeUInt16LE(96, HEADER + 6),
  "too many sections": (file) => file.writeUInt16LE(0xffff, HEADER + 6),
  "an image of two gigabytes": (file) => file.writeUInt32LE(0x7fff_0000, OPTIONAL + 56),
  "a base at the end of memory": (file) => file.writeUInt32LE(0xffff_0000, OPTIONAL + 28),
  "a base among the system's libraries": (file) => file.writeUInt32LE(0x7510_0000, OPTIONAL + 28),
  "a base where the stack is": (file) => file.writeUInt32LE(0x10_0000, OPTIONAL + 28),
  "headers beyond its end": (file) => file.writeUInt32LE(0xffff_fff0, 0x3c),
  "an optional header of no length": (file) => file.writeUInt16LE(0, HEADER + 20),
};
/** Whatever it is, it ends: with an outcome, or with words for whoever sent it. */
function endOf(content: Uint8Array): string {
  try {
    return unpackExecutable(content, SMALL_BUDGET).verdict;
  } catch (error) {
    if (!(error instanceof BrokenFileError)) throw error;
    return "broken";
  }
}
describe("an executable with", () => {
  it.each(Object.entries(hostile))("%s is looked at or refused", (_name, change) => {
    const file = makePackedExecutable();
    change(file);
    expect(["unpacked", "plain", "stopped", "broken"]).toContain(endOf(file));
  });
});

/** The same numbers every time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    yield (state ^ (state >>> 16)) >>> 0;
  }
}
it("ends with every file that was changed at random", () => {
  const dice = numbers(17);
  const roll = (below: number) => (dice.next().value ?? 0) % below;
  const files = [makePackedExecutable(), makePlainExecutable(), makePacked(trickNames[0] ?? "")];
  const ends = new Set<string>();
  for (let i = 0; i < 60; i += 1) {
    const file = Buffer.from(files[i % files.length] ?? []);
    const isHeader = roll(2) === 0;
    for (let changes = 1 + roll(6); changes > 0; changes -= 1)
      file[roll(isHeader ? Math.min(0x200, file.length) : file.length)] = roll(256);
    ends.add(endOf(file.subarray(0, roll(8) === 0 ? roll(file.length) : file.length)));
  }
  expect([...ends].sort()).toEqual(expect.arrayContaining(["broken", "stopped", "unpacked"]));
});

it("ends with a program that has taken its stack away before its handler is called", () => {
  // push 0; push fs:[0]; mov fs:[0], esp; mov esp, to the heap's start and a little; mov [0], eax
  const prologue = [
    ...[0x6a, 0, 0x64, 0xff, 0x35, 0, 0, 0, 0, 0x64, 0x89, 0x25, 0, 0, 0, 0],
    ...[0xbc, 0x80, 0x03, 0, 0x02, 0xa3, 0, 0, 0, 0],
  ];
  const { verdict, report } = unpackExecutable(makePackedExecutable({ prologue }), SMALL_BUDGET);
  expect(verdict).toBe("stopped");
  expect(report.reason).toContain("an exception that it does not handle");
});

it("takes what it made itself for plain", () => {
  const { content } = unpackExecutable(makePackedExecutable(), SMALL_BUDGET);
  const { verdict, report } = unpackExecutable(content ?? Buffer.alloc(0), SMALL_BUDGET);
  expect([verdict, report.packer, report.reason]).toEqual([
    "plain",
    undefined,
    "It is what an executable was unpacked to before.",
  ]);
});

it("stops a program that takes too long, and says so", () => {
  const endless = makePackedExecutable({ prologue: [0xeb, 0xfe] });
  const { verdict, report } = unpackExecutable(endless, SMALL_BUDGET);
  expect(verdict).toBe("stopped");
  expect(report.reason).toContain("300000 instructions");
});
