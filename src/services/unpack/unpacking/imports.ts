/**
 * Rebuilds import tables: finds addresses of system functions in the image and writes a table that a loader
 * can read.
 */
import { viewOf } from "../pe/image.ts";
import { HEAP_START } from "../windows/layout.ts";
import type { UnboundSlot } from "./outcome.ts";

export const DESCRIPTOR_BYTES = 20;
/** Range of addresses of system functions and of thunks to them. */
const FUNCTIONS_START = HEAP_START;
const FUNCTIONS_END = 0x7800_0000;
const SLOTS_MIN = 2;
/** Limit for images full of addresses. No program imports more. */
const SLOTS_MAX = 65_536;
/** Gaps of up to this many words between two slots may be slots. */
const BETWEEN_MAX = 64;
/** Limit of unbound slots in a report. */
const UNBOUND_MAX = 1_000;

type Exported = { readonly library: { readonly name: string }; readonly name: string };
export type FindExport = (address: number) => Exported | undefined;
/** Width of slots, and the upper half of their addresses in 64-bit images. */
export type Kind = Pick<Resolver, "isWide" | "window">;
export const slotBytes = ({ isWide }: Kind): 4 | 8 => (isWide ? 8 : 4);
/** The address in a slot. Zero if it is outside the window. */
const targetAt = (view: DataView, at: number, { isWide, window }: Kind): number =>
  isWide && view.getInt32(at + 4, true) !== window ? 0 : view.getUint32(at, true);
type Slot = { readonly address: number; readonly exported: Exported };
/** Consecutive slots of one library, as a loader fills them. */
export type Table = { readonly library: string; readonly address: number; readonly names: string[] };

/**
 * The 4-byte-aligned words of the image that are addresses of system functions. 64-bit slots need no
 * stricter alignment.
 */
function slotsOf(image: Uint8Array, resolver: Resolver): Slot[] {
  const view = viewOf(image);
  const slots: Slot[] = [];
  const bytes = slotBytes(resolver);
  for (let address = 0; address + bytes <= image.length && slots.length < SLOTS_MAX; address += 4) {
    const value = targetAt(view, address, resolver);
    const exported = value >= FUNCTIONS_START && value < FUNCTIONS_END ? resolver.find(value) : undefined;
    if (!exported) continue;
    slots.push({ address, exported });
    address += bytes - 4;
  }
  return slots;
}
function tablesOf(slots: readonly Slot[], bytes: number): Table[] {
  const tables: Table[] = [];
  for (const { address, exported } of slots) {
    const last = tables.at(-1);
    const isNext =
      last?.library === exported.library.name && address === last.address + last.names.length * bytes;
    if (isNext) last.names.push(exported.name);
    else tables.push({ library: exported.library.name, address, names: [exported.name] });
  }
  return tables;
}

/**
 * Descriptors, lookup tables and names, for a section at `start`. The slots of the image get the lookup
 * entries too, as linkers do. Resolved addresses are meaningless in another process.
 */
export function importSection(
  tables: readonly Table[],
  start: number,
  image: Uint8Array,
  bytes: number,
): Buffer {
  const parts: Buffer[] = [];
  let next = start + (tables.length + 1) * DESCRIPTOR_BYTES;
  const put = (part: Buffer): number => {
    const at = next;
    parts.push(part);
    next += part.length;
    return at;
  };
  const descriptors = Buffer.alloc((tables.length + 1) * DESCRIPTOR_BYTES);
  for (const [index, { library, address, names }] of tables.entries()) {
    const lookups = Buffer.alloc((names.length + 1) * bytes);
    for (const [i, name] of names.entries()) {
      const isOrdinal = /^#\d+$/.test(name);
      const entry = isOrdinal
        ? Number(name.slice(1))
        : put(Buffer.from(`\0\0${name}\0${name.length % 2 ? "" : "\0"}`, "latin1"));
      lookups.writeUInt32LE(entry, i * bytes);
      // The highest bit marks an import by ordinal.
      if (isOrdinal) lookups.writeUInt8(0x80, i * bytes + bytes - 1);
    }
    image.set(lookups.subarray(0, names.length * bytes), address);
    const at = index * DESCRIPTOR_BYTES;
    descriptors.writeUInt32LE(put(lookups), at);
    descriptors.writeUInt32LE(put(Buffer.from(`${library}\0`, "latin1")), at + 12);
    descriptors.writeUInt32LE(address, at + 16);
  }
  return Buffer.concat([descriptors, ...parts]);
}

/** The loader stops only at a zero. A table that touches another one would be read beyond its end. */
const isTerminated = (image: Uint8Array, { address, names }: Table, bytes: number): boolean => {
  const end = address + names.length * bytes;
  const isZero = (byte: number) => byte === 0;
  return image.length >= end + bytes && image.subarray(end, end + bytes).every(isZero);
};

export type Resolver = {
  readonly isWide: boolean;
  /** Upper half of all addresses. */
  readonly window: number;
  readonly find: FindExport;
  /** Resolves an address through thunks. */
  readonly follow: FindExport;
  /** Whether the address is in memory that the program allocated. */
  readonly isElsewhere: (address: number) => boolean;
  /** Whether the address is inside the image. */
  readonly isInside: (address: number) => boolean;
};
export type Imports = { readonly tables: readonly Table[]; readonly unbound: readonly UnboundSlot[] };

/**
 * Words between slots of an import table are slots too. Packers redirect single functions through code in
 * the image. Elsewhere in the image, such a word is an ordinary address.
 */
function slotsBetween(image: Uint8Array, slots: readonly Slot[], resolver: Resolver) {
  const { follow, isElsewhere, isInside } = resolver;
  const bytes = slotBytes(resolver);
  const view = viewOf(image);
  const bound: Slot[] = [];
  const unbound: UnboundSlot[] = [];
  for (const [index, { address: end }] of slots.entries()) {
    const start = (slots[index - 1]?.address ?? end) + bytes;
    if (end <= start || end - start > BETWEEN_MAX * bytes) continue;
    const words = Array.from({ length: (end - start) / bytes }, (_, at) => ({
      address: start + at * bytes,
      target: targetAt(view, start + at * bytes, resolver),
    }));
    if (!words.every(({ target }) => isInside(target) || isElsewhere(target))) continue;
    for (const { address, target } of words) {
      const exported = follow(target);
      if (exported) bound.push({ address, exported });
      else if (unbound.length < UNBOUND_MAX) unbound.push({ address, target });
    }
  }
  return { bound, unbound };
}

/** A single slot may be a coincidence. It counts if a zero or another slot is next to it. */
export function importTablesOf(image: Uint8Array, resolver: Resolver): Imports {
  const { isElsewhere } = resolver;
  const bytes = slotBytes(resolver);
  const view = viewOf(image);
  const found = slotsOf(image, resolver);
  const between = slotsBetween(image, found, resolver);
  const slots = [...found, ...between.bound].toSorted((one, other) => one.address - other.address);
  const bound = new Set(slots.map(({ address }) => address));
  const unbound = new Map(between.unbound.map(({ address, target }) => [address, target]));
  const isUnbound = (address: number): boolean =>
    unbound.has(address) ||
    (address >= 0 && address + bytes <= image.length && isElsewhere(targetAt(view, address, resolver)));
  /** Records unbound slots next to a bound one, in one direction. */
  const noteFrom = (address: number, step: number): void => {
    for (let at = address + step; !bound.has(at) && !unbound.has(at) && isUnbound(at); at += step)
      if (unbound.size < UNBOUND_MAX) unbound.set(at, targetAt(view, at, resolver));
      else return;
  };
  const all = tablesOf(slots, bytes);
  const isBeside = (address: number): boolean => bound.has(address) || isUnbound(address);
  const tables = all.filter(
    (table) =>
      table.names.length >= SLOTS_MIN ||
      isTerminated(image, table, bytes) ||
      isBeside(table.address - bytes) ||
      isBeside(table.address + bytes),
  );
  for (const { address, names } of tables) {
    noteFrom(address, -bytes);
    noteFrom(address + (names.length - 1) * bytes, bytes);
  }
  const sorted = [...unbound].toSorted(([one], [other]) => one - other);
  return { tables, unbound: sorted.map(([address, target]) => ({ address, target })) };
}
