/** Data movement: mov, xchg, push, pop, sign and zero extension, conditional moves. */
import { type Cpu, EAX, EBP, EBX, ECX, EDI, EDX, ESI, ESP } from "./cpu.ts";
import { conditions } from "./flags.ts";
import {
  constantPlace,
  memoryPlace,
  type Place,
  registerPlace,
  type Step,
  signed16,
  signedOf,
} from "./places.ts";
import type { Reading, Translate } from "./reading.ts";

const CARRY_TO_SIGN = 0xd5;

const move =
  (target: Place, source: Place): Step =>
  () =>
    target.write(source.read());

/** mov between r/m and register (88 to 8b). */
export const movePlace: Translate = (reading, opcode) => {
  const { cpu } = reading;
  const width = reading.widthOf(opcode);
  const isLoad = (opcode & 2) !== 0;
  if (width === 32) return moveWide(cpu, reading, isLoad);
  const register = reading.register(width);
  const place = reading.place(width);
  return isLoad ? move(register, place) : move(place, register);
};
/** Fast path for the most frequent instruction: a 32-bit mov. */
function moveWide({ wide, memory }: Cpu, reading: Reading, isLoad: boolean): Step {
  const number = reading.registerNumber;
  if (!reading.isMemory) {
    const other = reading.placeNumber;
    const [to, from] = isLoad ? [number, other] : [other, number];
    return () => {
      wide[to] = wide[from] as number;
    };
  }
  const { address } = reading;
  if (isLoad)
    return () => {
      wide[number] = memory.read32(address());
    };
  return () => memory.write32(address(), wide[number] as number);
}
/** mov between accumulator and an absolute address (a0 to a3). */
export const moveAccumulator: Translate = (reading, opcode) => {
  const width = reading.widthOf(opcode);
  const accumulator = registerPlace(reading.cpu, width, EAX);
  const place = memoryPlace(reading.cpu, width, reading.writtenAddress());
  return opcode & 2 ? move(place, accumulator) : move(accumulator, place);
};
/** mov of an immediate to a register (b0 to bf). */
export const moveConstant: Translate = (reading, opcode) => {
  const width = opcode < 0xb8 ? 8 : reading.width;
  return move(registerPlace(reading.cpu, width, opcode & 7), constantPlace(reading.immediate(width)));
};
/** mov of an immediate to r/m (c6, c7). */
export const movePlaceConstant: Translate = (reading, opcode) => {
  const width = reading.widthOf(opcode);
  const place = reading.place(width);
  if (reading.extension !== 0) reading.refuse();
  return move(place, constantPlace(reading.immediate(width)));
};
/** mov of segment registers (8c, 8e). */
export const moveSelector: Translate = (reading, opcode) => {
  const { selectors } = reading.cpu;
  const number = reading.extension;
  if (number > 5) reading.refuse();
  if (opcode === 0x8e) {
    const source = reading.place(16);
    return () => {
      selectors[number] = source.read() & 0xffff;
    };
  }
  const target = reading.place(reading.isMemory ? 16 : reading.width);
  return () => target.write(selectors[number] as number);
};
export const loadAddress: Translate = (reading) => {
  const target = reading.register(reading.width);
  const { offset } = reading;
  return () => target.write(offset());
};
/** movzx, movsx (0f b6, b7, be, bf). */
export const extend: Translate = (reading, opcode) => {
  const target = reading.register(reading.width);
  const source = reading.place(opcode & 1 ? 16 : 8);
  const mask = opcode & 1 ? 0xffff : 0xff;
  return opcode < 0xb8 ? () => target.write(source.read() & mask) : move(target, source);
};
/** xchg (86, 87, 91 to 97). */
export const exchange: Translate = (reading, opcode) => {
  const isShort = opcode >= 0x90;
  const width = isShort ? reading.width : reading.widthOf(opcode);
  const register = isShort ? registerPlace(reading.cpu, width, opcode & 7) : reading.register(width);
  const place = isShort ? registerPlace(reading.cpu, width, EAX) : reading.place(width);
  return () =>
    place.change((value) => {
      const other = register.read();
      register.write(value);
      return other;
    });
};
/** cmovcc (0f 40 to 4f). */
export const moveIf: Translate = (reading, opcode) => {
  const { flags } = reading.cpu;
  const holds = conditions[opcode & 15] as (typeof conditions)[number];
  const target = reading.register(reading.width);
  const source = reading.place(reading.width);
  return () => {
    const value = source.read();
    if (holds(flags)) target.write(value);
  };
};
/** setcc (0f 90 to 9f). */
export const setIf: Translate = (reading, opcode) => {
  const { flags } = reading.cpu;
  const holds = conditions[opcode & 15] as (typeof conditions)[number];
  const place = reading.place(8);
  return () => place.write(holds(flags) ? 1 : 0);
};

/** Stack words have the operand width. */
export function pushStep(reading: Reading, source: Place): Step {
  const { cpu, width } = reading;
  if (width === 32) return () => cpu.push(source.read());
  return () => {
    const value = source.read();
    const at = (cpu.esp - 2) | 0;
    cpu.memory.write16(at, value);
    cpu.wide[ESP] = at;
  };
}
function popStep(reading: Reading, target: Place): Step {
  const { cpu, width } = reading;
  const bytes = width / 8;
  // The target's address is computed after the stack pointer moved. If that fails, the stack pointer is
  // restored.
  return () => {
    const at = cpu.esp;
    const value = width === 32 ? cpu.memory.read32(at) : signed16(cpu.memory.read16(at));
    cpu.wide[ESP] = at + bytes;
    try {
      target.write(value);
    } catch (error) {
      cpu.wide[ESP] = at;
      throw error;
    }
  };
}
/** push and pop of a register (50 to 5f). */
export const stackRegister: Translate = (reading, opcode) => {
  const place = registerPlace(reading.cpu, reading.width, opcode & 7);
  return opcode < 0x58 ? pushStep(reading, place) : popStep(reading, place);
};
/** push of an immediate (68, 6a). */
export const pushConstant: Translate = (reading, opcode) =>
  pushStep(reading, constantPlace(opcode === 0x6a ? reading.signedByte() : reading.immediate(reading.width)));
export const popPlace: Translate = (reading) => popStep(reading, reading.place(reading.width));
/** push and pop of segment registers (06, 07, 0e, 16, 17, 1e, 1f, 0f a0, a1, a8, a9). */
export const stackSelector: Translate = (reading, opcode) => {
  const { selectors } = reading.cpu;
  const number = (opcode >> 3) & 7;
  const place: Place = {
    read: () => selectors[number] as number,
    write: (value) => {
      selectors[number] = value & 0xffff;
    },
    change: () => {},
  };
  return opcode & 1 ? popStep(reading, place) : pushStep(reading, place);
};
const ALL_REGISTERS = [EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI];
/** pusha, popa (60, 61). */
export const stackAll: Translate = (reading, opcode) => {
  const { cpu, width } = reading;
  const bytes = width / 8;
  const { memory } = cpu;
  const write = (at: number, value: number) =>
    width === 32 ? memory.write32(at, value) : memory.write16(at, value);
  if (opcode === 0x60)
    return () => {
      const top = cpu.esp;
      for (const [index, number] of ALL_REGISTERS.entries())
        write((top - (index + 1) * bytes) | 0, number === ESP ? top : (cpu.wide[number] as number));
      cpu.wide[ESP] = top - 8 * bytes;
    };
  return () => {
    const top = cpu.esp;
    for (const [index, number] of ALL_REGISTERS.entries()) {
      if (number === ESP) continue;
      const at = (top + (7 - index) * bytes) | 0;
      if (width === 32) cpu.wide[number] = memory.read32(at);
      else cpu.half[number * 2] = memory.read16(at);
    }
    cpu.wide[ESP] = top + 8 * bytes;
  };
};
/** pushf, popf (9c, 9d). */
export const stackFlags: Translate = (reading, opcode) => {
  const { flags } = reading.cpu;
  const place: Place = {
    read: () => flags.value,
    write: (value) => {
      flags.value = reading.width === 32 ? value : (flags.value & ~0xffff) | (value & 0xffff);
    },
    change: () => {},
  };
  if (opcode === 0x9c) return pushStep(reading, place);
  // popf may set the trap flag, so the block ends here.
  reading.isLast = true;
  return popStep(reading, place);
};
/** enter, leave (c8, c9). */
export const frame: Translate = (reading, opcode) => {
  const { cpu } = reading;
  if (opcode === 0xc9)
    return () => {
      const at = cpu.wide[EBP] as number;
      const saved = cpu.memory.read32(at);
      cpu.wide[ESP] = at + 4;
      cpu.wide[EBP] = saved;
    };
  const bytes = reading.word();
  const level = reading.byte() & 31;
  return () => {
    cpu.push(cpu.wide[EBP] as number);
    const top = cpu.esp;
    for (let i = 1; i < level; i += 1) {
      cpu.wide[EBP] = (cpu.wide[EBP] as number) - 4;
      cpu.push(cpu.memory.read32(cpu.wide[EBP] as number));
    }
    if (level > 0) cpu.push(top);
    cpu.wide[EBP] = top;
    cpu.wide[ESP] = cpu.esp - bytes;
  };
};

/** cwde, cdq (98, 99): sign-extend the accumulator, in place or into edx. */
export const widen: Translate = ({ cpu, width }, opcode) => {
  const { wide, half, quarter } = cpu;
  if (opcode === 0x98)
    return width === 32
      ? () => {
          wide[EAX] = half[0] as number;
        }
      : () => {
          half[0] = quarter[0] as number;
        };
  return width === 32
    ? () => {
        wide[EDX] = (wide[EAX] as number) >> 31;
      }
    : () => {
        half[2 * EDX] = (half[0] as number) >> 15;
      };
};
/** bswap (0f c8 to cf). */
export const swapBytes: Translate = ({ cpu }, opcode) => {
  const { wide } = cpu;
  const number = opcode & 7;
  return () => {
    const value = wide[number] as number;
    wide[number] = (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24);
  };
};
export const lookUp: Translate = (reading) => {
  const { cpu } = reading;
  const { wide, quarter, memory } = cpu;
  const address = reading.withSegment(() => ((wide[EBX] as number) + ((quarter[0] as number) & 0xff)) | 0);
  return () => {
    quarter[0] = memory.read8(address());
  };
};
/** sahf, lahf (9e, 9f): move the low flags from and to ah. */
export const lowFlags: Translate = ({ cpu }, opcode) => {
  const { flags, quarter } = cpu;
  if (opcode === 0x9f)
    return () => {
      quarter[1] = flags.value;
    };
  return () => flags.change(CARRY_TO_SIGN, quarter[1] as number);
};
/** salc (d6), undocumented: al becomes ff if the carry is set, otherwise 0. */
export const carryToAccumulator: Translate =
  ({ cpu }) =>
  () => {
    cpu.quarter[0] = -cpu.flags.carry;
  };
/** cmpxchg (0f b0, b1). */
export const compareExchange: Translate = (reading, opcode) => {
  const { cpu } = reading;
  const width = reading.widthOf(opcode);
  const accumulator = registerPlace(cpu, width, EAX);
  const source = reading.register(width);
  const place = reading.place(width);
  const signed = signedOf(width);
  return () =>
    place.change((value) => {
      const wanted = accumulator.read();
      cpu.flags.difference(wanted, value, signed(wanted - value), width - 1);
      if (wanted === value) return source.read();
      accumulator.write(value);
      return value;
    });
};
/** cmpxchg8b (0f c7). */
export const compareExchangeTwice: Translate = (reading) => {
  const { cpu } = reading;
  const { wide, memory } = cpu;
  const { address } = reading;
  if (reading.extension !== 1) reading.refuse();
  return () => {
    const at = address();
    const low = memory.read32(at);
    const high = memory.read32((at + 4) | 0);
    const isEqual = low === wide[EAX] && high === wide[EDX];
    cpu.flags.change(0x40, isEqual ? 0x40 : 0);
    memory.write32((at + 4) | 0, isEqual ? (wide[ECX] as number) : high);
    memory.write32(at, isEqual ? (wide[EBX] as number) : low);
    if (isEqual) return;
    wide[EAX] = low;
    wide[EDX] = high;
  };
};
/** xadd (0f c0, c1). */
export const exchangeAdd: Translate = (reading, opcode) => {
  const { flags } = reading.cpu;
  const width = reading.widthOf(opcode);
  const source = reading.register(width);
  const place = reading.place(width);
  const signed = signedOf(width);
  return () =>
    place.change((value) => {
      const added = source.read();
      const result = signed(value + added);
      flags.sum(value, added, result, width - 1);
      source.write(value);
      return result;
    });
};
