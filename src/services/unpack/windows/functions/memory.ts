/** Memory functions: pages, heaps and queries. */
import { PAGE_BYTES } from "../../emulator/memory.ts";
import { answering, at, constant, type Functions } from "../call.ts";
import { hex } from "../journal.ts";
import { protectionOf, windowsProtectionOf } from "../protections.ts";

const COMMIT = 0x1000;
const INVALID_ADDRESS = 487;
const PRIVATE = 0x2_0000;
const IMAGE = 0x100_0000;
const FREE = 0x1_0000;

const allocate = (first: number) =>
  answering(4 + first, (call) => {
    const { process } = call;
    const wanted = at(call, first);
    const bytes = at(call, first + 1);
    const protection = protectionOf(at(call, first + 3));
    const made = process.allocate(wanted, bytes, protection);
    if (made === 0) process.lastError = INVALID_ADDRESS;
    else process.note("allocation", `It allocates ${bytes} bytes at ${hex(made)}.`);
    return made;
  });
const protect = (first: number) =>
  answering(4 + first, (call) => {
    const { process } = call;
    const address = at(call, first);
    if (!process.memory.isMapped(address)) {
      process.lastError = INVALID_ADDRESS;
      return 0;
    }
    const before = process.memory.protectionAt(address);
    process.note("protection", `It protects ${at(call, first + 1)} bytes at ${hex(address)} anew.`);
    const start = address & ~(PAGE_BYTES - 1);
    process.memory.protect(start, address + at(call, first + 1) - start, protectionOf(at(call, first + 2)));
    if (at(call, first + 3) !== 0) process.writeLong(at(call, first + 3), windowsProtectionOf(before));
    return 1;
  });
const query = answering(3, (call) => {
  const { process } = call;
  const { memory } = process;
  const start = at(call, 0) & ~(PAGE_BYTES - 1);
  const isMapped = memory.isMapped(start);
  const protection = memory.protectionAt(start);
  let bytes = PAGE_BYTES;
  const same = (address: number) =>
    memory.isMapped(address) === isMapped && memory.protectionAt(address) === protection;
  while (bytes < 0x100_0000 && same(start + bytes)) bytes += PAGE_BYTES;
  const isImage = process.isInImage(start);
  const shown = windowsProtectionOf(protection);
  const base = isImage ? process.base : start;
  const fields = isMapped
    ? [start, base, shown, bytes, COMMIT, shown, isImage ? IMAGE : PRIVATE]
    : [start, 0, 0, bytes, FREE, 1, 0];
  for (const [index, value] of fields.entries()) process.writeLong(at(call, 1) + index * 4, value);
  return fields.length * 4;
});
const heapAllocate = answering(3, (call) => call.process.allocateOnHeap(at(call, 2)));
const globalAllocate = answering(2, (call) => call.process.allocateOnHeap(at(call, 1)));
const reallocate = (address: number, bytes: number) =>
  answering(bytes + 2 > 3 ? 4 : 3, (call) => {
    const { process } = call;
    const made = process.allocateOnHeap(at(call, bytes));
    process.copy(made, at(call, address), Math.min(process.heapBytesAt(at(call, address)), at(call, bytes)));
    return made;
  });

export const memoryFunctions: Functions = {
  VirtualAlloc: allocate(0),
  VirtualAllocEx: allocate(1),
  VirtualProtect: protect(0),
  VirtualProtectEx: protect(1),
  VirtualFree: answering(3, (call) => {
    const { process } = call;
    process.free(at(call, 0), at(call, 1));
    return 1;
  }),
  VirtualQuery: query,
  VirtualLock: constant(2, 1),
  HeapCreate: constant(3, 0x0200_0000),
  HeapDestroy: constant(1, 1),
  GetProcessHeap: constant(0, 0x0200_0000),
  HeapAlloc: heapAllocate,
  RtlAllocateHeap: heapAllocate,
  HeapReAlloc: reallocate(2, 3),
  HeapFree: constant(3, 1),
  RtlFreeHeap: constant(3, 1),
  HeapSize: answering(3, (call) => call.process.heapBytesAt(at(call, 2))),
  GlobalAlloc: globalAllocate,
  LocalAlloc: globalAllocate,
  GlobalReAlloc: reallocate(0, 1),
  LocalReAlloc: reallocate(0, 1),
  GlobalFree: constant(1, 0),
  LocalFree: constant(1, 0),
  GlobalLock: answering(1, (call) => at(call, 0)),
  LocalLock: answering(1, (call) => at(call, 0)),
  GlobalUnlock: constant(1, 1),
  GlobalHandle: answering(1, (call) => at(call, 0)),
  GlobalSize: answering(1, (call) => call.process.heapBytesAt(at(call, 0))),
  IsBadReadPtr: answering(2, (call) => (call.process.memory.isMapped(at(call, 0)) ? 0 : 1)),
  IsBadWritePtr: answering(2, (call) => (call.process.memory.isMapped(at(call, 0)) ? 0 : 1)),
  IsBadCodePtr: answering(1, (call) => (call.process.memory.isMapped(at(call, 0)) ? 0 : 1)),
  FlushInstructionCache: constant(3, 1),
  WriteProcessMemory: answering(5, (call) => {
    const { process } = call;
    process.copy(at(call, 1), at(call, 2), at(call, 3));
    if (at(call, 4) !== 0) process.writeLong(at(call, 4), at(call, 3));
    return 1;
  }),
  ReadProcessMemory: answering(5, (call) => {
    const { process } = call;
    process.copy(at(call, 2), at(call, 1), at(call, 3));
    if (at(call, 4) !== 0) process.writeLong(at(call, 4), at(call, 3));
    return 1;
  }),
  RtlMoveMemory: answering(3, (call) => {
    call.process.copy(at(call, 0), at(call, 1), at(call, 2));
    return 0;
  }),
  RtlZeroMemory: answering(2, (call) => {
    call.process.fill(at(call, 0), at(call, 1), 0);
    return 0;
  }),
  RtlFillMemory: answering(3, (call) => {
    call.process.fill(at(call, 0), at(call, 1), at(call, 2));
    return 0;
  }),
  NtAllocateVirtualMemory: answering(6, (call) => {
    const { process } = call;
    const made = process.allocate(
      process.readLong(at(call, 1)),
      process.readLong(at(call, 3)),
      protectionOf(at(call, 5)),
    );
    process.writeLong(at(call, 1), made);
    return made === 0 ? 0xc000_0017 : 0;
  }),
  NtProtectVirtualMemory: answering(5, (call) => {
    const { process } = call;
    const address = process.readLong(at(call, 1)) >>> 0;
    const before = process.memory.protectionAt(address);
    const start = address & ~(PAGE_BYTES - 1);
    const bytes = process.readLong(at(call, 2));
    process.memory.protect(start, address + bytes - start, protectionOf(at(call, 3)));
    process.writeLong(at(call, 4), windowsProtectionOf(before));
    return 0;
  }),
  NtFreeVirtualMemory: constant(4, 0),
};
