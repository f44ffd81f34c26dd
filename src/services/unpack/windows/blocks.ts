/** Writes the thread and process environment blocks (TEB, PEB) and the module lists. */
import { PAGE_BYTES, READ_WRITE } from "../emulator/memory.ts";
import { HEAP_START, OWN_PATH, PEB, PROCESS_ID, STACK_BYTES, STACK_TOP, TEB, THREAD_ID } from "./layout.ts";
import type { LoadedProcess } from "./loaded-process.ts";

/** Field offsets, keyed by word size. */
const FIELDS = {
  4: {
    thread: { stackTop: 4, stackEnd: 8, self: 0x18, process: 0x20, thread: 0x24, processBlock: 0x30 },
    process: { base: 8, modules: 0xc, heap: 0x18, version: 0xa4 },
    lists: 0xc,
  },
  8: {
    thread: { stackTop: 8, stackEnd: 0x10, self: 0x30, process: 0x40, thread: 0x48, processBlock: 0x60 },
    process: { base: 0x10, modules: 0x18, heap: 0x30, version: 0x118 },
    lists: 0x10,
  },
} as const;
const VERSION = [5, 1, 2600] as const;
const END_OF_CHAIN = 0xffff_ffff;

export function writeBlocks(process: LoadedProcess): void {
  const { thread, process: own } = FIELDS[process.wordBytes];
  process.memory.map(TEB, PAGE_BYTES, READ_WRITE);
  process.memory.map(PEB, PAGE_BYTES, READ_WRITE);
  process.cpu.fsBase = TEB;
  // Only 32-bit programs have the exception chain. 64-bit programs use function tables.
  if (process.wordBytes === 4) process.writeLong(TEB, END_OF_CHAIN);
  process.writePointer(TEB + thread.stackTop, STACK_TOP);
  process.writePointer(TEB + thread.stackEnd, STACK_TOP - STACK_BYTES);
  process.writePointer(TEB + thread.self, TEB);
  process.writeLong(TEB + thread.process, PROCESS_ID);
  process.writeLong(TEB + thread.thread, THREAD_ID);
  process.writePointer(TEB + thread.processBlock, PEB);
  process.writePointer(PEB + own.base, process.base);
  process.writePointer(PEB + own.heap, HEAP_START);
  for (const [index, value] of VERSION.entries()) process.writeLong(PEB + own.version + index * 4, value);
}

const lengths = (characters: number): number => (characters * 2) | ((characters * 2 + 2) << 16);

function writeModule(
  process: LoadedProcess,
  at: number,
  base: number,
  bytes: number,
  entry: number,
  path: string,
) {
  const { wordBytes } = process;
  const text = process.allocateOnHeap(path.length * 2 + 2);
  process.writeText(text, path, path.length + 1, true);
  const folder = path.lastIndexOf("\\") + 1;
  const field = (index: number): number => at + (6 + index) * wordBytes;
  process.writePointer(field(0), base);
  process.writePointer(field(1), entry);
  process.writeLong(field(2), bytes);
  process.writeLong(field(3), lengths(path.length));
  process.writePointer(field(4), text);
  process.writeLong(field(5), lengths(path.length - folder));
  process.writePointer(field(6), text + folder * 2);
}
/** Writes the three module lists. Each is a circular list. */
export function writeModuleLists(process: LoadedProcess): void {
  const { wordBytes, base, file } = process;
  const fields = FIELDS[wordBytes];
  const libraries = [...process.libraries.all];
  const data = process.allocateOnHeap(0x60);
  const entries = [base, ...libraries].map(() => process.allocateOnHeap(0x18 * wordBytes));
  process.writePointer(PEB + fields.process.modules, data);
  process.writeLong(data, fields.lists + 7 * wordBytes);
  process.writeLong(data + 4, 1);
  const [own = 0, ...others] = entries;
  writeModule(process, own, base, file.imageBytes, base + file.entryPoint, OWN_PATH);
  for (const [index, { name, base: at }] of libraries.entries())
    writeModule(process, others[index] ?? 0, at, 0x10_0000, at + 0x1000, `C:\\WINDOWS\\system32\\${name}`);
  for (const [order, listed] of [entries, entries, others].entries()) {
    // The third list has initialisation order, which excludes the program itself.
    const offset = order * 2 * wordBytes;
    const ring = [data + fields.lists + offset, ...listed.map((entry) => entry + offset)];
    for (const [i, place] of ring.entries()) {
      process.writePointer(place, ring[(i + 1) % ring.length] as number);
      process.writePointer(place + wordBytes, ring[(i + ring.length - 1) % ring.length] as number);
    }
  }
}
