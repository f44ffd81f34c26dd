/** Operands in registers and memory. Values are signed at every width. */
import type { Cpu } from "./cpu.ts";
import { LongCpu } from "./long/cpu.ts";

export type Width = 8 | 16 | 32;
export type Step = () => void;
export type Place = {
  read(): number;
  write(value: number): void;
  /** Reads and writes the same place, and computes its address once. */
  change(compute: (value: number) => number): void;
};

export const signed8 = (value: number): number => (value << 24) >> 24;
export const signed16 = (value: number): number => (value << 16) >> 16;
const signed32 = (value: number): number => value | 0;
export const signedOf = (width: Width): ((value: number) => number) =>
  width === 32 ? signed32 : width === 16 ? signed16 : signed8;
export const maskOf = (width: Width): number => (width === 32 ? -1 : (1 << width) - 1);

/** Byte registers 4 to 7 are ah, ch, dh and bh. */
const quarterIndex = (number: number): number => (number < 4 ? number * 4 : (number - 4) * 4 + 1);

function inRegisters(registers: Int32Array | Int16Array | Int8Array, index: number): Place {
  return {
    read: () => registers[index] as number,
    write: (value) => {
      registers[index] = value;
    },
    change: (compute) => {
      registers[index] = compute(registers[index] as number);
    },
  };
}
/** In 64-bit mode, a write to the lower half of a register clears the upper half. */
function inLowerHalves({ wide, high }: LongCpu, index: number): Place {
  return {
    read: () => wide[index] as number,
    write: (value) => {
      wide[index] = value;
      high[index] = 0;
    },
    change: (compute) => {
      wide[index] = compute(wide[index] as number);
      high[index] = 0;
    },
  };
}
/** The lowest byte of a register, as 64-bit mode numbers byte registers. */
export const lowBytePlace = ({ quarter }: Cpu, number: number): Place => inRegisters(quarter, number * 4);
export function registerPlace(cpu: Cpu, width: Width, number: number): Place {
  if (width === 32)
    return cpu instanceof LongCpu ? inLowerHalves(cpu, number) : inRegisters(cpu.wide, number);
  if (width === 16) return inRegisters(cpu.half, number * 2);
  return inRegisters(cpu.quarter, quarterIndex(number));
}

export function memoryPlace({ memory }: Cpu, width: Width, address: () => number): Place {
  if (width === 32)
    return {
      read: () => memory.read32(address()),
      write: (value) => memory.write32(address(), value),
      change: (compute) => {
        const at = address();
        memory.write32(at, compute(memory.read32(at)));
      },
    };
  if (width === 16)
    return {
      read: () => signed16(memory.read16(address())),
      write: (value) => memory.write16(address(), value),
      change: (compute) => {
        const at = address();
        memory.write16(at, compute(signed16(memory.read16(at))));
      },
    };
  return {
    read: () => signed8(memory.read8(address())),
    write: (value) => memory.write8(address(), value),
    change: (compute) => {
      const at = address();
      memory.write8(at, compute(signed8(memory.read8(at))));
    },
  };
}

export const constantPlace = (value: number): Place => ({
  read: () => value,
  write: () => {},
  change: () => {},
});
