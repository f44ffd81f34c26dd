/**
 * Face descriptor: 128 numbers, close to each other for the same person. The text form has 16 bits for each.
 */

export type Descriptor = Float32Array;
export const DESCRIPTOR_LENGTH = 128;

/** All numbers of a descriptor are between -1 and 1. */
const SCALE = 32_767;

export function textOf(descriptor: Descriptor): string {
  const packed = new Int16Array(DESCRIPTOR_LENGTH);
  for (let i = 0; i < DESCRIPTOR_LENGTH; i += 1)
    packed[i] = Math.round(Math.max(-1, Math.min(1, descriptor[i] ?? 0)) * SCALE);
  return Buffer.from(packed.buffer).toString("base64");
}

export function descriptorOf(text: string): Descriptor {
  const bytes = Buffer.from(text, "base64");
  const descriptor = new Float32Array(DESCRIPTOR_LENGTH);
  for (let i = 0; i < DESCRIPTOR_LENGTH; i += 1) descriptor[i] = bytes.readInt16LE(i * 2) / SCALE;
  return descriptor;
}
