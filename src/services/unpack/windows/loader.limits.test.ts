/** What the loader reads of a file's tables: the last entry that it reads, and the first that it does not. */
import { expect, it } from "vitest";
import { Memory } from "../emulator/memory.ts";
import { readPe } from "../pe/file.ts";
import { BASE, Writer, writeExecutable } from "../seed/executable.ts";
import { isOfSystem } from "./layout.ts";
import { threadCallbacks } from "./loader.ts";
import { WindowsProcess } from "./process.ts";

const TEXT = 0x1000;
const TLS = 9;

function loaded(writer: Writer, directory: number, address: number): WindowsProcess {
  const content = writeExecutable({
    sections: [{ name: ".data", address: TEXT, bytes: writer.bytes, isWritable: true }],
    entryPoint: TEXT,
    directories: new Map([[directory, { address, bytes: 40 }]]),
  });
  return new WindowsProcess(readPe(content), new Memory(96 * 1024 * 1024), () => []);
}
const isBound = (process: WindowsProcess, slot: number): boolean =>
  isOfSystem(process.readLong(BASE + slot) >>> 0);

it("it binds 4,096 functions of a library", () => {
  const writer = new Writer(TEXT);
  const library = writer.text("kernel32.dll");
  const slots = writer.here + (4 - (writer.here % 4));
  while (writer.here < slots) writer.put(0);
  for (let index = 0; index < 4097; index += 1) writer.long(0x8000_0001);
  writer.long(0);
  const table = writer.here;
  for (const value of [0, 0, 0, library, slots, 0, 0, 0, 0, 0]) writer.long(value);
  const process = loaded(writer, 1, table);
  expect([4095, 4096].map((index) => isBound(process, slots + index * 4))).toEqual([true, false]);
});

it("it reads 256 tables of libraries", () => {
  const writer = new Writer(TEXT);
  const library = writer.text("kernel32.dll");
  while (writer.here % 4 !== 0) writer.put(0);
  const slots = writer.here;
  for (let index = 0; index < 257; index += 1) for (const value of [0x8000_0001, 0]) writer.long(value);
  const table = writer.here;
  for (let index = 0; index < 257; index += 1)
    for (const value of [0, 0, 0, library, slots + index * 8]) writer.long(value);
  for (let word = 0; word < 5; word += 1) writer.long(0);
  const process = loaded(writer, 1, table);
  expect([255, 256].map((index) => isBound(process, slots + index * 8))).toEqual([true, false]);
});

it.each([
  [15, 15],
  [16, 16],
  [17, 16],
])("of %i callbacks of threads it calls %i", (given, called) => {
  const writer = new Writer(TEXT);
  const list = TEXT + 24;
  for (const value of [0, 0, BASE + TEXT, BASE + list, 0, 0]) writer.long(value);
  for (let index = 0; index < given; index += 1) writer.long(BASE + TEXT);
  writer.long(0);
  expect(threadCallbacks(loaded(writer, TLS, TEXT))).toHaveLength(called);
});
