/** Import tables of what a program had resolved: found by the addresses of functions in its image, written as a loader reads them. */
import { viewOf } from "../pe/image.ts";
import { HEAP_START } from "../windows/layout.ts";

export const DESCRIPTOR_BYTES = 20;
/** Addresses of functions, and of what leads to them, lie between these. */
const FUNCTIONS_START = HEAP_START;
const FUNCTIONS_END = 0x7800_0000;
const SLOTS_MIN = 2;
/** More than any program imports: an image may be full of addresses. */
const SLOTS_MAX = 65_536;

type Exported = { readonly library: { readonly name: string }; readonly name: string };
export type FindExport = (address: number) => Exported | undefined;
type Slot = { readonly address: number; readonly exported: Exported };
/** Slots of one library, one after another, as a loader fills them. */
export type Table = { readonly library: string; readonly address: number; readonly names: string[] };

/** The aligned words of the image that are addresses of functions. */
function slotsOf(image: Uint8Array, find: FindExport): Slot[] {
  const view = viewOf(image);
  const slots: Slot[] = [];
  for (let address = 0; address + 4 <= image.length && slots.length < SLOTS_MAX; address += 4) {
    const value = view.getUint32(address, true);
    const exported = value >= FUNCTIONS_START && value < FUNCTIONS_END ? find(value) : undefined;
    if (exported) slots.push({ address, exported });
  }
  return slots;
}
function tablesOf(slots: readonly Slot[]): Table[] {
  const tables: Table[] = [];
  for (const { address, exported } of slots) {
    const last = tables.at(-1);
    const isNext =
      last?.library === exported.library.name && address === last.address + last.names.length * 4;
    if (isNext) last.names.push(exported.name);
    else tables.push({ library: exported.library.name, address, names: [exported.name] });
  }
  return tables;
}

/**
 * Descriptors, lookup tables and names, for a section that begins at `start`. What is to be looked up is put into the slots of the image
 * as well, as linkers do: addresses of functions are nobody's business once the program is loaded elsewhere.
 */
export function importSection(tables: readonly Table[], start: number, image: Uint8Array): Buffer {
  const parts: Buffer[] = [];
  let next = start + (tables.length + 1) * DESCRIPTOR_BYTES;
  const put = (bytes: Buffer): number => {
    const at = next;
    parts.push(bytes);
    next += bytes.length;
    return at;
  };
  const descriptors = Buffer.alloc((tables.length + 1) * DESCRIPTOR_BYTES);
  for (const [index, { library, address, names }] of tables.entries()) {
    const lookups = Buffer.alloc((names.length + 1) * 4);
    for (const [i, name] of names.entries()) {
      const isOrdinal = /^#\d+$/.test(name);
      const entry = isOrdinal
        ? 0x8000_0000 + Number(name.slice(1))
        : put(Buffer.from(`\0\0${name}\0${name.length % 2 ? "" : "\0"}`, "latin1"));
      lookups.writeUInt32LE(entry, i * 4);
    }
    image.set(lookups.subarray(0, names.length * 4), address);
    const at = index * DESCRIPTOR_BYTES;
    descriptors.writeUInt32LE(put(lookups), at);
    descriptors.writeUInt32LE(put(Buffer.from(`${library}\0`, "latin1")), at + 12);
    descriptors.writeUInt32LE(address, at + 16);
  }
  return Buffer.concat([descriptors, ...parts]);
}

/** A table that ends where another begins would be read into it: the loader stops at a zero only. */
const isTerminated = (image: Uint8Array, { address, names }: Table): boolean => {
  const end = address + names.length * 4;
  return image.length >= end + 4 && viewOf(image).getUint32(end, true) === 0;
};

/** A single slot that nothing ends may be any word that looks so. */
export const importTablesOf = (image: Uint8Array, find: FindExport): Table[] =>
  tablesOf(slotsOf(image, find)).filter(
    (table) => table.names.length >= SLOTS_MIN || isTerminated(image, table),
  );
