/** Encodes a greyscale picture as GIF. */

/** Few shades suffice for dots with soft edges. */
const SHADE_BITS = 4;
const SHADES = 1 << SHADE_BITS;
const CLEAR = SHADES;
const END = SHADES + 1;
const CODE_BITS = SHADE_BITS + 1;
/**
 * A clear code before the code table grows keeps all codes at the same length. This is simple, and small
 * pictures stay small.
 */
const PIXELS_BETWEEN_CLEARS = SHADES - 2;
const BLOCK_BYTES_MAX = 255;

const littleEndian = (value: number): number[] => [value & 0xff, value >> 8];

function codesOf(shades: readonly number[]): number[] {
  const codes: number[] = [];
  shades.forEach((shade, index) => {
    if (index % PIXELS_BETWEEN_CLEARS === 0) codes.push(CLEAR);
    codes.push(shade);
  });
  codes.push(END);
  return codes;
}

function bytesOf(codes: readonly number[]): number[] {
  const bytes: number[] = [];
  let bits = 0;
  let bitCount = 0;
  for (const code of codes) {
    bits |= code << bitCount;
    bitCount += CODE_BITS;
    while (bitCount >= 8) {
      bytes.push(bits & 0xff);
      bits >>= 8;
      bitCount -= 8;
    }
  }
  if (bitCount > 0) bytes.push(bits & 0xff);
  return bytes;
}

function blocksOf(bytes: readonly number[]): number[] {
  const blocks: number[] = [];
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES_MAX) {
    const block = bytes.slice(start, start + BLOCK_BYTES_MAX);
    blocks.push(block.length, ...block);
  }
  blocks.push(0);
  return blocks;
}

/** `brightness`: one byte for each pixel, row by row. */
export function gifOf(width: number, height: number, brightness: Uint8Array): Uint8Array {
  const palette = Array.from({ length: SHADES }, (_, shade) => Math.round((shade * 255) / (SHADES - 1)));
  const shades = Array.from(brightness, (value) => Math.round((value * (SHADES - 1)) / 255));
  const size = [...littleEndian(width), ...littleEndian(height)];
  return Uint8Array.from([
    ...Buffer.from("GIF89a", "latin1"),
    ...size,
    0xf0 | (SHADE_BITS - 1),
    0,
    0,
    ...palette.flatMap((value) => [value, value, value]),
    ...[0x2c, 0, 0, 0, 0, ...size, 0],
    SHADE_BITS,
    ...blocksOf(bytesOf(codesOf(shades))),
    0x3b,
  ]);
}
