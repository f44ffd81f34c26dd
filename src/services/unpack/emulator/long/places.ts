/** Operands of 64 bits: the lower half is answered, the upper one is the processor's `upper`. */
import type { LongCpu } from "./cpu.ts";

export type LongPlace = {
  read(): number;
  write(low: number, high: number): void;
  /** To where it was read from last: the address is worked out once. */
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
/** A number of 32 bits with its sign. */
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
 * Flags are worked out of 32 bits. These have the same flags as the 64 bits they stand for: the sign, the bits that adjust and parity
 * look at, and whether there is any bit at all.
 */
export const foldedOperand = (low: number, high: number): number => (high & 0x8000_0000) | (low & 0xff);
export const foldedResult = (low: number, high: number): number =>
  (high & 0x8000_0000) | (low & 0xff) | ((low | high) === 0 ? 0 : 0x100);
