/**
 * Some packers create new import tables and redirect all uses of imports to them. If the original tables are
 * still in the image, unresolved, this restores them.
 */
import { findText, viewOf } from "../pe/image.ts";
import { libraryName } from "../windows/libraries.ts";
import { DESCRIPTOR_BYTES, type Table } from "./imports.ts";

const START = 0x1000;
const BY_NUMBER = 0x8000_0000;
/** Entries read in a search for tables before the search gives up. */
const READ_MAX = 100_000;

const findName = (image: Uint8Array, entry: number): string | undefined =>
  entry >= BY_NUMBER ? `#${entry & 0xffff}` : findText(image, entry + 2);

/** Tables of the first import directory that no loader has resolved. */
function unreadTables(image: Uint8Array): Table[] {
  const view = viewOf(image);
  const isInside = (place: number): boolean => place >= START && place + 4 <= image.length;
  let left = READ_MAX;
  /** Lookup entries up to the zero. Undefined if there are none, or if a loader has resolved the slots. */
  const findLookups = (lookups: number, slots: number): number[] | undefined => {
    const entries: number[] = [];
    for (let offset = 0; isInside(lookups + offset) && isInside(slots + offset) && left > 0; offset += 4) {
      const entry = view.getUint32(lookups + offset, true);
      if (entry !== view.getUint32(slots + offset, true)) return undefined;
      if (entry === 0) return entries;
      entries.push(entry);
      left -= 1;
    }
    return undefined;
  };
  const findTable = (at: number): Table | undefined => {
    if (!isInside(at + DESCRIPTOR_BYTES - 4)) return undefined;
    const [nameAt, slots] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    const library = isInside(nameAt) && isInside(slots) ? findText(image, nameAt) : undefined;
    if (!library?.includes(".")) return undefined;
    const entries = findLookups(view.getUint32(at, true) || slots, slots) ?? [];
    const names = entries.map((entry) => findName(image, entry)).filter((name) => name !== undefined);
    const isWhole = names.length > 0 && names.length === entries.length;
    return isWhole ? { library: libraryName(library), address: slots, names } : undefined;
  };
  for (let at = START; isInside(at + DESCRIPTOR_BYTES - 4) && left > 0; at += 4) {
    const tables: Table[] = [];
    for (let table = findTable(at); table; table = findTable(at + tables.length * DESCRIPTOR_BYTES))
      tables.push(table);
    if (tables.length > 0) return tables;
  }
  return [];
}
function slotsOf(tables: readonly Table[]): { readonly key: string; readonly address: number }[] {
  return tables.flatMap(({ library, address, names }) =>
    names.map((name, index) => ({ key: `${library} ${name}`, address: address + index * 4 })),
  );
}
/**
 * Words may be parts of instructions, so every byte offset is tested. Returns the number of changed words.
 */
function replaceWords(image: Uint8Array, replacements: ReadonlyMap<number, number>): number {
  const view = viewOf(image);
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const word of replacements.keys()) [least, most] = [Math.min(least, word), Math.max(most, word)];
  let replaced = 0;
  for (let at = START; at + 4 <= image.length; at += 1) {
    const value = view.getUint32(at, true);
    const other = value >= least && value <= most ? replacements.get(value) : undefined;
    if (other === undefined) continue;
    view.setUint32(at, other, true);
    replaced += 1;
    at += 3;
  }
  return replaced;
}
/** Splits a table around removed slots. */
function without(table: Table, isGone: (slot: number) => boolean): Table[] {
  const parts: Table[] = [];
  for (const [index, name] of table.names.entries()) {
    const address = table.address + index * 4;
    const last = parts.at(-1);
    if (isGone(address)) continue;
    if (last && last.address + last.names.length * 4 === address) last.names.push(name);
    else parts.push({ library: table.library, address, names: [name] });
  }
  return parts;
}

/** Restores redirected imports in the image, and returns the resulting tables. */
export function putBackImports(image: Uint8Array, base: number, tables: readonly Table[]): readonly Table[] {
  const first = unreadTables(image);
  const homes = new Map(slotsOf(first).map(({ key, address }) => [key, base + address]));
  const moves = new Map<number, number>();
  for (const { key, address } of slotsOf(tables)) {
    const home = homes.get(key);
    if (home !== undefined) moves.set(base + address, home);
  }
  if (moves.size === 0 || replaceWords(image, moves) === 0) return tables;
  return [...first, ...tables.flatMap((table) => without(table, (slot) => moves.has(base + slot)))];
}
