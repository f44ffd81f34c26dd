/** A team's picture: two colours in a pattern that is the same on both sides, as a PNG in base64. */
import { deflateSync } from "node:zlib";
import { randomOf } from "./simulation.ts";

const CELLS = 5;
const CELL_PIXELS = 8;
const PIXELS = CELLS * CELL_PIXELS;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const BITS = 8;
const TRUE_COLOUR = 2;

const CHECKSUMS = Uint32Array.from({ length: 256 }, (_, value) => {
  let sum = value;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});
function checksumOf(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (CHECKSUMS[(sum ^ byte) & 0xff] ?? 0);
  return (sum ^ 0xffffffff) >>> 0;
}
function chunkOf(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(checksumOf(named), named.length + 4);
  return chunk;
}

export function pictureOf(teamNumber: number): string {
  const random = randomOf(teamNumber);
  const colour = [random(), random(), random()].map((part) => Math.floor(part * 200));
  const half = Math.ceil(CELLS / 2);
  const pattern = Array.from({ length: CELLS * half }, () => random() < 0.5);
  const isInked = (x: number, y: number) => pattern[y * half + Math.min(x, CELLS - 1 - x)] === true;
  const rows = Array.from({ length: PIXELS }, (_, y) => [
    0,
    ...Array.from({ length: PIXELS }, (__, x) =>
      isInked(Math.floor(x / CELL_PIXELS), Math.floor(y / CELL_PIXELS)) ? colour : [255, 255, 255],
    ).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(PIXELS, 0);
  header.writeUInt32BE(PIXELS, 4);
  header.set([BITS, TRUE_COLOUR], 8);
  const parts = [
    Buffer.from(SIGNATURE),
    chunkOf("IHDR", header),
    chunkOf("IDAT", deflateSync(Uint8Array.from(rows.flat()))),
    chunkOf("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat(parts).toString("base64");
}
