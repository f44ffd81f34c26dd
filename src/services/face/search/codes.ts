/**
 * 8-bit codes of descriptors, and blocks of codes that training packs. A code has steps of 1/224, which
 * changes a distance by about 0.001. Codes select candidates, which are then compared exactly.
 */
import type { FaceKey } from "../domain/containers.ts";
import { DESCRIPTOR_LENGTH, type Descriptor } from "../domain/descriptor.ts";

const STEPS_PER_UNIT = 224;
const CODE_MAX = 127;
/** The query has finer steps than the stored codes. This halves the error at no cost. */
export const QUERY_FINENESS = 16;
const QUERY_CODE_MAX = CODE_MAX * QUERY_FINENESS;

const within = (value: number, max: number): number => Math.max(-max, Math.min(max, Math.round(value)));

export function writeCode(descriptor: Descriptor, codes: Int8Array, offset: number): void {
  for (let i = 0; i < DESCRIPTOR_LENGTH; i += 1)
    codes[offset + i] = within((descriptor[i] ?? 0) * STEPS_PER_UNIT, CODE_MAX);
}

export function queryCodeOf(descriptor: Descriptor): Int16Array {
  const code = new Int16Array(DESCRIPTOR_LENGTH);
  for (let i = 0; i < DESCRIPTOR_LENGTH; i += 1)
    code[i] = within((descriptor[i] ?? 0) * STEPS_PER_UNIT * QUERY_FINENESS, QUERY_CODE_MAX);
  return code;
}

export function squaredLengthAt(codes: Int8Array, offset: number): number {
  let sum = 0;
  for (let i = offset; i < offset + DESCRIPTOR_LENGTH; i += 1) sum += (codes[i] ?? 0) ** 2;
  return sum;
}

export type Entry = { readonly key: FaceKey; readonly code: Int8Array };
/** Number of faces in one block. */
export const BLOCK_ENTRIES_MAX = 256;

const ID_BYTES = 16;
/** Size of person ID and face ID. */
export const KEY_BYTES = 2 * ID_BYTES;
const ENTRY_BYTES = KEY_BYTES + DESCRIPTOR_LENGTH;
/** The person of faces in lists. */
const NOBODY = "0".repeat(2 * ID_BYTES);

const hexOf = (id: string): string => (id === "" ? NOBODY : id.replaceAll("-", ""));
function idOf(hex: string): string {
  if (hex === NOBODY) return "";
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
export function keyOf(bytes: Uint8Array): FaceKey {
  const hex = Buffer.from(bytes).toString("hex");
  return { person: idOf(hex.slice(0, 2 * ID_BYTES)), id: idOf(hex.slice(2 * ID_BYTES)) };
}
export function isSamePerson(keyBytes: Uint8Array, others: Uint8Array): boolean {
  for (let i = 0; i < ID_BYTES; i += 1) if (keyBytes[i] !== others[i]) return false;
  return true;
}

/** Packs a block as text for encryption. */
export function packBlock(entries: readonly Entry[]): string {
  const bytes = Buffer.alloc(entries.length * ENTRY_BYTES);
  entries.forEach(({ key, code }, index) => {
    const offset = index * ENTRY_BYTES;
    bytes.write(hexOf(key.person) + hexOf(key.id), offset, "hex");
    bytes.set(new Uint8Array(code.buffer, code.byteOffset, DESCRIPTOR_LENGTH), offset + KEY_BYTES);
  });
  return bytes.toString("base64");
}

/** Reads entries from bytes on demand, because a million entry objects would be too many. */
export class Block {
  readonly length: number;
  readonly #bytes: Buffer;
  constructor(text: string) {
    this.#bytes = Buffer.from(text, "base64");
    this.length = this.#bytes.length / ENTRY_BYTES;
  }
  keyBytesAt(index: number): Uint8Array {
    return this.#bytes.subarray(index * ENTRY_BYTES, index * ENTRY_BYTES + KEY_BYTES);
  }
  codeAt(index: number): Int8Array {
    const offset = this.#bytes.byteOffset + index * ENTRY_BYTES + KEY_BYTES;
    return new Int8Array(this.#bytes.buffer, offset, DESCRIPTOR_LENGTH);
  }
  entries(): Entry[] {
    return Array.from({ length: this.length }, (_, index) => ({
      key: keyOf(this.keyBytesAt(index)),
      code: this.codeAt(index),
    }));
  }
}
