/**
 * Writes an executable from an image in memory: sections, entry point and a rebuilt import table. Exports,
 * resources, relocations and thread-local storage are kept.
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
/** Name of the data part of a section that is split into code and data. */
const DATA_NAME = ".data";
const READ_DATA = 0x4000_0040;
const HEADER = 0x80;
/** Written into the gap before the PE header. It marks rebuilt files. */
const MARK = "Rebuilt by Medley";
const MARK_OFFSET = 0x40;
/** Whether `rebuild` wrote this file. Such a file is not packed, whatever its sections are called. */
export const isRebuilt = ({ content }: PeFile): boolean =>
  Buffer.from(content.subarray(MARK_OFFSET, MARK_OFFSET + MARK.length)).toString("latin1") === MARK;
const OPTIONAL = HEADER + 24;
/** Offset of the data directories in the optional header, for 32-bit and 64-bit files. */
const directoriesOffset = ({ isWide }: PeFile): number => (isWide ? 112 : 96);
const optionalBytes = (file: PeFile): number => directoriesOffset(file) + 128;
/** Section headers must fit before the first section. Two sections are added. */
const SECTIONS_MAX = Math.floor((PAGE - OPTIONAL - 0xf0) / 40) - 2;
const FIXED_BASE = 1;
/** Flags for integrity checks and control flow guard, which are wrong for a rebuilt file. */
const UNTRUE_CHARACTERISTICS = 0x4080;
const MOVES = 0x40;

export type Rebuilt = {
  readonly content: Buffer;
  readonly imports: readonly Table[];
  readonly unbound: readonly UnboundSlot[];
};

export type Found = {
  readonly image: Uint8Array;
  /** Base address of the image. */
  readonly base: number;
  /** Relative to the base. */
  readonly entryPoint: number;
  /** Whether the program wrote to the page at this address, relative to the base. */
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

/**
 * `relocatedWords`: relocations from a comparison of two bases, if known. Otherwise the image's own table is
 * used.
 */
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
  // 64-bit code addresses slots by relative distance, so packers do not move the tables.
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
/**
 * An image in allocated memory has its own headers. If they are destroyed, the whole image becomes one
 * section.
 */
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
/** The packer's own TLS callbacks are removed, because they would unpack again. */
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
/** Data behind the sections (overlay). Installers store their payload there. */
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
/** Headers are rebuilt from the file, because the program may have overwritten those in memory. */
function headersFor(file: PeFile, { base, entryPoint, end, directories }: Facts): Buffer {
  const headers = Buffer.alloc(PAGE);
  headers.write("MZ", 0, "latin1");
  headers.write(MARK, MARK_OFFSET, "latin1");
  headers.writeUInt32LE(HEADER, 0x3c);
  const listed = directoriesOffset(file);
  headers.set(file.content.subarray(file.headerOffset, file.headerOffset + 24 + listed), HEADER);
  const isMovable = directories.has(DIRECTORY.relocations);
  // The symbol table's file offset is no longer valid.
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

/** Contiguous sections, as loaders require, each with its contents and the rights that it needs. */
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
/** The size in the file's header if it matches the available pages, otherwise the available size. */
function trueBytes({ sections }: PeFile, address: number, room: number): number {
  const bytes = sections.find((section) => section.address === address)?.bytes ?? 0;
  return alignedUp(bytes, PAGE) === room ? bytes : room;
}
/** Trailing zeros need no space in the file. */
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
