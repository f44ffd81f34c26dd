/** Bytes that are computed: checksums and pictures. Sizes as text. */
export { crcOf } from "./crc.ts";
export { EXIF_ENTRIES_MAX, exifEntriesOf } from "./exif-entries.ts";
export { JPEG_SCANS_MAX, jpegScansOf } from "./jpeg-scans.ts";
export { type Colour, pngOf } from "./png.ts";
export { sha256Of } from "./sha256.ts";
export { sizeText } from "./size-text.ts";
