/** Makes a file of an image in memory: its sections as they are now, its entry point, and an import table of what it had resolved. */
import { alignedUp, BrokenFileError, DIRECTORY, type PeFile, readPe } from "../pe/file.ts";
import { HEAP_START } from "../windows/layout.ts";
import type { Export } from "../windows/libraries.ts";

const PAGE = 0x1000;
const READ_WRITE_EXECUTE_CODE = 0xe000_0020;
const INITIALISED = 0xc000_0040;
const DESCRIPTOR_BYTES = 20;
/** Addresses of functions, and of what leads to them, lie between these. */
const FUNCTIONS_START = HEAP_START;
const FUNCTIONS_END = 0x7800_0000;
const SLOTS_MIN = 2;

export type FindExport = (address: number) => Export | undefined;
type Slot = { readonly address: number; readonly exported: Export };
/** Slots of one library, one after another, as a loader fills them. */
type Table = { readonly library: string; readonly address: number; readonly names: string[] };

/** Every aligned word of the image that is the address of a function. */
function slotsOf(image: Uint8Array, find: FindExport): Slot[] {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  const slots: Slot[] = [];
  for (let address = 0; address + 4 <= image.length; address += 4) {
    const value = view.getUint32(address, true);
    const exported = value >= FUNCTIONS_START && value < FUNCTIONS_END ? find(value) : undefined;
    if (exported) slots.push({ address, exported });
  }
  return slots;
}
function tablesOf(slots: readonly Slot[]): Table[] {
  const tables: Table[] = [];
  for (const { address, exported } of slots) {
    const last = tables.at(-1);
    const isNext =
      last?.library === exported.library.name && address === last.address + last.names.length * 4;
    if (isNext) last.names.push(exported.name);
    else tables.push({ library: exported.library.name, address, names: [exported.name] });
  }
  return tables;
}

/** Descriptors, lookup tables and names, for a section that begins at `start`. */
function importSection(tables: readonly Table[], start: number): Buffer {
  const parts: Buffer[] = [];
  let next = start + (tables.length + 1) * DESCRIPTOR_BYTES;
  const put = (bytes: Buffer): number => {
    const at = next;
    parts.push(bytes);
    next += bytes.length;
    return at;
  };
  const descriptors = Buffer.alloc((tables.length + 1) * DESCRIPTOR_BYTES);
  for (const [index, { library, address, names }] of tables.entries()) {
    const lookups = Buffer.alloc((names.length + 1) * 4);
    for (const [i, name] of names.entries()) {
      const isOrdinal = /^#\d+$/.test(name);
      const entry = isOrdinal
        ? 0x8000_0000 + Number(name.slice(1))
        : put(Buffer.from(`\0\0${name}\0${name.length % 2 ? "" : "\0"}`, "latin1"));
      lookups.writeUInt32LE(entry, i * 4);
    }
    const at = index * DESCRIPTOR_BYTES;
    descriptors.writeUInt32LE(put(lookups), at);
    descriptors.writeUInt32LE(put(Buffer.from(`${library}\0`, "latin1")), at + 12);
    descriptors.writeUInt32LE(address, at + 16);
  }
  return Buffer.concat([descriptors, ...parts]);
}

/** A table that ends where another begins would be read into it: the loader stops at a zero only. */
const isTerminated = (image: Uint8Array, { address, names }: Table): boolean => {
  const end = address + names.length * 4;
  return image.length >= end + 4 && new DataView(image.buffer, image.byteOffset).getUint32(end, true) === 0;
};

export type Rebuilt = { readonly content: Buffer; readonly imports: readonly Table[] };

/** `base`: where the image lies, and `entryPoint` within it. */
export type Found = { readonly image: Uint8Array; readonly base: number; readonly entryPoint: number };

export function rebuild(packed: PeFile, { image, base, entryPoint }: Found, findExport: FindExport): Rebuilt {
  const file = base === packed.base ? packed : headersOf(packed, image);
  const tables = tablesOf(slotsOf(image, findExport)).filter(
    (table) => table.names.length >= SLOTS_MIN || isTerminated(image, table),
  );
  const start = alignedUp(image.length, PAGE);
  const imports = importSection(tables, start);
  const bytes = alignedUp(imports.length, PAGE);
  const content = Buffer.alloc(start + bytes);
  content.set(image);
  content.set(imports, start);
  writeHeaders(file, content, { base, entryPoint, start, imports: imports.length, bytes });
  return { content, imports: tables };
}
/** An image elsewhere brings its own headers; where it has lost them, all of it is one section. */
function headersOf(packed: PeFile, image: Uint8Array): PeFile {
  try {
    return readPe(image);
  } catch (error) {
    if (!(error instanceof BrokenFileError)) throw error;
    return { ...packed, sections: [], directories: [] };
  }
}

type Added = { base: number; entryPoint: number; start: number; imports: number; bytes: number };
/** What lies in memory may have been written over: the headers are made anew out of the file's. */
function writeHeaders(
  file: PeFile,
  content: Buffer,
  { base, entryPoint, start, imports, bytes }: Added,
): void {
  const header = 0x80;
  const optional = header + 24;
  content.fill(0, 0, PAGE);
  content.write("MZ", 0, "latin1");
  content.writeUInt32LE(header, 0x3c);
  content.set(file.content.subarray(file.headerOffset, file.headerOffset + 24 + 96 + 128), header);
  content.writeUInt16LE(0xe0, header + 20);
  content.writeUInt32LE(entryPoint >>> 0, optional + 16);
  content.writeUInt32LE(base, optional + 28);
  content.writeUInt32LE(PAGE, optional + 32);
  content.writeUInt32LE(PAGE, optional + 36);
  content.writeUInt32LE(start + bytes, optional + 56);
  content.writeUInt32LE(PAGE, optional + 60);
  content.writeUInt32LE(16, optional + 92);
  for (let i = 0; i < 16; i += 1) {
    const { address, bytes: length } = file.directories[i] ?? { address: 0, bytes: 0 };
    const isKept = i === DIRECTORY.resources;
    content.writeUInt32LE(isKept ? address : 0, optional + 96 + i * 8);
    content.writeUInt32LE(isKept ? length : 0, optional + 100 + i * 8);
  }
  content.writeUInt32LE(start, optional + 96 + DIRECTORY.imports * 8);
  content.writeUInt32LE(imports, optional + 100 + DIRECTORY.imports * 8);
  const sections = sectionsOf(file, start);
  content.writeUInt16LE(sections.length + 1, header + 6);
  const all = [...sections, { name: ".imports", address: start, bytes, characteristics: INITIALISED }];
  for (const [index, section] of all.entries()) writeSection(content, optional + 0xe0 + index * 40, section);
}
type NewSection = { name: string; address: number; bytes: number; characteristics: number };
/** Each as long as the room it has, so that whatever was put there is in the file. */
function sectionsOf(file: PeFile, end: number): NewSection[] {
  const sorted = file.sections
    .filter(({ address }) => address >= PAGE && address < end)
    .toSorted((a, b) => a.address - b.address);
  if (sorted.length === 0)
    return [{ name: ".text", address: PAGE, bytes: end - PAGE, characteristics: READ_WRITE_EXECUTE_CODE }];
  return sorted.map(({ name, address }, index) => ({
    name,
    address,
    bytes: (sorted[index + 1]?.address ?? end) - address,
    characteristics: READ_WRITE_EXECUTE_CODE,
  }));
}
function writeSection(
  content: Buffer,
  at: number,
  { name, address, bytes, characteristics }: NewSection,
): void {
  content.write(name.slice(0, 8), at, "latin1");
  content.writeUInt32LE(bytes, at + 8);
  content.writeUInt32LE(address, at + 12);
  content.writeUInt32LE(bytes, at + 16);
  content.writeUInt32LE(address, at + 20);
  content.writeUInt32LE(characteristics, at + 36);
}
