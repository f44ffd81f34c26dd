/**
 * Processor state in 64-bit mode. All memory of a process lies in one window of 4 GB: the upper 32 bits of
 * every valid address are the window's number. An access outside the window is an access violation.
 * Registers are stored as two halves, so that few instructions need a BigInt.
 */
import { Cpu, ESP } from "../cpu.ts";
import { ProcessorException, STATUS } from "../faults.ts";
import type { Memory } from "../memory.ts";

const REGISTERS = 16;
export const R8 = 8;
export const R9 = 9;
const HALF = 0x1_0000_0000;

export class LongCpu extends Cpu {
  /** Upper halves of the registers. */
  readonly high = new Int32Array(REGISTERS);
  /** Upper half of every valid address. */
  readonly window: number;
  /** Upper half of the value that was read last. Read functions return the lower half. */
  upper = 0;

  constructor(memory: Memory, window: number) {
    super(memory, REGISTERS);
    this.window = window;
    this.high[ESP] = window;
  }
  override wholeAddress(address: number): number {
    return (this.window >>> 0) * HALF + (address >>> 0);
  }
  refuseAddress(low: number, high: number): never {
    const address = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    throw new ProcessorException(STATUS.accessViolation, `access at 0x${address.toString(16)}`, [0, low]);
  }
  /** The stack pointer, checked against the window. */
  get top(): number {
    const at = this.wide[ESP] as number;
    if (this.high[ESP] !== this.window) this.refuseAddress(at, this.high[ESP] as number);
    return at;
  }
  pushWhole(low: number, high: number): void {
    const at = (this.top - 8) | 0;
    this.memory.write64(at, low, high);
    this.wide[ESP] = at;
  }
  /** Pushes an address in the window. */
  override push(address: number): void {
    this.pushWhole(address, this.window);
  }
  /** Pops an address in the window. */
  override pop(): number {
    const at = this.top;
    const low = this.memory.read32(at);
    const high = this.memory.read32((at + 4) | 0);
    if (high !== this.window) this.refuseAddress(low, high);
    this.wide[ESP] = at + 8;
    return low;
  }
  /** Adds a signed 32-bit number to a register. */
  advance(register: number, by: number): void {
    const before = this.wide[register] as number;
    const after = (before + by) | 0;
    this.wide[register] = after;
    const carry = after >>> 0 < before >>> 0 ? 1 : 0;
    const added = by < 0 ? carry - 1 : carry;
    if (added !== 0) this.high[register] = (this.high[register] as number) + added;
  }
}
