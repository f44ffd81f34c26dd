/** A picture that is computed, as a PNG. */
import { deflateSync } from "node:zlib";
import { crcOf } from "./crc.ts";

/** Red, green and blue, each up to 255. */
export type Colour = readonly [number, number, number];

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const BITS = 8;
const TRUE_COLOUR = 2;

function chunkOf(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crcOf(named), named.length + 4);
  return chunk;
}

/** `rowAt` is called once for each row, so that values of the row are computed once. */
export function pngOf(width: number, height: number, rowAt: (y: number) => (x: number) => Colour): Buffer {
  const rowBytes = 1 + width * 3;
  const pixels = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const colourAt = rowAt(y);
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = colourAt(x);
      const at = y * rowBytes + 1 + x * 3;
      pixels[at] = red;
      pixels[at + 1] = green;
      pixels[at + 2] = blue;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, TRUE_COLOUR], 8);
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunkOf("IHDR", header),
    chunkOf("IDAT", deflateSync(pixels)),
    chunkOf("IEND", Buffer.alloc(0)),
  ]);
}
