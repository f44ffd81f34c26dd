/**
 * Tables of an image that the loader and other modules read: exports, resources and thread-local storage.
 * Only complete tables are kept.
 */
import { DIRECTORY, type Directory, type PeFile } from "./file.ts";
import { findText, viewOf } from "./image.ts";

const EXPORTS_BYTES = 40;
const EXPORTS_MAX = 0x1_0000;
/** Entries read in a search for an export table before the search gives up. */
const EXPORTS_READ_MAX = 1_000_000;
const RESOURCE_LEVELS = 3;
const RESOURCES_MAX = 20_000;
const SUBDIRECTORY = 0x8000_0000;
const CALLBACKS_MAX = 64;
/**
 * Layouts of the TLS directory in 32-bit and 64-bit files: size, and offsets of the index and the callbacks.
 */
const TLS = { bytes: 24, index: 8, callbacks: 12 } as const;
const LONG_TLS = { bytes: 40, index: 16, callbacks: 24 } as const;
const threadLayout = ({ isWide }: PeFile) => (isWide ? LONG_TLS : TLS);
export const callbacksOffset = (file: PeFile): number => threadLayout(file).callbacks;

/** Names in an export table. Undefined if the table is invalid or empty. */
function exportedNames(image: Uint8Array, address: number): readonly string[] | undefined {
  if (address === 0 || address + EXPORTS_BYTES > image.length) return undefined;
  const view = viewOf(image);
  const field = (index: number): number => view.getUint32(address + index * 4, true);
  const [functions, names] = [field(5), field(6)];
  const [addresses, pointers, ordinals] = [field(7), field(8), field(9)];
  const isSmall = functions > 0 && functions <= EXPORTS_MAX && names <= functions;
  if (field(0) !== 0 || !isSmall || findText(image, field(3)) === undefined) return undefined;
  const ends = [addresses + functions * 4, pointers + names * 4, ordinals + names * 2];
  if (ends.some((end) => end > image.length)) return undefined;
  for (let index = 0; index < functions; index += 1)
    if (view.getUint32(addresses + index * 4, true) >= image.length) return undefined;
  const found: string[] = [];
  for (let index = 0; index < names; index += 1) {
    const name = findText(image, view.getUint32(pointers + index * 4, true));
    if (name === undefined || view.getUint16(ordinals + index * 2, true) >= functions) return undefined;
    found.push(name);
  }
  return found;
}

/**
 * The file's own export table, or one found in the image. A found table must have sorted names, to exclude
 * coincidences.
 */
export function findExports(file: PeFile, image: Uint8Array): Directory | undefined {
  const own = file.directories[DIRECTORY.exports];
  if (own && exportedNames(image, own.address)) return own;
  const view = viewOf(image);
  let read = 0;
  for (
    let address = 0x1000;
    address + EXPORTS_BYTES <= image.length && read < EXPORTS_READ_MAX;
    address += 4
  ) {
    const nameAt = view.getUint32(address + 12, true);
    if (view.getUint32(address, true) !== 0 || nameAt < 0x1000 || nameAt >= image.length) continue;
    if (findText(image, nameAt) === undefined) continue;
    read += Math.min(view.getUint32(address + 20, true), EXPORTS_MAX);
    const names = exportedNames(image, address);
    const isOrdered = names?.every((name, index) => index === 0 || (names[index - 1] as string) < name);
    if (names && names.length > 0 && isOrdered)
      return { address, bytes: endOfNames(image, address, names) - address };
  }
  return undefined;
}
/**
 * Linkers place the names behind the table. Forwarder strings count as part of it only if they lie in this
 * range.
 */
function endOfNames(image: Uint8Array, address: number, names: readonly string[]): number {
  const pointers = viewOf(image).getUint32(address + 32, true);
  const ends = names.map(
    (name, index) => viewOf(image).getUint32(pointers + index * 4, true) + name.length + 1,
  );
  return Math.max(address + EXPORTS_BYTES, ...ends);
}

/** The file's resources, if all entries lie inside the image. */
export function findResources({ directories }: PeFile, image: Uint8Array): Directory | undefined {
  const own = directories[DIRECTORY.resources];
  if (!own || own.address === 0) return undefined;
  const view = viewOf(image);
  let left = RESOURCES_MAX;
  /** Children of a resource directory. Undefined if the directory is invalid. */
  const childrenAt = (at: number): number[] | undefined => {
    const count = at + 16 <= image.length ? view.getUint16(at + 12, true) + view.getUint16(at + 14, true) : 0;
    left -= count;
    if (left < 0 || at + 16 + count * 8 > image.length) return undefined;
    return Array.from({ length: count }, (_, index) => view.getUint32(at + 20 + index * 8, true));
  };
  const isLeaf = (at: number): boolean =>
    at + 16 <= image.length && view.getUint32(at, true) + view.getUint32(at + 4, true) <= image.length;
  const isWhole = (child: number, level: number): boolean => {
    if (child < SUBDIRECTORY) return isLeaf(own.address + child);
    const children = childrenAt(own.address + child - SUBDIRECTORY);
    return level <= RESOURCE_LEVELS && children?.every((next) => isWhole(next, level + 1)) === true;
  };
  return isWhole(SUBDIRECTORY, 1) ? own : undefined;
}

type ThreadTable = {
  readonly directory: Directory;
  /** Absolute address of the TLS index. */
  readonly index: number;
  /** Relative to the image base. */
  readonly callbacks: readonly number[];
};

/** The TLS directory at an address. Undefined unless all of it lies in the image. */
function threadTableAt(
  file: PeFile,
  image: Uint8Array,
  base: number,
  address: number,
): ThreadTable | undefined {
  const { bytes } = threadLayout(file);
  if (address === 0 || address + bytes > image.length) return undefined;
  const view = viewOf(image);
  const word = file.isWide ? 8 : 4;
  const field = (index: number): number => view.getUint32(address + index * word, true) - base;
  const isInside = (place: number): boolean => place >= 0 && place + 4 <= image.length;
  const [start, end, index, list] = [field(0), field(1), field(2), field(3)];
  const isTemplate = start === -base || (isInside(start) && end >= start && end <= image.length);
  if (!isTemplate || !isInside(index)) return undefined;
  const callbacks: number[] = [];
  for (let at = list; isInside(at) && callbacks.length < CALLBACKS_MAX; at += word) {
    const callback = view.getUint32(at, true);
    if (callback === 0) break;
    if (!isInside(callback - base)) return undefined;
    callbacks.push(callback - base);
  }
  return { directory: { address, bytes }, index: index + base, callbacks };
}

/**
 * The file's own TLS directory, or the original that a packer copied it from. Both have the same index
 * address.
 */
export function findThreadTable(file: PeFile, image: Uint8Array, base: number): ThreadTable | undefined {
  const own = threadTableAt(file, image, base, file.directories[DIRECTORY.tls]?.address ?? 0);
  if (!own) return undefined;
  const view = viewOf(image);
  const offset = threadLayout(file).index;
  for (let at = offset; at + 4 <= image.length; at += 4) {
    if (view.getUint32(at, true) !== own.index || at === own.directory.address + offset) continue;
    const other = threadTableAt(file, image, base, at - offset);
    if (other && view.getUint32(at - offset, true) !== 0) return other;
  }
  return own;
}
