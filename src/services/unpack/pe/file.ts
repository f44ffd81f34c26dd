/** Reads the headers of an executable as Windows does: by what it needs, however odd the rest. */

/** Not what it should be; the message is for whoever sent it. */
export class BrokenFileError extends Error {}

export type Directory = { readonly address: number; readonly bytes: number };
export type Section = {
  readonly name: string;
  /** Where it lies in memory, from the image's base. */
  readonly address: number;
  readonly bytes: number;
  readonly fileOffset: number;
  readonly fileBytes: number;
  readonly characteristics: number;
};
export type PeFile = {
  readonly content: Uint8Array;
  /** Where the signature lies in the file. */
  readonly headerOffset: number;
  /** Where it lies in memory. */
  readonly base: number;
  /** Where its maker wants it to lie. */
  readonly preferredBase: number;
  /** Its maker has taken away what another base needs. */
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
const LIBRARY = 0x2000;
const FIXED_BASE = 1;

export const alignedUp = (value: number, alignment: number): number =>
  Math.ceil(value / alignment) * alignment;

const broken = (why: string): never => {
  throw new BrokenFileError(`The file is not an executable that can be loaded: ${why}.`);
};

/** Bytes beyond the end are zeros, as the loader maps them. */
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

function checkKind(fields: Fields, header: number): void {
  if (fields.word(header + 4) !== I386 || fields.word(header + 24) !== PE32) {
    if (fields.word(header + 24) === PE32_PLUS)
      throw new BrokenFileError("The file is a 64-bit executable: only 32-bit ones can be emulated.");
    broken("it is not made for 32-bit x86");
  }
}

/** Throws a BrokenFileError. */
export function readPe(content: Uint8Array): PeFile {
  const fields = new Fields(content);
  if (fields.word(0) !== 0x5a4d) broken("it does not begin with MZ");
  const header = fields.long(0x3c);
  if (header + 0x78 > content.length || fields.long(header) !== 0x4550) broken("it has no PE header");
  checkKind(fields, header);
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
  const base = fields.long(optional + 28);
  if (base % 0x1_0000 !== 0 || base + imageBytes > 0x7fff_0000) broken("its base address is out of bounds");
  const known = Math.min(fields.long(optional + 92), DIRECTORIES);
  return {
    content,
    headerOffset: header,
    base,
    preferredBase: base,
    hasFixedBase: (fields.word(header + 22) & FIXED_BASE) !== 0,
    entryPoint: fields.long(optional + 16),
    sectionAlignment,
    imageBytes,
    headerBytes: fields.long(optional + 60),
    isLibrary: (fields.word(header + 22) & LIBRARY) !== 0,
    sections,
    directories: Array.from({ length: DIRECTORIES }, (_, i) => ({
      address: i < known ? fields.long(optional + 96 + i * 8) : 0,
      bytes: i < known ? fields.long(optional + 100 + i * 8) : 0,
    })),
  };
}

/** The image as it lies in memory before anything runs. */
export function mapPe({ content, imageBytes, headerBytes, sections, sectionAlignment }: PeFile): Uint8Array {
  const image = new Uint8Array(imageBytes);
  if (sectionAlignment < PAGE) {
    image.set(content.subarray(0, imageBytes));
    return image;
  }
  image.set(content.subarray(0, Math.min(headerBytes, imageBytes)));
  for (const { address, bytes, fileOffset, fileBytes } of sections) {
    // Files are mapped by whole sectors.
    const length = Math.min(alignedUp(fileBytes, SECTOR), alignedUp(bytes, PAGE), imageBytes - address);
    if (length > 0) image.set(content.subarray(fileOffset, fileOffset + length), address);
  }
  return image;
}
