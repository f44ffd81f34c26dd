/**
 * How many scans a JPEG has. A progressive picture repeats all its pixels in each scan, and a scan takes 200 bytes.
 * The decoder has no limit of its own.
 */
/** Cameras and encoders use 10 or so. With 100, 64 million pixels take four seconds. */
export const JPEG_SCANS_MAX = 100;

const MARK = 0xff;
const SCAN = 0xda;
const END = 0xd9;
/** Fill, stuffed bytes, restarts, and the beginning have no length. */
const hasLength = (marker: number): boolean =>
  marker !== 0x00 && marker !== 0x01 && marker !== MARK && (marker < 0xd0 || marker > 0xd8);

/** Counts to `most` at the most. */
export function jpegScansOf(bytes: Uint8Array, most: number): number {
  let scans = 0;
  for (let at = bytes.indexOf(MARK); at >= 0 && at + 3 < bytes.length && scans < most; ) {
    const marker = bytes[at + 1] as number;
    if (marker === END) break;
    if (marker === SCAN) scans += 1;
    const length = hasLength(marker) ? ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number) : 0;
    at = bytes.indexOf(MARK, at + (marker === MARK ? 1 : 2 + length));
  }
  return scans;
}
