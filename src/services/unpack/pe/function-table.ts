/** Function table of a 64-bit image (.pdata). The system unwinds the stack by it after an exception. */
import { DIRECTORY, type Directory, type PeFile } from "./file.ts";
import { viewOf } from "./image.ts";

const ENTRY_BYTES = 12;
const PAGE = 0x1000;
const START = PAGE;
const FUNCTION_BYTES_MAX = 0x100_0000;
/** Fewer entries may be a coincidence. */
const FOUND_MIN = 3;
/** Valid versions and flags of UNWIND_INFO. */
const VERSIONS: ReadonlySet<number> = new Set([1, 2]);
const FLAGS_MAX = 4;

/** Number of valid entries from this address on: ascending functions, each with valid unwind data. */
function entriesAt(view: DataView, address: number): number {
  let count = 0;
  let last = START;
  for (let at = address; at + ENTRY_BYTES <= view.byteLength; at += ENTRY_BYTES, count += 1) {
    const [begin, end] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const unwind = view.getUint32(at + 8, true);
    const isFunction = begin >= last && end > begin && end - begin <= FUNCTION_BYTES_MAX;
    if (!isFunction || end > view.byteLength || unwind < START || unwind % 4 !== 0) break;
    if (unwind + 4 > view.byteLength) break;
    const first = view.getUint8(unwind);
    if (!VERSIONS.has(first & 7) || first >> 3 > FLAGS_MAX) break;
    last = end;
  }
  return count;
}

const endOf = ({ address, bytes }: Directory): number => address + bytes;

/** The longest table in the image, or the file's own table if that is the longest or a part of it. */
export function findFunctionTable({ isWide, directories }: PeFile, image: Uint8Array): Directory | undefined {
  if (!isWide) return undefined;
  const view = viewOf(image);
  let found: Directory | undefined;
  for (let address = START; address + ENTRY_BYTES <= image.length; address += 4) {
    const bytes = entriesAt(view, address) * ENTRY_BYTES;
    if (bytes >= FOUND_MIN * ENTRY_BYTES && bytes > (found?.bytes ?? 0)) found = { address, bytes };
    if (bytes > 0) address += bytes - 4;
  }
  const own = directories[DIRECTORY.functions];
  if (!own || own.bytes < ENTRY_BYTES || entriesAt(view, own.address) * ENTRY_BYTES < own.bytes) return found;
  const isPart = !found || (own.address >= found.address && endOf(own) <= endOf(found));
  return isPart ? own : found;
}

/** Pages that hold functions of the table. */
export function pagesOfFunctions(image: Uint8Array, table: Directory | undefined): Set<number> {
  const pages = new Set<number>();
  const view = viewOf(image);
  for (let at = table?.address ?? 0; table && at < endOf(table); at += ENTRY_BYTES) {
    const last = Math.floor((view.getUint32(at + 4, true) - 1) / PAGE);
    for (let page = Math.floor(view.getUint32(at, true) / PAGE); page <= last; page += 1) pages.add(page);
  }
  return pages;
}
