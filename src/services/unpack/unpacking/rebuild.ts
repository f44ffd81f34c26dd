/**
 * Makes a file of an image in memory: its sections as they are now, its entry point, an import table of what it had resolved, and the
 * tables that others read of it: exports, resources, relocations, what threads have of their own.
 */
import { alignedUp, BrokenFileError, DIRECTORY, type Directory, type PeFile, readPe } from "../pe/file.ts";
import { findFunctionTable, pagesOfFunctions } from "../pe/function-table.ts";
import { callbacksOffset, findExports, findResources, findThreadTable } from "../pe/named-tables.ts";
import { findRelocations, relocationTable } from "../pe/relocations.ts";
import { importSection, importTablesOf, type Resolver, slotBytes, type Table } from "./imports.ts";
import { putBackImports } from "./moved-imports.ts";
import type { UnboundSlot } from "./outcome.ts";
import { type Evidence, evidenceOf, partsOf, type Rights } from "./rights.ts";

const PAGE = 0x1000;
const SECTOR = 0x200;
const READ_WRITE_DATA = 0xc000_0040;
const CHARACTERISTICS: Readonly<Record<Rights, number>> = {
  code: 0x6000_0020,
  data: READ_WRITE_DATA,
  both: 0xe000_0020,
};
/** What a part is called that was one section with the code before it. */
const DATA_NAME = ".data";
const READ_DATA = 0x4000_0040;
const HEADER = 0x80;
/** Says in the room before the headers who made the file. */
const MARK = "Rebuilt by Medley";
const MARK_OFFSET = 0x40;
/** Whether it is what `rebuild` made: such a file is not packed, whatever its sections are called. */
export const isRebuilt = ({ content }: PeFile): boolean =>
  Buffer.from(content.subarray(MARK_OFFSET, MARK_OFFSET + MARK.length)).toString("latin1") === MARK;
const OPTIONAL = HEADER + 24;
/** Where the directories begin in the optional header of 32-bit files, and of 64-bit ones. */
const directoriesOffset = ({ isWide }: PeFile): number => (isWide ? 112 : 96);
const optionalBytes = (file: PeFile): number => directoriesOffset(file) + 128;
/** As many as fit before the first of them, with the two that are added. */
const SECTIONS_MAX = Math.floor((PAGE - OPTIONAL - 0xf0) / 40) - 2;
const FIXED_BASE = 1;
/** Lies elsewhere each time; is signed; has a table of where it may be called: nothing of that is true of what is rebuilt. */
const UNTRUE_CHARACTERISTICS = 0x4080;
const MOVES = 0x40;

export type Rebuilt = {
  readonly content: Buffer;
  readonly imports: readonly Table[];
  readonly unbound: readonly UnboundSlot[];
};

export type Found = {
  readonly image: Uint8Array;
  /** Where the image lies. */
  readonly base: number;
  /** From there. */
  readonly entryPoint: number;
  /** Whether the program wrote to the page at this address, counted from the base. */
  readonly isWritten: (address: number) => boolean;
};
type NewSection = {
  readonly name: string;
  readonly address: number;
  readonly bytes: number;
  readonly characteristics: number;
};
type NewBody = { readonly section: NewSection; readonly body: Buffer };
type Directories = ReadonlyMap<number, Directory>;

/** `relocatedWords`: what had to be changed to have the image where it lies, if that is known; else the image's own table is looked for. */
export function rebuild(
  packed: PeFile,
  found: Found,
  resolver: Resolver,
  relocatedWords: readonly number[] = [],
): Rebuilt {
  const { base, entryPoint } = found;
  const file = base === packed.base ? packed : headersOf(packed, found.image);
  const image = wholePages(found.image);
  const { tables, unbound } = importTablesOf(image, resolver);
  // Code of 64 bits names its slots by their distance, so that packers leave the tables where they are.
  const imports = file.isWide ? tables : putBackImports(image, base, tables);
  const functions = findFunctionTable(file, image);
  const evidence = evidenceOf(image, {
    base,
    entryPoint,
    isWide: file.isWide,
    functions: pagesOfFunctions(image, functions),
  });
  const added: NewBody[] = [];
  let end = image.length;
  const add = (name: string, body: Buffer, characteristics: number): Directory => {
    const section = { name, address: end, bytes: body.length, characteristics };
    added.push({ section, body });
    end += alignedUp(body.length, PAGE);
    return section;
  };
  const directories = new Map<number, Directory>();
  const keep = (number: number, directory: Directory | undefined): void => {
    if (directory) directories.set(number, directory);
  };
  keep(
    DIRECTORY.imports,
    add(".imports", importSection(imports, end, image, slotBytes(resolver)), READ_WRITE_DATA),
  );
  keep(DIRECTORY.exports, findExports(file, image));
  keep(DIRECTORY.resources, findResources(file, image));
  keep(DIRECTORY.functions, functions);
  keep(DIRECTORY.tls, keptThreadTable(file, image, found));
  keep(
    DIRECTORY.relocations,
    relocatedWords.length > 0
      ? add(".reloc", relocationTable(relocatedWords, file.isWide), READ_DATA)
      : findRelocations(image, file, base),
  );
  const sections = sectionsOf(file, image.length, directories, evidence);
  const bodies = [...sections.map((section) => ({ section, body: withoutEnd(image, section) })), ...added];
  const headers = headersFor(file, { base, entryPoint, end, directories });
  return { content: withSections(headers, bodies, overlayOf(packed)), imports, unbound };
}
function wholePages(image: Uint8Array): Buffer {
  if (image.length % PAGE === 0) return Buffer.from(image.buffer, image.byteOffset, image.length);
  const whole = Buffer.alloc(alignedUp(image.length, PAGE));
  whole.set(image);
  return whole;
}
/** An image elsewhere brings its own headers; where it has lost them, all of it is one section. */
function headersOf(packed: PeFile, image: Uint8Array): PeFile {
  try {
    const own = readPe(image);
    if (own.isWide === packed.isWide) return { ...own, window: packed.window };
    return { ...packed, sections: [], directories: [] };
  } catch (error) {
    if (!(error instanceof BrokenFileError)) throw error;
    return { ...packed, sections: [], directories: [] };
  }
}
/** Callbacks of the packer's own would unpack once more what lies there unpacked. */
function keptThreadTable(file: PeFile, image: Buffer, { base, isWritten }: Found): Directory | undefined {
  const table = findThreadTable(file, image, base);
  if (table?.callbacks.some((callback) => !isWritten(callback)))
    image.fill(
      0,
      table.directory.address + callbacksOffset(file),
      table.directory.address + callbacksOffset(file) + (file.isWide ? 8 : 4),
    );
  return table?.directory;
}
/** What lies behind its sections: installers keep there what they install. */
function overlayOf({ content, sections }: PeFile): Uint8Array {
  const end = Math.max(...sections.map(({ fileOffset, fileBytes }) => fileOffset + fileBytes), 0);
  return end > 0 ? content.subarray(end) : new Uint8Array();
}

type Facts = {
  readonly base: number;
  readonly entryPoint: number;
  readonly end: number;
  readonly directories: Directories;
};
/** What lies in memory may have been written over: the headers are made anew out of the file's. */
function headersFor(file: PeFile, { base, entryPoint, end, directories }: Facts): Buffer {
  const headers = Buffer.alloc(PAGE);
  headers.write("MZ", 0, "latin1");
  headers.write(MARK, MARK_OFFSET, "latin1");
  headers.writeUInt32LE(HEADER, 0x3c);
  const listed = directoriesOffset(file);
  headers.set(file.content.subarray(file.headerOffset, file.headerOffset + 24 + listed), HEADER);
  const isMovable = directories.has(DIRECTORY.relocations);
  // No symbols: their place in the file is another's now.
  headers.fill(0, HEADER + 12, HEADER + 20);
  headers.writeUInt16LE(optionalBytes(file), HEADER + 20);
  const characteristics = headers.readUInt16LE(HEADER + 22);
  headers.writeUInt16LE(
    isMovable ? characteristics & ~FIXED_BASE : characteristics | FIXED_BASE,
    HEADER + 22,
  );
  for (const [at, value] of [
    [16, entryPoint >>> 0],
    [file.isWide ? 24 : 28, base],
    [32, PAGE],
    [36, SECTOR],
    [56, end],
    [60, PAGE],
    [64, 0],
    [listed - 4, 16],
  ] as const)
    headers.writeUInt32LE(value, OPTIONAL + at);
  if (file.isWide) headers.writeInt32LE(file.window, OPTIONAL + 28);
  const abilities = headers.readUInt16LE(OPTIONAL + 70) & ~UNTRUE_CHARACTERISTICS;
  headers.writeUInt16LE(isMovable ? abilities : abilities & ~MOVES, OPTIONAL + 70);
  for (const [number, { address, bytes }] of directories) {
    headers.writeUInt32LE(address, OPTIONAL + listed + number * 8);
    headers.writeUInt32LE(bytes, OPTIONAL + listed + number * 8 + 4);
  }
  return headers;
}

/** One after another without a gap, as loaders want them, each with all that was put there and the rights that it needs. */
function sectionsOf(file: PeFile, end: number, directories: Directories, evidence: Evidence): NewSection[] {
  const starts = new Map<number, string>();
  const sorted = file.sections
    .filter(({ address }) => address >= PAGE && address < end)
    .toSorted((a, b) => a.address - b.address);
  for (const { name, address } of sorted) starts.set(address - (address % PAGE), name);
  if (!starts.has(PAGE) && sorted[0]) starts.delete(sorted[0].address - (sorted[0].address % PAGE));
  if (!starts.has(PAGE)) starts.set(PAGE, sorted[0]?.name ?? ".text");
  const places = [...starts].toSorted(([a], [b]) => a - b).slice(0, SECTIONS_MAX);
  const data = [DIRECTORY.resources, DIRECTORY.relocations].map((number) => directories.get(number)?.address);
  let left = SECTIONS_MAX - places.length;
  return places.flatMap(([address, name], index) => {
    const next = places[index + 1]?.[0] ?? end;
    const bytes = trueBytes(file, address, next - address);
    if (data.includes(address)) return [{ name, address, bytes, characteristics: READ_WRITE_DATA }];
    const parts = partsOf(address, next - address, evidence);
    const [part, behind] = parts;
    if (!part || (behind && left === 0))
      return [{ name, address, bytes, characteristics: CHARACTERISTICS.both }];
    if (!behind) return [{ name, address, bytes, characteristics: CHARACTERISTICS[part.rights] }];
    left -= 1;
    const before = behind.address - address;
    return [
      { name, address, bytes: before, characteristics: CHARACTERISTICS[part.rights] },
      {
        name: DATA_NAME,
        address: behind.address,
        bytes: Math.max(bytes - before, 1),
        characteristics: CHARACTERISTICS[behind.rights],
      },
    ];
  });
}
/** As the file says, where that is the room there is. */
function trueBytes({ sections }: PeFile, address: number, room: number): number {
  const bytes = sections.find((section) => section.address === address)?.bytes ?? 0;
  return alignedUp(bytes, PAGE) === room ? bytes : room;
}
/** Zeros at its end need no room in the file. */
function withoutEnd(image: Buffer, { address, bytes }: NewSection): Buffer {
  let end = Math.min(address + alignedUp(bytes, PAGE), image.length);
  while (end > address && image[end - 1] === 0) end -= 1;
  return image.subarray(address, end);
}

function withSections(headers: Buffer, sections: readonly NewBody[], overlay: Uint8Array): Buffer {
  const table = OPTIONAL + headers.readUInt16LE(HEADER + 20);
  headers.writeUInt16LE(sections.length, HEADER + 6);
  let end = headers.length;
  const offsets = sections.map(({ body }) => {
    const offset = end;
    end += alignedUp(body.length, SECTOR);
    return offset;
  });
  const content = Buffer.alloc(end + overlay.length);
  for (const [index, { section, body }] of sections.entries()) {
    const at = table + index * 40;
    const offset = offsets[index] as number;
    headers.write(section.name.slice(0, 8), at, "latin1");
    headers.writeUInt32LE(section.bytes, at + 8);
    headers.writeUInt32LE(section.address, at + 12);
    headers.writeUInt32LE(alignedUp(body.length, SECTOR), at + 16);
    headers.writeUInt32LE(body.length > 0 ? offset : 0, at + 20);
    headers.writeUInt32LE(section.characteristics, at + 36);
    content.set(body, offset);
  }
  content.set(headers);
  content.set(overlay, end);
  return content;
}
