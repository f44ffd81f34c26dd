/** Windows constants of page protections. */
import { EXECUTE, GUARD, READ, WRITE } from "../emulator/memory.ts";

const GUARDED = 0x100;
/** Keyed by the bits for read, write and execute. */
const NAMES: Readonly<Record<number, number>> = {
  0: 0x01,
  [READ]: 0x02,
  [READ | WRITE]: 0x04,
  [EXECUTE]: 0x10,
  [READ | EXECUTE]: 0x20,
  [READ | WRITE | EXECUTE]: 0x40,
};
const MEANINGS: Readonly<Record<number, number>> = {
  1: 0,
  2: READ,
  4: READ | WRITE,
  8: READ | WRITE,
  16: EXECUTE,
  32: READ | EXECUTE,
  64: READ | WRITE | EXECUTE,
  128: READ | WRITE | EXECUTE,
};
export const protectionOf = (value: number): number =>
  (MEANINGS[value & 0xff] ?? READ | WRITE | EXECUTE) | (value & GUARDED ? GUARD : 0);
export const windowsProtectionOf = (protection: number): number =>
  (NAMES[protection & ~GUARD] ?? 0x40) | (protection & GUARD ? GUARDED : 0);
