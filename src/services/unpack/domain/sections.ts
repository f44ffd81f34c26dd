/** Maps the bytes of a file to sections. The lenient parser accepts 32-bit and 64-bit executables. */

export type Range = { readonly name: string; readonly start: number; readonly end: number };

const SIGNATURE = 0x4550;
const SECTION_BYTES = 40;
const SECTIONS_MAX = 96;
const HEADER = "header";
const OVERLAY = "overlay";

const printable = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes).toString("latin1").split("\0", 1)[0] ?? "";
  return text.replace(/[^\x20-\x7e]/g, "?") || "unnamed";
};

/**
 * Undefined if the file is not an executable. Bytes before the first section are the header. Bytes outside
 * every section are the overlay.
 */
export function rangesOf(content: Uint8Array): readonly Range[] | undefined {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const word = (at: number): number => (at + 2 <= view.byteLength ? view.getUint16(at, true) : 0);
  const long = (at: number): number => (at + 4 <= view.byteLength ? view.getUint32(at, true) : 0);
  const header = long(0x3c);
  if (word(0) !== 0x5a4d || header + 24 > content.length || long(header) !== SIGNATURE) return undefined;
  const count = Math.min(word(header + 6), SECTIONS_MAX);
  const first = header + 24 + word(header + 20);
  const ranges: Range[] = [];
  let end = Math.min(content.length, first + count * SECTION_BYTES);
  for (let at = first; ranges.length < count && at + SECTION_BYTES <= content.length; at += SECTION_BYTES) {
    const start = Math.min(long(at + 20), content.length);
    const sectionEnd = Math.min(start + long(at + 16), content.length);
    ranges.push({ name: printable(content.subarray(at, at + 8)), start, end: sectionEnd });
    end = Math.max(end, sectionEnd);
  }
  const filled = ranges.filter(({ start, end: sectionEnd }) => sectionEnd > start);
  const headerEnd = Math.min(content.length, ...filled.map(({ start }) => start));
  return [
    { name: HEADER, start: 0, end: headerEnd },
    ...filled,
    ...(end < content.length ? [{ name: OVERLAY, start: end, end: content.length }] : []),
  ];
}
