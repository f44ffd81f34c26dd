/** Small packers of our own, one for each trick: each packs the same little program, written here byte by byte. */
import { BASE, Writer, writeExecutable, writeImports } from "../../src/services/unpack/seed/executable.ts";

const TEXT = 0x1000;
const STUB = 0x2000;
const DATA = 0x3000;
const SECOND = 0x4000;
const KEY = 0x5a;
/** Where the program begins that they pack. */
export const PACKED_ENTRY = TEXT + 0x10;

const long = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
const jump = (from: number, to: number): number[] => [0xe9, ...long(to - (from + 5))];

/** It asks for the version and ends; before it lies what no stub may disturb. */
export function packedProgram(): Uint8Array {
  const { slots } = writeImports(new Writer(DATA), "KERNEL32.dll", [
    "GetVersion",
    "ExitProcess",
    "VirtualAlloc",
  ]);
  const call = (name: string) => [0xff, 0x15, ...long(BASE + (slots.get(name) ?? 0))];
  const filler = Array.from({ length: 0x10 }, (_, index) => 0xa0 + index);
  const code = [0x55, 0x8b, 0xec, ...call("GetVersion"), 0x6a, 0, ...call("ExitProcess")];
  return Uint8Array.from([
    ...filler,
    ...code,
    ...Array.from({ length: 0x60 }, (_, index) => (index * 7) & 0xff),
  ]);
}

/** xor byte [esi], key; inc esi; loop: from where, and how many. */
const decode = (from: number, bytes: number): number[] => [
  0xbe,
  ...long(BASE + from),
  0xb9,
  ...long(bytes),
  0x80,
  0x36,
  KEY,
  0x46,
  0xe2,
  0xfa,
];
/** Pushes a handler that lies so far behind, and makes it the first of the chain. */
const chain = (handler: number): number[] => [
  0x68,
  ...long(BASE + handler),
  0x31,
  0xc0,
  0x64,
  0xff,
  0x30,
  0x64,
  0x89,
  0x20,
];
/** A handler that goes on at the program's start, with the stack as it was before the chain was made longer. */
const goOn = [
  ...[0x8b, 0x4c, 0x24, 0x0c],
  ...[0xc7, 0x81, 0xb8, 0, 0, 0, ...long(BASE + PACKED_ENTRY)],
  ...[0x83, 0x81, 0xc4, 0, 0, 0, 8],
  ...[0x31, 0xc0, 0xc3],
];
function throughHandler(bytes: number, fault: readonly number[]): number[] {
  const before = decode(TEXT, bytes);
  const handler = STUB + before.length + chain(0).length + fault.length;
  return [...before, ...chain(handler), ...fault, ...goOn];
}
const ending = (stub: readonly number[]): number[] => [...stub, ...jump(STUB + stub.length, PACKED_ENTRY)];

type Packed = {
  readonly stub: readonly number[];
  readonly second?: readonly number[];
  readonly isEncoded?: boolean;
};
const tricks: Readonly<Record<string, (bytes: number) => Packed>> = {
  "a loop that decodes": (bytes) => ({ stub: ending(decode(TEXT, bytes)) }),
  "an exception that the handler answers": (bytes) => ({ stub: throughHandler(bytes, [0x89, 0x00]) }),
  "a break point": (bytes) => ({ stub: throughHandler(bytes, [0xcc]) }),
  "a division by zero": (bytes) => ({ stub: throughHandler(bytes, [0x31, 0xd2, 0xf7, 0xf2]) }),
  "a single step": (bytes) => ({
    stub: throughHandler(bytes, [0x9c, 0x81, 0x0c, 0x24, 0, 1, 0, 0, 0x9d, 0x90, 0x90]),
  }),
  "a stub that decodes a second one elsewhere": (bytes) => {
    const inner = decode(TEXT, bytes);
    const second = [...inner, ...jump(SECOND + inner.length, PACKED_ENTRY)];
    const first = decode(SECOND, second.length);
    return {
      stub: [...first, ...jump(STUB + first.length, SECOND)],
      second: second.map((byte) => byte ^ KEY),
    };
  },
  "a look at the clock of the processor": (bytes) => {
    // rdtsc; mov ebx, eax; rdtsc; sub eax, ebx; cmp eax, 4096; ja to itself
    const look = [0x0f, 0x31, 0x89, 0xc3, 0x0f, 0x31, 0x29, 0xd8, 0x3d, ...long(0x1000), 0x77, 0xfe];
    return { stub: ending([...look, ...decode(TEXT, bytes)]) };
  },
  "code that writes its own next instruction": (bytes) => {
    // The jump at the end is written over a trap just before it is reached.
    const before = decode(TEXT, bytes);
    const patch = STUB + before.length + 7;
    const change = [0xc6, 0x05, ...long(BASE + patch), 0xe9];
    const end = jump(patch, PACKED_ENTRY);
    return { stub: [...before, ...change, 0xcc, ...end.slice(1)] };
  },
  "a return to an address that was pushed": (bytes) => ({
    stub: [...decode(TEXT, bytes), 0x68, ...long(BASE + PACKED_ENTRY), 0xc3],
  }),
  "everything between push all and pop all": (bytes) => ({
    stub: ending([0x60, ...decode(TEXT, bytes), 0x61]),
  }),
};
export const trickNames: readonly string[] = Object.keys(tricks);

export function makePacked(trick: string): Buffer {
  const program = packedProgram();
  const { stub, second } = tricks[trick]?.(program.length) ?? { stub: [] };
  const data = new Writer(DATA);
  const { table } = writeImports(data, "KERNEL32.dll", ["GetVersion", "ExitProcess", "VirtualAlloc"]);
  return writeExecutable({
    sections: [
      { name: ".text", address: TEXT, bytes: program.map((byte) => byte ^ KEY), isWritable: true },
      { name: ".stub", address: STUB, bytes: Uint8Array.from(stub), isWritable: true },
      { name: ".data", address: DATA, bytes: data.bytes, isWritable: true },
      ...(second
        ? [{ name: ".second", address: SECOND, bytes: Uint8Array.from(second), isWritable: true }]
        : []),
    ],
    entryPoint: STUB,
    imports: table,
  });
}
