/** Bytes that are computed: the checksum of archives and pictures, and pictures themselves. Sizes as text. */
export { crcOf } from "./crc.ts";
export { type Colour, pngOf } from "./png.ts";
export { sizeText } from "./size-text.ts";
