/** The little program that packers of our own pack, and what their stubs are made of: written byte by byte. */
import { BASE, Writer, writeImports } from "../../src/services/unpack/seed/executable.ts";

export const TEXT = 0x1000;
export const STUB = 0x2000;
export const DATA = 0x3000;
export const SECOND = 0x4000;
export const KEY = 0x5a;
/** Where the program begins that they pack. */
export const PACKED_ENTRY = TEXT + 0x10;

export const long = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
export const jump = (from: number, to: number): number[] => [0xe9, ...long(to - (from + 5))];

/** Of the system, for the program and for those that pack it. */
const IMPORTS = [
  "GetVersion",
  "ExitProcess",
  "VirtualAlloc",
  "VirtualProtect",
  "GetModuleFileNameA",
  "GetModuleHandleA",
  "GetProcAddress",
  "CreateFileA",
  "SetFilePointer",
  "ReadFile",
];
export const importsAt = (data: Writer) => writeImports(data, "KERNEL32.dll", IMPORTS);
const { slots } = importsAt(new Writer(DATA));
/** Where the address of a function lies, from the image's base. */
export const slotOf = (name: string): number => slots.get(name) ?? 0;
export const call = (name: string): number[] => [0xff, 0x15, ...long(BASE + slotOf(name))];

const CODE = [0x55, 0x8b, 0xec, ...call("GetVersion"), 0x6a, 0, ...call("ExitProcess")];
/** What the program wants called before it begins: it asks for the version, too. */
export const CALLBACK = PACKED_ENTRY + CODE.length;

/** It asks for the version and ends; before it lies what no stub may disturb. */
export function packedProgram(): Uint8Array {
  return Uint8Array.from([
    ...Array.from({ length: 0x10 }, (_, index) => 0xa0 + index),
    ...CODE,
    ...[...call("GetVersion"), 0xc2, 0x0c, 0x00],
    ...Array.from({ length: 0x60 }, (_, index) => (index * 7) & 0xff),
  ]);
}
export const encoded = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ KEY);

/** xor byte [esi], key; inc esi; loop: from where, and how many. */
export const decode = (from: number, bytes: number): number[] => [
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
export const chain = (handler: number): number[] => [
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
export const goOn = [
  ...[0x8b, 0x4c, 0x24, 0x0c],
  ...[0xc7, 0x81, 0xb8, 0, 0, 0, ...long(BASE + PACKED_ENTRY)],
  ...[0x83, 0x81, 0xc4, 0, 0, 0, 8],
  ...[0x31, 0xc0, 0xc3],
];
export const ending = (stub: readonly number[]): number[] => [
  ...stub,
  ...jump(STUB + stub.length, PACKED_ENTRY),
];
