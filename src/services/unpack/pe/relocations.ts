/** Relocations: words of an image that depend on its base address. */
import { alignedUp, DIRECTORY, type Directory, mapPe, type PeFile } from "./file.ts";
import { viewOf } from "./image.ts";

const PAGE = 0x1000;
const BLOCK_HEADER_BYTES = 8;
const BLOCK_BYTES_MAX = BLOCK_HEADER_BYTES + PAGE * 2;
const PADDING = 0;
/** Relocation types of 32-bit and 64-bit words. */
const WORD = 3;
const LONG_WORD = 10;
/** Fewer entries may be a coincidence. */
const FOUND_MIN = 8;
const BELIEVABLE_SHARE = 0.95;

/** The words of one relocation block. Undefined if the block is invalid. */
function blockAt(
  view: DataView,
  at: number,
  isWide: boolean,
): { readonly page: number; readonly words: number[] } | undefined {
  if (at + BLOCK_HEADER_BYTES > view.byteLength) return undefined;
  const page = view.getUint32(at, true);
  const bytes = view.getUint32(at + 4, true);
  const isBlock =
    page % PAGE === 0 && bytes >= BLOCK_HEADER_BYTES && bytes <= BLOCK_BYTES_MAX && bytes % 2 === 0;
  if (!isBlock || page >= view.byteLength || at + bytes > view.byteLength) return undefined;
  const words: number[] = [];
  for (let entry = at + BLOCK_HEADER_BYTES; entry < at + bytes; entry += 2) {
    const value = view.getUint16(entry, true);
    if (value >>> 12 === PADDING) continue;
    const word = page + (value & 0xfff);
    const isWord = value >>> 12 === (isWide ? LONG_WORD : WORD);
    if (!isWord || word + (isWide ? 8 : 4) > view.byteLength) return undefined;
    words.push(word);
  }
  return { page, words };
}

/** The words of a relocation table, relative to the image base. Reading ends at the first invalid block. */
function relocatedWords(image: Uint8Array, { address, bytes }: Directory, isWide: boolean): number[] {
  const view = viewOf(image);
  const words: number[] = [];
  for (let at = address; at < address + bytes; at += view.getUint32(at + 4, true)) {
    const block = blockAt(view, at, isWide);
    if (!block) break;
    for (const word of block.words) words.push(word);
  }
  return words;
}

/**
 * Whether the file may load at another base. Packers that relocate by themselves leave an empty table.
 * 64-bit stubs use relative addresses, so some have no table.
 */
export const isRelocatable = ({ directories, hasFixedBase, isWide }: PeFile): boolean =>
  !hasFixedBase && (isWide || (directories[DIRECTORY.relocations]?.bytes ?? 0) >= BLOCK_HEADER_BYTES);

/**
 * The image at its base before execution. If the relocation table is broken, words up to the error are
 * relocated.
 */
export function loadedImage(file: PeFile): Uint8Array {
  const image = mapPe(file);
  const distance = file.base - file.preferredBase;
  const table = file.directories[DIRECTORY.relocations];
  if (distance === 0 || !table) return image;
  const view = viewOf(image);
  for (const word of relocatedWords(image, table, file.isWide))
    if (file.isWide) view.setBigInt64(word, view.getBigInt64(word, true) + BigInt(distance), true);
    else view.setUint32(word, (view.getUint32(word, true) + distance) >>> 0, true);
  return image;
}

/** The longest relocation table at the start of a page whose words are addresses of the image. */
export function findRelocations(
  image: Uint8Array,
  { isWide, window }: PeFile,
  base: number,
): Directory | undefined {
  const view = viewOf(image);
  const isAddress = (word: number): boolean => {
    const value = view.getUint32(word, true) - base;
    return value >= 0 && value <= image.length && (!isWide || view.getInt32(word + 4, true) === window);
  };
  let found: Directory | undefined;
  for (
    let start = PAGE, end = start;
    start < image.length;
    start = alignedUp(Math.max(end, start + 1), PAGE)
  ) {
    end = start;
    let words = 0;
    let last = 0;
    for (
      let block = blockAt(view, end, isWide);
      block && block.page > last;
      block = blockAt(view, end, isWide)
    ) {
      const addresses = block.words.filter(isAddress).length;
      if (addresses < block.words.length * BELIEVABLE_SHARE) break;
      words += addresses;
      last = block.page;
      end += view.getUint32(end + 4, true);
    }
    const bytes = end - start;
    if (words >= FOUND_MIN && bytes > (found?.bytes ?? 0)) found = { address: start, bytes };
  }
  return found;
}

/**
 * Compares two images of one program at different bases: words that differ by the distance are relocations.
 */
export function wordsApart(
  image: Uint8Array,
  other: Uint8Array,
  { isWide, window }: PeFile,
  distance: number,
): number[] {
  const [one, two] = [viewOf(image), viewOf(other)];
  const bytes = isWide ? 8 : 4;
  const isInWindow = (at: number): boolean =>
    !isWide || (one.getInt32(at + 4, true) === window && two.getInt32(at + 4, true) === window);
  const words: number[] = [];
  for (let at = PAGE; at + bytes <= image.length && at + bytes <= other.length; at += 1) {
    if (image[at + 3] === other[at + 3]) continue;
    if ((two.getInt32(at, true) - one.getInt32(at, true) - distance) | 0 || !isInWindow(at)) continue;
    words.push(at);
    at += bytes - 1;
  }
  return words;
}

/** Writes a relocation table. The words must be ascending. */
export function relocationTable(words: readonly number[], isWide: boolean): Buffer {
  const kind = isWide ? LONG_WORD : WORD;
  const pages = new Map<number, number[]>();
  for (const word of words) {
    const page = word - (word % PAGE);
    const entries = pages.get(page) ?? [];
    if (entries.length === 0) pages.set(page, entries);
    entries.push((kind << 12) | (word % PAGE));
  }
  const blocks = [...pages].map(([page, entries]) => {
    const padded = entries.length % 2 === 0 ? entries : [...entries, PADDING];
    const block = Buffer.alloc(BLOCK_HEADER_BYTES + padded.length * 2);
    block.writeUInt32LE(page, 0);
    block.writeUInt32LE(block.length, 4);
    for (const [index, entry] of padded.entries()) block.writeUInt16LE(entry, BLOCK_HEADER_BYTES + index * 2);
    return block;
  });
  return Buffer.concat(blocks);
}
