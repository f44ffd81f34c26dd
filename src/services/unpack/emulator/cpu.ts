/** Processor state: registers, flags, memory and instruction pointer. */
import { Flags } from "./flags.ts";
import type { Memory } from "./memory.ts";

export const EAX = 0;
export const ECX = 1;
export const EDX = 2;
export const EBX = 3;
export const ESP = 4;
export const EBP = 5;
export const ESI = 6;
export const EDI = 7;

/** Selectors of a 32-bit program on a 64-bit system. */
const SELECTORS = { es: 0x2b, cs: 0x23, ss: 0x2b, ds: 0x2b, fs: 0x53, gs: 0x2b };
export const FS = 4;

export class Cpu {
  readonly memory: Memory;
  readonly flags = new Flags();
  /** The same registers, seen as 32-bit, 16-bit and 8-bit values. */
  readonly wide: Int32Array;
  readonly half: Int16Array;
  readonly quarter: Int8Array;
  readonly selectors = Int32Array.of(...Object.values(SELECTORS));
  /** Base of FS, which points to the thread block. All other segments have base zero. */
  fsBase = 0;
  eip = 0;
  /** Addresses in the debug registers. Execution stops before the instruction at such an address. */
  breakpoints: readonly number[] = [];
  /** Instructions executed so far. The emulated clock derives from this count. */
  executed = 0;

  constructor(memory: Memory, registers = 8) {
    this.memory = memory;
    this.wide = new Int32Array(registers);
    this.half = new Int16Array(this.wide.buffer);
    this.quarter = new Int8Array(this.wide.buffer);
  }
  /** The address as the program sees it. 64-bit mode adds the upper half. */
  wholeAddress(address: number): number {
    return address >>> 0;
  }
  get esp(): number {
    return this.wide[ESP] as number;
  }
  push(value: number): void {
    const at = (this.esp - 4) | 0;
    this.memory.write32(at, value);
    this.wide[ESP] = at;
  }
  pop(): number {
    const value = this.memory.read32(this.esp);
    this.wide[ESP] = this.esp + 4;
    return value;
  }
}
