/** What a program may ask of the emulated system: the last that it gets, and the first that it does not. */
import { beforeEach, describe, expect, it } from "vitest";
import { makePlainExecutable } from "../../../../tests/support/executables.ts";
import { EAX, ESP } from "../emulator/cpu.ts";
import { EmulationEnd, ProcessorException } from "../emulator/faults.ts";
import { Memory, PAGE_BYTES, READ_WRITE } from "../emulator/memory.ts";
import { readPe } from "../pe/file.ts";
import { functionOf } from "./functions/index.ts";
import { type ApiCall, Journal, type Notable } from "./journal.ts";
import { START_OF_STACK } from "./layout.ts";
import { WindowsSystem } from "./system.ts";

const MEBIBYTE = 1024 * 1024;
const FREE = 0x2100_0000;
const LARGE = 0x4000_0000;
/** A start asks for some pieces of the heap itself: the environment, two command lines, and lists of modules. */
const PIECES_AT_START = 12;

let system: WindowsSystem;
beforeEach(() => {
  system = new WindowsSystem(readPe(makePlainExecutable()), new Memory(96 * MEBIBYTE));
});
function answer(library: string, name: string, ...given: number[]): number | undefined {
  const { process, exceptions } = system;
  return functionOf(library, name).function.answer({ process, exceptions, name, given, returnsTo: 0 });
}
/** How often something is given. */
function timesOf(asked: () => unknown): number {
  let times = 0;
  while (times < 200_000 && asked()) times += 1;
  return times;
}

describe("a program gets", () => {
  it("100,000 pieces of the heap", () => {
    expect(timesOf(() => system.process.allocateOnHeap(1))).toBe(100_000 - PIECES_AT_START);
  });
  it("4,096 allocations, the first of which is its heap", () => {
    expect(timesOf(() => system.process.allocate(0, 1, READ_WRITE))).toBe(4095);
  });
  it("1,088 values for threads, and 64 threads", () => {
    const { process } = system;
    expect(timesOf(() => process.newThreadSlot() !== 0xffff_ffff)).toBe(1088);
    expect([1087, 1088].map((slot) => process.keepForThread(slot, 1))).toEqual([true, false]);
    expect(timesOf(() => process.callLater(process.base, []))).toBe(64);
  });
  it("48 libraries, three of which are always there, by names of 260 characters", () => {
    const { process } = system;
    expect([260, 261].map((length) => process.loadLibrary("a".repeat(length)) !== 0)).toEqual([true, false]);
    const made = Array.from({ length: 46 }, (_, index) => process.loadLibrary(`made${index}.dll`));
    expect(made.indexOf(0)).toBe(48 - 3 - 1);
    expect(process.loadLibrary("made0.dll")).toBe(made[0]);
  });
  it("functions by names of 400 characters", () => {
    const { process } = system;
    const user = process.findModule("user32.dll") ?? 0;
    expect([400, 401].map((length) => process.functionAddress(user, "a".repeat(length)) !== 0)).toEqual([
      true,
      false,
    ]);
  });
  it("functions that nobody knows, until the library would grow into the next", () => {
    const { process } = system;
    const [kernel, user] = ["kernel32.dll", "user32.dll"].map((name) => process.findModule(name) ?? 0);
    const header = process.readLong(user as number);
    const found = Array.from({ length: 100_000 }, (_, index) =>
      process.functionAddress(kernel as number, `Made${index}`),
    );
    expect([found[0] === 0, found.at(-1)]).toEqual([false, 0]);
    expect(Math.max(...found.slice(0, 40_000))).toBeLessThan(user as number);
    expect(process.readLong(user as number)).toBe(header);
    expect(process.functionAddress(kernel as number, "Made0")).toBe(found[0]);
  });
  it("its own file 256 times", () => {
    const { files } = system.process;
    expect(timesOf(() => files.open("sample.exe"))).toBe(256);
  });
  it("256 hashes and 256 keys", () => {
    expect(timesOf(() => answer("advapi32.dll", "CryptCreateHash", 0, 0, 0, 0, 0))).toBe(256);
    expect(timesOf(() => answer("advapi32.dll", "CryptDeriveKey", 0, 0, 1, 0, 0))).toBe(256);
  });
  it("a minute of one wait", () => {
    const { process } = system;
    const waited = (milliseconds: number) => {
      const before = process.milliseconds;
      process.wait(milliseconds);
      return process.milliseconds - before;
    };
    expect([59_999, 60_000, 60_001].map(waited)).toEqual([59_999, 60_000, 60_000]);
  });
});

describe("the system reads", () => {
  it("4,096 characters of a text", () => {
    const { process } = system;
    process.memory.map(FREE, 3 * PAGE_BYTES, READ_WRITE);
    process.memory.load(FREE, new Uint8Array(4095).fill(0x61));
    expect(process.readText(FREE)).toHaveLength(4095);
    process.memory.load(FREE, new Uint8Array(4097).fill(0x61));
    expect(process.readText(FREE)).toHaveLength(4096);
    process.memory.load(FREE, Buffer.from("a".repeat(4096), "utf16le"));
    expect(process.readWideText(FREE)).toHaveLength(4096);
    process.memory.load(FREE, Buffer.from("a".repeat(4097), "utf16le"));
    expect(process.readWideText(FREE)).toHaveLength(4096);
  });
  it("15 parameters of an exception", () => {
    const countOf = (given: number): number => {
      try {
        answer("kernel32.dll", "RaiseException", 1, 0, given, FREE);
      } catch (error) {
        if (error instanceof ProcessorException) return error.parameters.length;
      }
      return -1;
    };
    expect([14, 15, 16].map(countOf)).toEqual([14, 15, 15]);
  });
  it("500 characters of a message", () => {
    const { process } = system;
    process.memory.map(FREE, PAGE_BYTES, READ_WRITE);
    const shown = (length: number) => {
      process.writeText(FREE, "m".repeat(length), PAGE_BYTES, false);
      answer("user32.dll", "MessageBoxA", 0, FREE, FREE, 0);
      return process.journal.events.at(-1)?.text.match(/m+$/)?.[0].length;
    };
    expect([500, 501].map(shown)).toEqual([500, 500]);
  });
  it("16 MiB of what is to be decrypted", () => {
    const { process } = system;
    const bytes = 16 * MEBIBYTE;
    process.memory.map(LARGE, bytes + PAGE_BYTES, READ_WRITE);
    const [length, last] = [LARGE + bytes + 16, LARGE + bytes - 1];
    process.writeLong(length, bytes + 1);
    answer("advapi32.dll", "CryptCreateHash", 0, 0, 0, 0, length);
    answer("advapi32.dll", "CryptDeriveKey", 0, 0, 1, 0, length + 8);
    process.writeLong(length, bytes + 1);
    expect(answer("advapi32.dll", "CryptDecrypt", 1, 0, 1, 0, LARGE, length)).toBe(1);
    const read = new Uint8Array(2);
    process.memory.tryRead(last, read);
    expect([read[0] === 0, read[1] === 0]).toEqual([false, true]);
  });
  it("64 MiB of what is to be filled, copied or compared", () => {
    const { process } = system;
    const bytes = 64 * MEBIBYTE;
    process.memory.map(LARGE, bytes + 2 * PAGE_BYTES, READ_WRITE);
    const at = (place: number) => process.readLong(place) & 0xff;
    process.fill(LARGE, bytes + 1, 7);
    expect([at(LARGE + bytes - 1), at(LARGE + bytes)]).toEqual([7, 0]);
    const compare = () => answer("msvcrt.dll", "memcmp", LARGE, LARGE + 1, bytes + 1);
    process.memory.load(LARGE + bytes, Uint8Array.of(7, 1));
    expect(compare()).toBe(0);
    process.memory.load(LARGE + bytes, Uint8Array.of(1, 1));
    expect(compare()).toBe(1);
    process.memory.load(LARGE + bytes - 1, Uint8Array.of(5, 6, 0, 0));
    process.copy(LARGE + 1, LARGE, bytes + 1);
    expect([at(LARGE + bytes), at(LARGE + bytes + 1)]).toEqual([5, 0]);
  });
});

describe("of exceptions", () => {
  const raised = () => new ProcessorException(0xc000_0005, "made up");
  const raise = () => {
    system.process.cpu.wide[ESP] = START_OF_STACK;
    return system.exceptions.raise(raised());
  };
  it("64 handlers are asked about one", () => {
    const { process, exceptions } = system;
    for (let handler = 0; handler < 66; handler += 1) exceptions.addVectored(0, process.base);
    expect(raise()).toBe(true);
    let asked = 0;
    const goOn = () => {
      for (;;) {
        asked += 1;
        const hook = process.cpu.pop();
        process.cpu.wide[EAX] = 0;
        process.returnTo(hook);
      }
    };
    expect(goOn).toThrow(EmulationEnd);
    expect(asked).toBe(64);
  });
  it("10,000 are raised", () => {
    system.exceptions.setFilter(system.process.base);
    expect(timesOf(raise)).toBe(10_000);
  });
});

describe("a journal has", () => {
  it("5,000 calls, and the number of the others", () => {
    const journal = new Journal();
    for (let call = 0; call < 4999; call += 1) journal.noteCall({} as ApiCall);
    expect(journal.hasRoom).toBe(true);
    journal.noteCall({} as ApiCall);
    expect([journal.calls.length, journal.callsLeftOut, journal.hasRoom]).toEqual([5000, 0, false]);
    journal.noteCall({} as ApiCall);
    expect([journal.calls.length, journal.callsLeftOut]).toEqual([5000, 1]);
  });
  it("1,000 other events", () => {
    const journal = new Journal();
    for (let event = 0; event < 1001; event += 1) journal.note({} as Notable);
    expect(journal.events).toHaveLength(1000);
  });
  it("texts of 3 to 80 characters that calls are given", () => {
    const { process } = system;
    process.memory.map(FREE, PAGE_BYTES, READ_WRITE);
    const library = process.findModule("kernel32.dll") ?? 0;
    const hook = process.functionAddress(library, "lstrlenA") + 8;
    const shown = (length: number) => {
      process.writeText(FREE, "t".repeat(length), PAGE_BYTES, false);
      for (const value of [FREE, 0]) process.cpu.push(value);
      expect(system.answerAt(hook)).toBe(true);
      return process.journal.calls.at(-1)?.given[0];
    };
    expect([2, 3, 80, 81].map(shown)).toEqual([
      `0x${FREE.toString(16)}`,
      '"ttt"',
      `"${"t".repeat(80)}"`,
      `"${"t".repeat(80)}"`,
    ]);
  });
});

it("memory has as many pages as its limit, and a freed one is another's", () => {
  const memory = new Memory(3 * PAGE_BYTES);
  memory.map(0, 3 * PAGE_BYTES, READ_WRITE);
  const one = () => memory.map(FREE, 1, READ_WRITE);
  expect(one).toThrow(EmulationEnd);
  memory.unmap(0, 1);
  expect(one).not.toThrow();
});
