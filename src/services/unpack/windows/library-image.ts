/** Position-independent image of a system library. Addresses are relative to its base. */
import type { PeFile } from "../pe/file.ts";
import { LIBRARY_BYTES } from "./layout.ts";

/**
 * mov edi,edi; push ebp; mov ebp,esp; pop ebp; jmp to the next. Programs check these bytes for breakpoints,
 * or copy and skip them.
 */
const ENTRY = [0x8b, 0xff, 0x55, 0x8b, 0xec, 0x5d, 0xeb, 0x00];
/** The same in 64-bit mode: mov [rsp+8],rbx; nop; jmp to the next. */
const LONG_ENTRY = [0x48, 0x89, 0x5c, 0x24, 0x08, 0x90, 0xeb, 0x00];
const RETURN = 0xc3;
const ENTRY_BYTES = 16;
/** The hook lies behind the prologue, so that it also catches callers that skip the prologue. */
export const HOOK_OFFSET = ENTRY.length;
const filled = (entry: readonly number[]): Uint8Array =>
  Uint8Array.of(...entry, RETURN, ...new Uint8Array(ENTRY_BYTES - entry.length - 1));
const [shortEntry, longEntry] = [filled(ENTRY), filled(LONG_ENTRY)];
export const entryBytes = (isWide: boolean): Uint8Array => (isWide ? longEntry : shortEntry);
const HEADER_OFFSET = 0x80;
export const CODE_ADDRESS = 0x1000;
export const EXPORTS_ADDRESS = 0x8_0000;
export const DATA_ADDRESS = 0xf_0000;
const DATA_BYTES = 0x400;
/** Variables that the C runtime exports. Programs read and write them. */
const DATA = new Set(
  "__initenv _acmdln _wcmdln _fmode _commode _iob _environ __argc __argv __mb_cur_max _adjust_fdiv _pctype".split(
    " ",
  ),
);
const BEYOND = 2;
const UNKNOWN_NAME = "not_known_by_its_hash";

/** Exports by name and by address. */
export class Entries {
  readonly #addresses = new Map<string, number>();
  readonly #names = new Map<number, string>();
  #next: number;
  #nextData: number;

  /** `before`: entries that occupy the first addresses. */
  constructor(before?: Entries) {
    this.#next = before ? before.#next : CODE_ADDRESS;
    this.#nextData = before ? before.#nextData : DATA_ADDRESS;
  }
  get codeEnd(): number {
    return this.#next;
  }
  addressOf(name: string): number | undefined {
    return this.#addresses.get(name);
  }
  nameAt(address: number): string | undefined {
    return this.#names.get(address);
  }
  /** Undefined if the library is full. */
  add(name: string): number | undefined {
    const address = DATA.has(name) ? this.#nextData : this.#next;
    if (address < DATA_ADDRESS && address + ENTRY_BYTES > EXPORTS_ADDRESS) return undefined;
    if (address < DATA_ADDRESS) this.#next += ENTRY_BYTES;
    else this.#nextData += DATA_BYTES;
    this.#addresses.set(name, address);
    this.#names.set(address, name);
    return address;
  }
}

export class LibraryImage {
  readonly entries = new Entries();
  /** Code of all functions. */
  readonly code: Uint8Array;
  readonly table: Uint8Array;

  constructor(library: string, names: readonly string[], isWide: boolean) {
    for (const name of names) this.entries.add(name);
    this.code = new Uint8Array(this.entries.codeEnd - CODE_ADDRESS);
    for (let at = 0; at < this.code.length; at += ENTRY_BYTES) this.code.set(entryBytes(isWide), at);
    this.table = this.#exportTable(library, names);
  }
  headersAt(base: number, { isWide, window }: Pick<PeFile, "isWide" | "window">): Uint8Array {
    const listed = isWide ? 112 : 96;
    const optionalBytes = listed + 128;
    const header = new DataView(new ArrayBuffer(0x400));
    const word = (at: number, value: number) => header.setUint16(at, value, true);
    const long = (at: number, value: number) => header.setUint32(at, value, true);
    word(0, 0x5a4d);
    long(0x3c, HEADER_OFFSET);
    long(HEADER_OFFSET, 0x4550);
    word(HEADER_OFFSET + 4, isWide ? 0x8664 : 0x14c);
    word(HEADER_OFFSET + 6, 1);
    word(HEADER_OFFSET + 20, optionalBytes);
    word(HEADER_OFFSET + 22, isWide ? 0x2022 : 0x210e);
    const optional = HEADER_OFFSET + 24;
    word(optional, isWide ? 0x20b : 0x10b);
    long(optional + 4, EXPORTS_ADDRESS - CODE_ADDRESS);
    long(optional + 20, CODE_ADDRESS);
    long(optional + (isWide ? 24 : 28), base);
    if (isWide) long(optional + 28, window);
    long(optional + 32, 0x1000);
    long(optional + 36, 0x200);
    long(optional + 56, LIBRARY_BYTES);
    long(optional + 60, 0x400);
    word(optional + 68, 2);
    long(optional + listed - 4, 16);
    long(optional + listed, EXPORTS_ADDRESS);
    long(optional + listed + 4, this.table.length);
    const section = optional + optionalBytes;
    header.setUint32(section, 0x7865_742e, true);
    word(section + 4, 0x74);
    long(section + 8, LIBRARY_BYTES - CODE_ADDRESS);
    long(section + 12, CODE_ADDRESS);
    long(section + 36, 0x6000_0020);
    return new Uint8Array(header.buffer);
  }
  /**
   * Names are sorted, because programs use binary search. Programs that search an unknown function by hash
   * run past the last name. One extra entry lets them continue.
   */
  #exportTable(library: string, names: readonly string[]): Uint8Array {
    const sorted = [...names].sort((a, b) => (a < b ? -1 : 1));
    const count = sorted.length;
    const functions = 40;
    const pointers = functions + count * 4;
    const ordinals = pointers + (count + BEYOND) * 4;
    const texts = ordinals + (count + BEYOND) * 2;
    const encoded = [library, ...sorted, UNKNOWN_NAME].map((text) => Buffer.from(`${text}\0`, "latin1"));
    const table = Buffer.alloc(texts + encoded.reduce((sum, { length }) => sum + length, 0));
    const at = (offset: number) => EXPORTS_ADDRESS + offset;
    const places: number[] = [];
    for (const [index, bytes] of encoded.entries()) {
      places.push(
        at(index === 0 ? texts : (places.at(-1) ?? 0) - EXPORTS_ADDRESS + (encoded[index - 1]?.length ?? 0)),
      );
      table.set(bytes, (places.at(-1) ?? 0) - EXPORTS_ADDRESS);
    }
    for (let index = 0; index < count + BEYOND; index += 1)
      table.writeUInt32LE(places[Math.min(index, count) + 1] ?? 0, pointers + index * 4);
    for (const [index, name] of sorted.entries()) {
      table.writeUInt32LE(this.entries.addressOf(name) ?? 0, functions + index * 4);
      table.writeUInt16LE(index, ordinals + index * 2);
    }
    const fields = [at(texts), 1, count, count, at(functions), at(pointers), at(ordinals)];
    for (const [index, value] of fields.entries()) table.writeUInt32LE(value, 12 + index * 4);
    return table;
  }
}

const known = new Map<string, LibraryImage>();
/** Images of libraries with known names do not depend on the process, so they are cached. */
export function imageOf(
  library: string,
  namesOf: (library: string) => readonly string[],
  isWide: boolean,
): LibraryImage {
  const key = `${library} ${isWide}`;
  const before = known.get(key);
  if (before) return before;
  const names = namesOf(library);
  const image = new LibraryImage(library, names, isWide);
  if (names.length > 0) known.set(key, image);
  return image;
}
