/** Small packers of our own, one for each trick: each packs the same little program. */
import { BASE, Writer, writeExecutable } from "../../src/services/unpack/seed/executable.ts";
import { loaderTricks, type Packed } from "./loader-tricks.ts";
import {
  call,
  chain,
  DATA,
  decode,
  encoded,
  ending,
  goOn,
  importsAt,
  jump,
  KEY,
  long,
  PACKED_ENTRY,
  packedProgram,
  SECOND,
  STUB,
  slotOf,
  TEXT,
} from "./packed-program.ts";

function throughHandler(bytes: number, fault: readonly number[]): number[] {
  const before = decode(TEXT, bytes);
  const handler = STUB + before.length + chain(0).length + fault.length;
  return [...before, ...chain(handler), ...fault, ...goOn];
}

/**
 * A function behind allocated code: jmp over a byte; or esp, esp; jnz over a byte; mov eax, place - 1; inc eax; push [eax]; ret.
 * Another slot leads to code that goes nowhere.
 */
function hidingImports(bytes: number): number[] {
  const hidden = [
    0xeb, 1, 0xb8, 0x0b, 0xe4, 0x75, 1, 0xcc, 0xb8, 0, 0, 0, 0, 0x40, 0xff, 0x30, 0xc3, 0, 0, 0,
  ];
  const [placeAt, nowhereAt] = [0x40, 0x50];
  const slot = BASE + slotOf("ExitProcess");
  return ending([
    ...decode(TEXT, bytes),
    ...[0x6a, 0x40, 0x68, ...long(0x3000), 0x68, ...long(0x1000), 0x6a, 0, ...call("VirtualAlloc")],
    // mov edi, eax; then the code by four bytes, and its place.
    ...[0x89, 0xc7],
    ...[0, 4, 8, 12, 16].flatMap((at) => [0xc7, 0x47, at, ...hidden.slice(at, at + 4)]),
    ...[0x8d, 0x4f, placeAt - 1, 0x89, 0x4f, 9],
    ...[0x8b, 0x15, ...long(slot), 0x89, 0x57, placeAt, 0x89, 0x3d, ...long(slot)],
    ...[0xc6, 0x47, nowhereAt, 0xc3, 0x8d, 0x4f, nowhereAt],
    ...[0x89, 0x0d, ...long(BASE + slotOf("GetModuleFileNameA"))],
  ]);
}

const stubTricks: Readonly<Record<string, (bytes: number) => Packed>> = {
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
  "functions behind code that hides where it leads": (bytes) => ({ stub: hidingImports(bytes) }),
  "everything between push all and pop all": (bytes) => ({
    stub: ending([0x60, ...decode(TEXT, bytes), 0x61]),
  }),
};
const tricks: Readonly<Record<string, (bytes: number) => Packed>> = { ...stubTricks, ...loaderTricks };
export const trickNames: readonly string[] = Object.keys(tricks);

export function makePacked(trick: string): Buffer {
  const program = packedProgram();
  const { stub, second, ...rest } = tricks[trick]?.(program.length) ?? { stub: [] };
  const { text = encoded(program), hasImports = true, entryPoint = STUB, directories, overlay = [] } = rest;
  const data = new Writer(DATA);
  const { table, slots } = importsAt(data);
  const empty = new Uint8Array(Math.max(...slots.values()) + 4 - DATA);
  const executable = writeExecutable({
    sections: [
      { name: ".text", address: TEXT, bytes: text, size: program.length, isWritable: true },
      { name: ".stub", address: STUB, bytes: Uint8Array.from(stub), isWritable: true },
      { name: ".data", address: DATA, bytes: hasImports ? data.bytes : empty, isWritable: true },
      ...(second
        ? [{ name: ".second", address: SECOND, bytes: Uint8Array.from(second), isWritable: true }]
        : []),
    ],
    entryPoint,
    ...(hasImports && { imports: table }),
    ...(directories && { directories }),
  });
  return Buffer.concat([executable, Buffer.from(overlay)]);
}
