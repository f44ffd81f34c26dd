/**
 * Parses the headers of an executable like the Windows loader, which ignores fields that it does not need.
 */
import { SYSTEM_END, SYSTEM_START } from "../windows/layout.ts";

/** The file is invalid. The message is shown to the client. */
export class BrokenFileError extends Error {}

export type Directory = { readonly address: number; readonly bytes: number };
export type Section = {
  readonly name: string;
  /** Relative to the image base. */
  readonly address: number;
  readonly bytes: number;
  readonly fileOffset: number;
  readonly fileBytes: number;
  readonly characteristics: number;
};
export type PeFile = {
  readonly content: Uint8Array;
  /** File offset of the PE signature. */
  readonly headerOffset: number;
  /** True for PE32+ (64-bit). */
  readonly isWide: boolean;
  /** Upper half of all addresses. The fields below are lower halves. */
  readonly window: number;
  /** Actual base address. */
  readonly base: number;
  /** Base address in the header. */
  readonly preferredBase: number;
  /** Relocations were stripped, so the image loads only at its preferred base. */
  readonly hasFixedBase: boolean;
  readonly entryPoint: number;
  readonly sectionAlignment: number;
  readonly imageBytes: number;
  readonly headerBytes: number;
  readonly isLibrary: boolean;
  readonly sections: readonly Section[];
  readonly directories: readonly Directory[];
};

export const DIRECTORY = {
  exports: 0,
  imports: 1,
  resources: 2,
  functions: 3,
  relocations: 5,
  tls: 9,
  importTable: 12,
} as const;
const PAGE = 0x1000;
const SECTOR = 0x200;
const SECTIONS_MAX = 96;
const DIRECTORIES = 16;
const IMAGE_BYTES_MAX = 64 * 1024 * 1024;
const PE32 = 0x10b;
const PE32_PLUS = 0x20b;
const I386 = 0x14c;
const AMD64 = 0x8664;
const LIBRARY = 0x2000;
const FIXED_BASE = 1;

export const alignedUp = (value: number, alignment: number): number =>
  Math.ceil(value / alignment) * alignment;

const broken = (why: string): never => {
  throw new BrokenFileError(`The file is not an executable that can be loaded: ${why}.`);
};

/** Bytes beyond the end read as zero, as the loader maps them. */
class Fields {
  readonly #view: DataView;
  constructor(content: Uint8Array) {
    this.#view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  }
  word(offset: number): number {
    return offset + 2 <= this.#view.byteLength ? this.#view.getUint16(offset, true) : 0;
  }
  long(offset: number): number {
    return offset + 4 <= this.#view.byteLength ? this.#view.getUint32(offset, true) : 0;
  }
}

function sectionAt(fields: Fields, content: Uint8Array, at: number, isFlat: boolean): Section {
  const name =
    Buffer.from(content.subarray(at, at + 8))
      .toString("latin1")
      .split("\0", 1)[0] ?? "";
  const fileBytes = fields.long(at + 16);
  const fileOffset = fields.long(at + 20);
  return {
    name,
    bytes: fields.long(at + 8) || fileBytes,
    address: fields.long(at + 12),
    fileBytes,
    fileOffset: isFlat ? fileOffset : fileOffset - (fileOffset % SECTOR),
    characteristics: fields.long(at + 36),
  };
}

/** True for PE32+ on x86-64, false for PE32 on x86. Other machines are invalid. */
function isMadeWide(fields: Fields, header: number): boolean {
  const [machine, kind] = [fields.word(header + 4), fields.word(header + 24)];
  const isWide = machine === AMD64 && kind === PE32_PLUS;
  if (!isWide && !(machine === I386 && kind === PE32)) broken("it is made neither for x86 nor for x86-64");
  return isWide;
}
/** End of the address space of a 32-bit program, and end of a 64-bit window. */
const BASE_END = 0x7fff_0000;
const WINDOW_END = 0xffff_0000;
/** Base for an image that cannot load at its preferred base. */
const FREE_BASE = 0x4000_0000;
const LOWEST_BASE = 0x20_0000;
/** In the window of a 64-bit process, an image must not overlap the stack, the heap or the system. */
const isFreeInWindow = (base: number, bytes: number): boolean =>
  (base >= LOWEST_BASE && base + bytes <= SYSTEM_START) || (base >= SYSTEM_END && base + bytes <= WINDOW_END);

/** Throws if the image does not fit at its preferred base. Only a 64-bit image with relocations can move. */
function basesOf(fields: Fields, optional: number, isWide: boolean, imageBytes: number, isFixed: boolean) {
  const wanted = fields.long(optional + (isWide ? 24 : 28));
  const fits = isWide ? isFreeInWindow(wanted, imageBytes) : wanted + imageBytes <= BASE_END;
  if (wanted % 0x1_0000 !== 0 || (!fits && !(isWide && !isFixed)))
    broken("its base address is out of bounds");
  return {
    window: isWide ? fields.long(optional + 28) | 0 : 0,
    base: fits ? wanted : FREE_BASE,
    preferredBase: wanted,
  };
}

/** Throws a BrokenFileError. */
export function readPe(content: Uint8Array): PeFile {
  const fields = new Fields(content);
  if (fields.word(0) !== 0x5a4d) broken("it does not begin with MZ");
  const header = fields.long(0x3c);
  if (header + 0x78 > content.length || fields.long(header) !== 0x4550) broken("it has no PE header");
  const isWide = isMadeWide(fields, header);
  const optional = header + 24;
  const sectionAlignment = fields.long(optional + 32) || PAGE;
  const isFlat = sectionAlignment < PAGE;
  const table = optional + fields.word(header + 20);
  const count = fields.word(header + 6);
  if (count > SECTIONS_MAX) broken("it has too many sections");
  const sections = Array.from({ length: count }, (_, i) =>
    sectionAt(fields, content, table + i * 40, isFlat),
  );
  const imageBytes = alignedUp(
    Math.max(fields.long(optional + 56), ...sections.map(({ address, bytes }) => address + bytes)),
    PAGE,
  );
  if (imageBytes === 0 || imageBytes > IMAGE_BYTES_MAX) broken("its size in memory is out of bounds");
  const hasFixedBase = (fields.word(header + 22) & FIXED_BASE) !== 0;
  const listed = optional + (isWide ? 112 : 96);
  const known = Math.min(fields.long(listed - 4), DIRECTORIES);
  return {
    content,
    headerOffset: header,
    isWide,
    ...basesOf(fields, optional, isWide, imageBytes, hasFixedBase),
    hasFixedBase,
    entryPoint: fields.long(optional + 16),
    sectionAlignment,
    imageBytes,
    headerBytes: fields.long(optional + 60),
    isLibrary: (fields.word(header + 22) & LIBRARY) !== 0,
    sections,
    directories: Array.from({ length: DIRECTORIES }, (_, i) => ({
      address: i < known ? fields.long(listed + i * 8) : 0,
      bytes: i < known ? fields.long(listed + 4 + i * 8) : 0,
    })),
  };
}

/** The full 64-bit address of a lower half. */
export const wholeAddress = ({ window }: PeFile, address: number): number =>
  (window >>> 0) * 0x1_0000_0000 + address;

/** The image in memory before execution. */
export function mapPe({ content, imageBytes, headerBytes, sections, sectionAlignment }: PeFile): Uint8Array {
  const image = new Uint8Array(imageBytes);
  if (sectionAlignment < PAGE) {
    image.set(content.subarray(0, imageBytes));
    return image;
  }
  image.set(content.subarray(0, Math.min(headerBytes, imageBytes)));
  for (const { address, bytes, fileOffset, fileBytes } of sections) {
    // The loader maps whole sectors.
    const length = Math.min(alignedUp(fileBytes, SECTOR), alignedUp(bytes, PAGE), imageBytes - address);
    if (length > 0) image.set(content.subarray(fileOffset, fileOffset + length), address);
  }
  return image;
}
