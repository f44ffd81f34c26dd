/** Packers of our own that hide a program's tables: exports, resources, relocations, what threads have of their own. */
import { BASE, Writer, writeExecutable } from "../../src/services/unpack/seed/executable.ts";
import {
  DATA,
  decode,
  encoded,
  ending,
  importsAt,
  long,
  PACKED_ENTRY,
  packedProgram,
  STUB,
  TEXT,
} from "./packed-program.ts";

const TABLES = 0x4000;
const RELOCATIONS = 0x5000;
const RESOURCES = 0x6000;
const DIRECTORY = { resources: 2, relocations: 5, tls: 9 } as const;
/** Of the program, where it calls the system; its callback does so, too. */
const PROGRAM_WORDS = [TEXT + 0x15, TEXT + 0x1d, TEXT + 0x23];
export const RESOURCE_TEXT = "Leeks like it deep.";
export const EXPORTED = { name: "garden.dll", functions: ["dig", "sow", "water"] } as const;

/** One resource, of type 10, number 1, in one language. */
function resourceTree(): Writer {
  const tree = new Writer(RESOURCES);
  for (const [id, child] of [
    [10, 0x8000_0018],
    [1, 0x8000_0030],
    [1033, 0x48],
  ] as const) {
    for (const value of [0, 0, 0, 0x0001_0000]) tree.long(value);
    tree.long(id);
    tree.long(child);
  }
  for (const value of [RESOURCES + 0x58, RESOURCE_TEXT.length, 0, 0]) tree.long(value);
  tree.text(RESOURCE_TEXT);
  return tree;
}
/** Answers where it lies; functions are at the program's start, one byte apart. */
function writeExports(writer: Writer): number {
  const { name, functions } = EXPORTED;
  const nameAt = writer.text(name);
  const names = functions.map((one) => writer.text(one));
  while (writer.here % 4 !== 0) writer.put(0);
  const addresses = writer.here;
  for (const index of functions.keys()) writer.long(PACKED_ENTRY + index);
  const pointers = writer.here;
  for (const at of names) writer.long(at);
  const ordinals = writer.here;
  for (const index of functions.keys()) writer.put(index, 0);
  while (writer.here % 4 !== 0) writer.put(0);
  const table = writer.here;
  const counts = [functions.length, functions.length];
  for (const value of [0, 0, 0, nameAt, 1, ...counts, addresses, pointers, ordinals]) writer.long(value);
  return table;
}
function relocationBlock(words: readonly number[]): Uint8Array {
  const writer = new Writer(0);
  writer.long((words[0] ?? 0) & ~0xfff);
  const padded = words.length % 2 === 0 ? words : [...words, 0];
  writer.long(8 + padded.length * 2);
  for (const word of padded) {
    const entry = word === 0 ? 0 : 0x3000 | (word & 0xfff);
    writer.put(entry & 0xff, entry >>> 8);
  }
  return writer.bytes;
}

/** Words that its tables point by: more than anything could have by chance. */
const POINTERS = 8;

/** Its header tells of its resources alone: exports and relocations come to light with the program. */
export function makeWithHiddenTables() {
  const program = packedProgram();
  const tables = new Writer(TABLES);
  const pointersAt = tables.here;
  for (let index = 0; index < POINTERS; index += 1) tables.long(BASE + PACKED_ENTRY + index);
  const exportsAt = writeExports(tables);
  const pointers = Array.from({ length: POINTERS }, (_, index) => pointersAt + index * 4);
  const relocations = Uint8Array.from([...relocationBlock(PROGRAM_WORDS), ...relocationBlock(pointers)]);
  const resources = resourceTree();
  const stub = [
    ...decode(TEXT, program.length),
    ...decode(TABLES, tables.bytes.length),
    ...decode(RELOCATIONS, relocations.length),
  ];
  const data = new Writer(DATA);
  const { table: imports } = importsAt(data);
  const content = writeExecutable({
    sections: [
      { name: ".text", address: TEXT, bytes: encoded(program), isWritable: true },
      {
        name: ".stub",
        address: STUB,
        bytes: Uint8Array.from(ending(stub)),
        isWritable: true,
      },
      { name: ".data", address: DATA, bytes: data.bytes, isWritable: true },
      { name: ".tables", address: TABLES, bytes: encoded(tables.bytes), isWritable: true },
      { name: ".hidden", address: RELOCATIONS, bytes: encoded(relocations), isWritable: true },
      { name: ".rsrc", address: RESOURCES, bytes: resources.bytes },
    ],
    entryPoint: STUB,
    imports,
    directories: new Map([[DIRECTORY.resources, { address: RESOURCES, bytes: resources.bytes.length }]]),
  });
  return { content, exportsAt, words: [...PROGRAM_WORDS, ...pointers], relocationsAt: RELOCATIONS };
}

/** Its import table has been moved to the packer's own, with each use in the program; the first is there, but no loader reads it. */
export function makeWithMovedImports() {
  const program = packedProgram();
  const first = new Writer(TABLES);
  const libraryAt = first.text("KERNEL32.dll");
  const functions = ["ExitProcess", "GetVersion"];
  const namesAt = functions.map((name) => {
    first.put(0, 0);
    return first.text(name) - 2;
  });
  while (first.here % 4 !== 0) first.put(0);
  const [lookupsAt, slotsAt] = [first.here, first.here + 4 * (functions.length + 1)];
  for (const at of [...namesAt, 0, ...namesAt, 0]) first.long(at);
  for (const value of [lookupsAt, 0, 0, libraryAt, slotsAt, 0, 0, 0, 0, 0]) first.long(value);
  const data = new Writer(DATA);
  const { table: imports } = importsAt(data);
  const content = writeExecutable({
    sections: [
      { name: ".text", address: TEXT, bytes: encoded(program), isWritable: true },
      { name: ".stub", address: STUB, bytes: Uint8Array.from(ending(decode(TEXT, program.length))) },
      { name: ".data", address: DATA, bytes: data.bytes, isWritable: true },
      { name: ".tables", address: TABLES, bytes: first.bytes },
    ],
    entryPoint: STUB,
    imports,
  });
  return { content, functions, slotsAt, uses: PROGRAM_WORDS };
}

/**
 * A library whose relocations are a list of the packer's own: its stub adds to each word the address at which it lies. With `isTableEmpty`
 * the stub itself needs no relocation.
 */
export function makeMovablePacked({ isTableEmpty = false } = {}) {
  const program = Buffer.from(packedProgram());
  for (const word of PROGRAM_WORDS)
    program.writeUInt32LE(program.readUInt32LE(word - TEXT) - BASE, word - TEXT);
  const decoding = decode(TEXT, program.length);
  // call the next; pop ebx; sub ebx, where that is: ebx is the base.
  const whereAmI = (at: number) => [0xe8, 0, 0, 0, 0, 0x5b, 0x81, 0xeb, ...long(at + 5)];
  const adding = PROGRAM_WORDS.flatMap((word) => [0x01, 0x9b, ...long(word)]);
  // lea esi, [ebx + text] in place of an address.
  const stub = isTableEmpty
    ? [...whereAmI(STUB), 0x8d, 0xb3, ...long(TEXT), ...decoding.slice(5), ...adding]
    : [...decoding, ...whereAmI(STUB + decoding.length), ...adding];
  const ownWords = isTableEmpty ? [] : [STUB + 1];
  const relocations = isTableEmpty ? Uint8Array.from([...long(0), ...long(8)]) : relocationBlock(ownWords);
  const data = new Writer(DATA);
  const { table: imports } = importsAt(data);
  const content = writeExecutable({
    sections: [
      { name: ".text", address: TEXT, bytes: encoded(program), isWritable: true },
      {
        name: ".stub",
        address: STUB,
        bytes: Uint8Array.from(ending(stub)),
        isWritable: true,
      },
      { name: ".data", address: DATA, bytes: data.bytes, isWritable: true },
      { name: ".reloc", address: RELOCATIONS, bytes: relocations },
    ],
    entryPoint: STUB,
    imports,
    directories: new Map([[DIRECTORY.relocations, { address: RELOCATIONS, bytes: relocations.length }]]),
    isMovable: true,
    isLibrary: true,
  });
  return { content, words: [...PROGRAM_WORDS, ...ownWords] };
}
