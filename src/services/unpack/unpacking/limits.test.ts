/** What is read of a program that has run: the last that counts, and the first that does not. */
import { describe, expect, it } from "vitest";
import { Memory, PAGE_BYTES, READ_WRITE } from "../emulator/memory.ts";
import { mapPe, readPe } from "../pe/file.ts";
import { BASE, Writer, writeExecutable } from "../seed/executable.ts";
import { WindowsSystem } from "../windows/system.ts";
import { createThunkFollower } from "./followed-thunks.ts";
import { importTablesOf } from "./imports.ts";
import { putBackImports } from "./moved-imports.ts";
import { DEFAULT_BUDGET } from "./outcome.ts";
import { rebuild } from "./rebuild.ts";
import { findThunkTarget } from "./thunks.ts";
import { unpackExecutable } from "./unpack.ts";
import { writtenStrings } from "./written-strings.ts";

const MEBIBYTE = 1024 * 1024;
const TEXT = 0x1000;
const FREE = 0x2100_0000;
const FUNCTION = 0x7500_1000;
const NOP = 0x90;

const startOf = (code: readonly number[]): WindowsSystem["process"] => {
  const content = writeExecutable({
    sections: [{ name: ".text", address: TEXT, bytes: Uint8Array.from(code), isWritable: true }],
    entryPoint: TEXT,
  });
  return new WindowsSystem(readPe(content), new Memory(96 * MEBIBYTE)).process;
};

describe("of a program's strings", () => {
  const stringsOf = (bytes: number, texts: readonly (readonly [at: number, text: string])[]) => {
    const process = startOf([NOP]);
    process.memory.map(FREE, bytes, READ_WRITE);
    for (let page = FREE; page < FREE + bytes; page += PAGE_BYTES) process.memory.write8(page, 0);
    for (const [at, text] of texts) process.memory.load(FREE + at, Buffer.from(text, "latin1"));
    return writtenStrings(process, new Uint8Array()).map(({ text }) => text);
  };
  it("those of 6 characters are told, and 256 of each", () => {
    expect(stringsOf(PAGE_BYTES, [[100, "fives"]])).toEqual([]);
    expect(stringsOf(PAGE_BYTES, [[100, "sixers"]])).toEqual(["sixers"]);
    const told = [255, 256, 257].map((length) => stringsOf(PAGE_BYTES, [[100, "s".repeat(length)]])[0]);
    expect(told.map((text) => text?.length)).toEqual([255, 256, 256]);
  });
  it("2,000 are told", () => {
    const texts = Array.from({ length: 2001 }, (_, index) => [index * 12, `text ${index}\0`] as const);
    expect(stringsOf(8 * PAGE_BYTES, texts.slice(0, 1999))).toHaveLength(1999);
    expect(stringsOf(8 * PAGE_BYTES, texts)).toEqual(
      texts.slice(0, 2000).map(([, text]) => text.slice(0, -1)),
    );
  });
  it("those in 32 MB of memory are told", () => {
    const end = 32 * MEBIBYTE;
    const texts = [
      [end - 13, "first."],
      [end - 5, "second"],
    ] as const;
    expect(stringsOf(end + PAGE_BYTES, texts)).toEqual(["first."]);
    expect(stringsOf(end + PAGE_BYTES, [[end - 6, "second"]])).toEqual(["second"]);
  });
});

it("a thunk leads to its function by four jumps", () => {
  const followed = (hops: number) => {
    const memory = new Uint8Array(256);
    const view = new DataView(memory.buffer);
    for (let hop = 0; hop < hops; hop += 1) {
      memory[hop * 8] = 0xe9;
      const target = hop === hops - 1 ? FUNCTION : (hop + 1) * 8;
      view.setInt32(hop * 8 + 1, target - (hop * 8 + 5), true);
    }
    const read = (address: number, into: Uint8Array) => {
      into.set(memory.subarray(address, address + into.length));
      return true;
    };
    return findThunkTarget(0, read, false);
  };
  expect([followed(4), followed(5)]).toEqual([FUNCTION, undefined]);
});

describe("code in front of a function is followed", () => {
  /** Instructions that do nothing, and a jump to a function. */
  const thunkOf = (instructions: number): number[] => {
    const jump = new Writer(0);
    jump.long(FUNCTION - (BASE + TEXT + instructions + 4));
    return [...Array<number>(instructions - 1).fill(NOP), 0xe9, ...jump.bytes];
  };
  it("where it has fewer than 200 instructions", () => {
    const followed = (instructions: number) =>
      createThunkFollower(startOf(thunkOf(instructions)))(BASE + TEXT) !== undefined;
    expect([followed(199), followed(200)]).toEqual([true, false]);
  });
  it("at 10,000 places", () => {
    const follow = createThunkFollower(startOf(thunkOf(3)));
    for (let other = 0; other < 9999; other += 1) follow(FREE + other);
    expect([0, 1, 0].map((place) => follow(BASE + TEXT + place) !== undefined)).toEqual([true, false, true]);
  });
});

describe("of slots that lead to nothing known", () => {
  const ALLOCATED = 0x200_0000;
  const unboundOf = (words: readonly number[]) =>
    importTablesOf(new Uint8Array(Uint32Array.from([...words, 0, 0, 0]).buffer), {
      isWide: false,
      window: 0,
      find: (address) =>
        address === FUNCTION ? { library: { name: "kernel32.dll" }, name: "GetVersion" } : undefined,
      follow: () => undefined,
      isElsewhere: (address) => address === ALLOCATED,
      isInside: (address) => address === BASE,
    }).unbound.length;
  const filled = (count: number, word: number) => Array<number>(count).fill(word);
  it("64 between two others are told", () => {
    const between = (count: number) => unboundOf([FUNCTION, ...filled(count, BASE), FUNCTION]);
    expect([between(64), between(65)]).toEqual([64, 0]);
  });
  it("1,000 are told, wherever they lie", () => {
    const behind = (count: number) => unboundOf([FUNCTION, ...filled(count, ALLOCATED)]);
    expect([999, 1000, 1001].map(behind)).toEqual([999, 1000, 1000]);
    const between = Array.from({ length: 16 }, () => [FUNCTION, ...filled(64, BASE)]);
    expect(unboundOf([...between.flat(), FUNCTION])).toBe(1000);
  });
});

it("a first table of imports has fewer than 100,000 functions", () => {
  const isPutBack = (functions: number) => {
    const [library, table, slots] = [TEXT, TEXT + 16, TEXT + 64];
    const image = Buffer.alloc(slots + functions * 4 + 64);
    const moved = image.length - 8;
    image.write("kernel32.dll", library, "latin1");
    image.writeUInt32LE(library, table + 12);
    image.writeUInt32LE(slots, table + 16);
    for (let index = 0; index < functions; index += 1) image.writeUInt32LE(0x8000_0001, slots + index * 4);
    image.writeUInt32LE(BASE + moved, image.length - 4);
    const tables = [{ library: "kernel32.dll", address: moved, names: ["#1"] }];
    return putBackImports(image, BASE, tables) !== tables;
  };
  expect([isPutBack(99_999), isPutBack(100_000)]).toEqual([true, false]);
});

it("what is rebuilt has 90 sections of its file", () => {
  const rebuiltOf = (count: number) => {
    const bytes = Uint8Array.of(NOP);
    const content = writeExecutable({
      sections: Array.from({ length: count }, (_, index) => ({
        name: `.s${index}`,
        address: TEXT * (index + 1),
        bytes,
      })),
      entryPoint: TEXT,
    });
    const file = readPe(content);
    const found = { image: mapPe(file), base: file.base, entryPoint: TEXT, isWritten: () => false };
    const resolver = {
      isWide: false,
      window: 0,
      find: () => undefined,
      follow: () => undefined,
      isElsewhere: () => false,
      isInside: () => false,
    };
    return readPe(rebuild(file, found, resolver).content).sections.map(({ name }) => name);
  };
  const kept = (count: number) => rebuiltOf(count).filter((name) => name.startsWith(".s")).length;
  expect([89, 90, 91].map(kept)).toEqual([89, 90, 90]);
  expect(rebuiltOf(91).at(-1)).toBe(".imports");
});

it("200 jumps of a program into what it has written are told", () => {
  const layersOf = (count: number) => {
    const there = BASE + 2 * TEXT;
    const code = new Writer(TEXT);
    code.put(0xbf);
    code.long(there);
    code.put(0xb9);
    code.long(count);
    // mov byte [edi], ret; call edi; inc edi; loop; then a trap that nothing handles.
    code.put(0xc6, 0x07, 0xc3, 0xff, 0xd7, 0x47, 0xe2, 0xf8, 0xf4);
    const content = writeExecutable({
      sections: [
        { name: ".text", address: TEXT, bytes: code.bytes },
        { name: ".more", address: 2 * TEXT, bytes: new Uint8Array(), size: TEXT, isWritable: true },
      ],
      entryPoint: TEXT,
    });
    return unpackExecutable(content, DEFAULT_BUDGET).report.layers.length;
  };
  expect([199, 200, 201].map(layersOf)).toEqual([199, 200, 200]);
});

it("1,000 calls that have not returned are remembered, and their returns are no layers", () => {
  const layersOf = (calls: number) => {
    const sections = [TEXT, 2 * TEXT].map((start) => new Writer(start));
    let [here, there] = sections as [Writer, Writer];
    // Each calls the next in the other section.
    for (let call = 0; call < calls; call += 1) {
      here.put(0xe8);
      here.long(there.here - here.here - 4);
      here.put(0xc3);
      [here, there] = [there, here];
    }
    // The last one writes behind all code of both sections: mov byte [address], 0.
    for (const section of [TEXT, 2 * TEXT]) {
      here.put(0xc6, 0x05);
      here.long(BASE + section + TEXT - 1);
      here.put(0);
    }
    here.put(0xc3);
    const content = writeExecutable({
      sections: sections.map(({ bytes }, index) => ({
        ...{ name: `.${index}`, address: (index + 1) * TEXT, isWritable: true },
        bytes: Uint8Array.from({ length: TEXT }, (_, at) => bytes[at] ?? 0),
      })),
      entryPoint: TEXT,
    });
    return unpackExecutable(content, DEFAULT_BUDGET).report.layers.map(({ address }) => address);
  };
  expect(layersOf(1000)).toEqual([]);
  expect(layersOf(1001)).toHaveLength(1);
});
