/** 64-bit operands. Reads return the lower half and leave the upper half in the processor's `upper`. */
import type { LongCpu } from "./cpu.ts";

export type LongPlace = {
  read(): number;
  write(low: number, high: number): void;
  /** Writes to the address of the last read, so that the address is computed once. */
  writeBack(low: number, high: number): void;
};

export function longRegister(cpu: LongCpu, number: number): LongPlace {
  const { wide, high } = cpu;
  const write = (low: number, upper: number): void => {
    wide[number] = low;
    high[number] = upper;
  };
  return {
    read: () => {
      cpu.upper = high[number] as number;
      return wide[number] as number;
    },
    write,
    writeBack: write,
  };
}
export function longMemory(cpu: LongCpu, address: () => number): LongPlace {
  const { memory } = cpu;
  let at = 0;
  return {
    read: () => {
      at = address();
      const low = memory.read32(at);
      cpu.upper = memory.read32((at + 4) | 0);
      return low;
    },
    write: (low, high) => memory.write64(address(), low, high),
    writeBack: (low, high) => memory.write64(at, low, high),
  };
}
/** A 32-bit immediate, sign-extended. */
export function longConstant(cpu: LongCpu, value: number): LongPlace {
  const high = value >> 31;
  return {
    read: () => {
      cpu.upper = high;
      return value;
    },
    write: () => {},
    writeBack: () => {},
  };
}

/**
 * Flags are computed from 32-bit values. These fold 64 bits into 32 that give the same flags: they keep the
 * sign, the low byte for adjust and parity, and whether any bit is set.
 */
export const foldedOperand = (low: number, high: number): number => (high & 0x8000_0000) | (low & 0xff);
export const foldedResult = (low: number, high: number): number =>
  (high & 0x8000_0000) | (low & 0xff) | ((low | high) === 0 ? 0 : 0x100);
