/** The checksum of archives and pictures. */
import * as zlib from "node:zlib";

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
function crcByTable(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 255] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}
type Crc = (bytes: Uint8Array, before?: number) => number;
/** Node's own, if this version has it. */
const built = (zlib as { crc32?: Crc }).crc32;
export const crcOf = (bytes: Uint8Array, before = 0): number =>
  built ? built(bytes, before) : crcByTable(bytes, before);
