/** Loader work before the entry point: imports and thread-local storage. */
import { DIRECTORY } from "../pe/file.ts";
import { callbacksOffset } from "../pe/named-tables.ts";
import type { LoadedProcess } from "./loaded-process.ts";

const LIBRARIES_MAX = 256;
const FUNCTIONS_MAX = 4096;
const CALLBACKS_MAX = 16;
const DESCRIPTOR_BYTES = 20;

export function resolveImports(process: LoadedProcess): void {
  const { base, file } = process;
  const { address } = file.directories[DIRECTORY.imports] ?? { address: 0 };
  if (address === 0) return;
  for (let at = base + address, count = 0; count < LIBRARIES_MAX; at += DESCRIPTOR_BYTES, count += 1) {
    const lookup = process.readLong(at) >>> 0;
    const name = process.readLong(at + 12) >>> 0;
    const table = process.readLong(at + 16) >>> 0;
    if (name === 0 || table === 0 || !process.isInImage(base + name)) return;
    const library = process.libraries.get(process.readText(base + name));
    if (!library) return;
    const isReadable = lookup !== 0 && process.isInImage(base + lookup);
    resolveTable(process, library.base, isReadable ? lookup : table, table);
  }
}
function resolveTable(process: LoadedProcess, library: number, lookup: number, table: number): void {
  const { base, wordBytes } = process;
  for (let index = 0; index < FUNCTIONS_MAX; index += 1) {
    const at = base + lookup + index * wordBytes;
    const entry = process.readLong(at) >>> 0;
    const isByNumber = process.readLong(at + wordBytes - 4) < 0;
    if (entry === 0 && !isByNumber) return;
    const name = isByNumber ? `#${entry & 0xffff}` : process.readText(base + entry + 2);
    process.writePointer(base + table + index * wordBytes, process.functionAddress(library, name));
  }
}

export function threadCallbacks(process: LoadedProcess): number[] {
  const { base, file, wordBytes } = process;
  const { address } = file.directories[DIRECTORY.tls] ?? { address: 0 };
  if (address === 0) return [];
  const list = process.readLong(base + address + callbacksOffset(file)) >>> 0;
  const callbacks: number[] = [];
  for (let i = 0; list !== 0 && i < CALLBACKS_MAX; i += 1) {
    const callback = process.readLong(list + i * wordBytes);
    if (callback === 0) break;
    callbacks.push(callback);
  }
  return callbacks;
}
