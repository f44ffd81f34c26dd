/** Bytes that are computed: the checksum of archives and pictures, and pictures themselves. */
export { crcOf } from "./crc.ts";
export { type Colour, pngOf } from "./png.ts";
