/** An index in memory: codes in shared memory, and the keys of their faces. */
import type { FaceKey } from "../domain/containers.ts";
import { DESCRIPTOR_LENGTH } from "../domain/descriptor.ts";
import { Block, isSamePerson, KEY_BYTES, keyOf, squaredLengthAt } from "./codes.ts";
import type { Scanned } from "./scan.ts";

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

/** Filled block by block, in order. */
export class LoadedIndex {
  readonly #codes: Int8Array;
  readonly #squaredLengths: Int32Array;
  /** Person number of each row. Undefined for lists. */
  readonly #owners: Int32Array | undefined;
  readonly #keys: Uint8Array;
  #count = 0;

  constructor(rowsMax: number, { hasPersons }: { readonly hasPersons: boolean }) {
    this.#codes = new Int8Array(shared(rowsMax * DESCRIPTOR_LENGTH));
    this.#squaredLengths = new Int32Array(shared(4 * rowsMax));
    this.#owners = hasPersons ? new Int32Array(shared(4 * rowsMax)) : undefined;
    this.#keys = new Uint8Array(rowsMax * KEY_BYTES);
  }

  get scanned(): Scanned {
    return {
      count: this.#count,
      codes: this.#codes,
      squaredLengths: this.#squaredLengths,
      owners: this.#owners,
    };
  }
  get count(): number {
    return this.#count;
  }
  get bytes(): number {
    const { codes, squaredLengths, owners } = this.scanned;
    return codes.byteLength + squaredLengths.byteLength + (owners?.byteLength ?? 0) + this.#keys.byteLength;
  }

  add(text: string): void {
    const block = new Block(text);
    for (let index = 0; index < block.length; index += 1) {
      const row = this.#count;
      this.#codes.set(block.codeAt(index), row * DESCRIPTOR_LENGTH);
      this.#squaredLengths[row] = squaredLengthAt(this.#codes, row * DESCRIPTOR_LENGTH);
      this.#keys.set(block.keyBytesAt(index), row * KEY_BYTES);
      if (this.#owners) this.#owners[row] = this.#ownerOf(row, this.#owners);
      this.#count += 1;
    }
  }

  /** Other faces of the same person. */
  keysBesides(row: number): FaceKey[] {
    if (!this.#owners) return [];
    const owner = this.#owners[row];
    let first = row;
    while (first > 0 && this.#owners[first - 1] === owner) first -= 1;
    const keys: FaceKey[] = [];
    for (let other = first; other < this.#count && this.#owners[other] === owner; other += 1)
      if (other !== row) keys.push(this.keyAt(other));
    return keys;
  }
  keyAt(row: number): FaceKey {
    return keyOf(this.#keyBytesAt(row));
  }

  #ownerOf(row: number, owners: Int32Array): number {
    if (row === 0) return 0;
    const before = owners[row - 1] ?? 0;
    return isSamePerson(this.#keyBytesAt(row), this.#keyBytesAt(row - 1)) ? before : before + 1;
  }
  #keyBytesAt(row: number): Uint8Array {
    return this.#keys.subarray(row * KEY_BYTES, (row + 1) * KEY_BYTES);
  }
}
