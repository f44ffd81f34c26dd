/**
 * Writes small 32-bit executables for demo data and tests, so that the repository contains no foreign
 * binary.
 */

export const BASE = 0x40_0000;
const PAGE = 0x1000;
const SECTOR = 0x200;
const HEADER = 0x40;
const OPTIONAL = HEADER + 24;
const SECTIONS = OPTIONAL + 0xe0;
const READ_EXECUTE = 0x6000_0020;
const READ_WRITE_EXECUTE = 0xe000_0020;

export type NewSection = {
  readonly name: string;
  /** Relative to the image base. */
  readonly address: number;
  readonly bytes: Uint8Array;
  /** Size in memory, if it is larger than in the file. */
  readonly size?: number;
  readonly isWritable?: boolean;
};
type NewDirectory = { readonly address: number; readonly bytes: number };
export type NewExecutable = {
  readonly sections: readonly NewSection[];
  /** Relative to the image base. */
  readonly entryPoint: number;
  readonly imports?: NewDirectory;
  /** Other data directories by index. */
  readonly directories?: ReadonlyMap<number, NewDirectory>;
  /** The image is relocatable. Its relocation table is among the directories. */
  readonly isMovable?: boolean;
  readonly isLibrary?: boolean;
};

const up = (value: number, to: number): number => Math.ceil(value / to) * to;

export function writeExecutable({
  sections,
  entryPoint,
  imports,
  directories = new Map(),
  isMovable = false,
  isLibrary = false,
}: NewExecutable): Buffer {
  const header = Buffer.alloc(up(SECTIONS + sections.length * 40, SECTOR));
  header.write("MZ", 0, "latin1");
  header.writeUInt32LE(HEADER, 0x3c);
  header.write("PE\0\0", HEADER, "latin1");
  header.writeUInt16LE(0x14c, HEADER + 4);
  header.writeUInt16LE(sections.length, HEADER + 6);
  header.writeUInt16LE(0xe0, HEADER + 20);
  header.writeUInt16LE((isMovable ? 0x0102 : 0x0103) | (isLibrary ? 0x2000 : 0), HEADER + 22);
  header.writeUInt16LE(0x10b, OPTIONAL);
  header.writeUInt32LE(entryPoint, OPTIONAL + 16);
  header.writeUInt32LE(BASE, OPTIONAL + 28);
  header.writeUInt32LE(PAGE, OPTIONAL + 32);
  header.writeUInt32LE(SECTOR, OPTIONAL + 36);
  header.writeUInt16LE(4, OPTIONAL + 40);
  header.writeUInt16LE(4, OPTIONAL + 48);
  const end = Math.max(
    ...sections.map(({ address, bytes, size = 0 }) => address + Math.max(bytes.length, size)),
  );
  header.writeUInt32LE(up(end, PAGE), OPTIONAL + 56);
  header.writeUInt32LE(header.length, OPTIONAL + 60);
  header.writeUInt16LE(2, OPTIONAL + 68);
  for (const [at, value] of [
    [72, 0x10_0000],
    [76, PAGE],
    [80, 0x10_0000],
    [84, PAGE],
    [92, 16],
  ] as const)
    header.writeUInt32LE(value, OPTIONAL + at);
  for (const [number, { address, bytes }] of [...directories, ...(imports ? [[1, imports] as const] : [])]) {
    header.writeUInt32LE(address, OPTIONAL + 96 + number * 8);
    header.writeUInt32LE(bytes, OPTIONAL + 100 + number * 8);
  }
  const bodies: Buffer[] = [];
  let offset = header.length;
  for (const [index, { name, address, bytes, size, isWritable }] of sections.entries()) {
    const at = SECTIONS + index * 40;
    const body = Buffer.alloc(up(bytes.length, SECTOR));
    body.set(bytes);
    header.write(name.slice(0, 8), at, "latin1");
    header.writeUInt32LE(size ?? bytes.length, at + 8);
    header.writeUInt32LE(address, at + 12);
    header.writeUInt32LE(body.length, at + 16);
    header.writeUInt32LE(body.length > 0 ? offset : 0, at + 20);
    header.writeUInt32LE(isWritable ? READ_WRITE_EXECUTE : READ_EXECUTE, at + 36);
    bodies.push(body);
    offset += body.length;
  }
  return Buffer.concat([header, ...bodies]);
}

/** Writes bytes at a known address, with forward references. */
export class Writer {
  readonly #start: number;
  readonly #bytes: number[] = [];
  constructor(start: number) {
    this.#start = start;
  }
  /** Address of the next byte. */
  get here(): number {
    return this.#start + this.#bytes.length;
  }
  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
  put(...bytes: readonly number[]): void {
    this.#bytes.push(...bytes);
  }
  long(value: number): void {
    this.put(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, (value >>> 24) & 0xff);
  }
  /** Returns the address of the string. */
  text(text: string, { isWide = false } = {}): number {
    const at = this.here;
    this.put(...Buffer.from(`${text}\0`, isWide ? "utf16le" : "latin1"));
    return at;
  }
}

/**
 * Writes an import table of one library. Returns its address and the address of each slot, relative to the
 * image base.
 */
export function writeImports(
  writer: Writer,
  library: string,
  names: readonly string[],
): {
  readonly table: { readonly address: number; readonly bytes: number };
  readonly slots: ReadonlyMap<string, number>;
} {
  const libraryAt = writer.text(library);
  const namesAt = names.map((name) => {
    const at = writer.here;
    writer.put(0, 0);
    writer.text(name);
    return at;
  });
  while (writer.here % 4 !== 0) writer.put(0);
  const first = writer.here;
  for (const at of [...namesAt, 0]) writer.long(at);
  const address = writer.here;
  for (const value of [0, 0, 0, libraryAt, first, 0, 0, 0, 0, 0]) writer.long(value);
  return {
    table: { address, bytes: 40 },
    slots: new Map(names.map((name, index) => [name, first + index * 4])),
  };
}
