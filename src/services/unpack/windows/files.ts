/** The only file that the emulated program can open: its own executable. */

import { OWN_PATH } from "./layout.ts";
import { libraryName } from "./libraries.ts";

const FIRST_HANDLE = 0x200;
const OPEN_MAX = 256;
const FROM_END = 2;
const FROM_HERE = 1;

export class Files {
  readonly content: Uint8Array;
  readonly #positions = new Map<number, number>();

  constructor(content: Uint8Array) {
    this.content = content;
  }
  get bytes(): number {
    return this.content.length;
  }
  isOwn(path: string): boolean {
    return libraryName(path) === libraryName(OWN_PATH);
  }
  open(path: string): number | undefined {
    if (!this.isOwn(path) || this.#positions.size >= OPEN_MAX) return undefined;
    const handle = FIRST_HANDLE + this.#positions.size * 4;
    this.#positions.set(handle, 0);
    return handle;
  }
  isOpen(handle: number): boolean {
    return this.#positions.has(handle);
  }
  read(handle: number, bytes: number): Uint8Array {
    const position = this.#positions.get(handle);
    if (position === undefined) return new Uint8Array();
    const piece = this.content.subarray(position, position + bytes);
    this.#positions.set(handle, position + piece.length);
    return piece;
  }
  seek(handle: number, distance: number, from: number): number {
    const position = this.#positions.get(handle);
    if (position === undefined) return 0xffff_ffff;
    const start = from === FROM_END ? this.bytes : from === FROM_HERE ? position : 0;
    const wanted = Math.max(0, start + distance);
    this.#positions.set(handle, wanted);
    return wanted;
  }
}
