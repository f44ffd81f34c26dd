/** The state of the processor: registers, flags, memory, and where it is. */
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

/** Selectors as a 32-bit program finds them on a 64-bit system. */
const SELECTORS = { es: 0x2b, cs: 0x23, ss: 0x2b, ds: 0x2b, fs: 0x53, gs: 0x2b };
export const FS = 4;

export class Cpu {
  readonly memory: Memory;
  readonly flags = new Flags();
  /** The same registers as wide, half and quarter ones. */
  readonly wide: Int32Array;
  readonly half: Int16Array;
  readonly quarter: Int8Array;
  readonly selectors = Int32Array.of(...Object.values(SELECTORS));
  /** Only the one of the thread's block is not at zero. */
  fsBase = 0;
  eip = 0;
  /** Addresses that the debug registers stop at, before what is there is executed. */
  breakpoints: readonly number[] = [];
  /** Instructions so far: also the time, as far as the program can tell. */
  executed = 0;

  constructor(memory: Memory, registers = 8) {
    this.memory = memory;
    this.wide = new Int32Array(registers);
    this.half = new Int16Array(this.wide.buffer);
    this.quarter = new Int8Array(this.wide.buffer);
  }
  /** The address as the program sees it. */
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
