/** Data movement in 64-bit mode. */
import { EAX, EBP, EBX, ECX, EDX, ESP } from "../cpu.ts";
import { conditions } from "../flags.ts";
import { TABLES } from "../instructions.ts";
import { constantPlace, memoryPlace, type Place, type Step, type Width } from "../places.ts";
import type { Translate } from "../reading.ts";
import {
  foldedOperand,
  foldedResult,
  type LongPlace,
  longConstant,
  longMemory,
  longRegister,
} from "./places.ts";
import type { LongReading, TranslateLong } from "./reading.ts";

const ZERO = 0x40;

function move(reading: LongReading, target: LongPlace, source: LongPlace): Step {
  const { cpu } = reading;
  return () => {
    const low = source.read();
    target.write(low, cpu.upper);
  };
}
const moveShort =
  (target: Place, source: Place): Step =>
  () =>
    target.write(source.read());

/** mov between r/m and register (88 to 8b). */
export const movePlace: TranslateLong = (reading, opcode) => {
  const isLoad = (opcode & 2) !== 0;
  if (opcode & 1 && reading.isWide) return moveWhole(reading, isLoad);
  const width = reading.widthOf(opcode);
  const [register, place] = [reading.register(width), reading.place(width)];
  return isLoad ? moveShort(register, place) : moveShort(place, register);
};
function moveWhole(reading: LongReading, isLoad: boolean): Step {
  const { wide, high, memory } = reading.cpu;
  const number = reading.registerNumber;
  if (!reading.isMemory) {
    const other = reading.placeNumber;
    const [to, from] = isLoad ? [number, other] : [other, number];
    return () => {
      wide[to] = wide[from] as number;
      high[to] = high[from] as number;
    };
  }
  const { address } = reading;
  if (!isLoad) return () => memory.write64(address(), wide[number] as number, high[number] as number);
  return () => {
    const at = address();
    const low = memory.read32(at);
    high[number] = memory.read32((at + 4) | 0);
    wide[number] = low;
  };
}
/** mov between accumulator and a 64-bit absolute address (a0 to a3). */
export const moveAccumulator: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const low = reading.long();
  const high = reading.isShortAddress ? 0 : reading.long();
  const address = reading.withSegment(() => {
    if (high !== cpu.window) cpu.refuseAddress(low, high);
    return low;
  });
  if (opcode & 1 && reading.isWide) {
    const [place, accumulator] = [longMemory(cpu, address), longRegister(cpu, EAX)];
    return opcode & 2 ? move(reading, place, accumulator) : move(reading, accumulator, place);
  }
  const width = reading.widthOf(opcode);
  const [place, accumulator] = [memoryPlace(cpu, width, address), reading.registerAt(width, EAX)];
  return opcode & 2 ? moveShort(place, accumulator) : moveShort(accumulator, place);
};
/** mov of an immediate to a register (b0 to bf). */
export const moveConstant: TranslateLong = (reading, opcode) => {
  const number = reading.opcodeNumber(opcode);
  if (opcode >= 0xb8 && reading.isWide) {
    const { wide, high } = reading.cpu;
    const [low, upper] = [reading.long(), reading.long()];
    return () => {
      wide[number] = low;
      high[number] = upper;
    };
  }
  const width: Width = opcode < 0xb8 ? 8 : reading.width;
  return moveShort(reading.registerAt(width, number), constantPlace(reading.immediate(width)));
};
/** mov of an immediate to r/m (c7). */
export const movePlaceConstant: TranslateLong = (reading) => {
  const place = reading.longPlace;
  if (reading.extension !== 0) reading.refuse();
  return move(reading, place, longConstant(reading.cpu, reading.long()));
};
/** movsxd (63). */
export const moveSigned: TranslateLong = (reading) => {
  const source = reading.place(reading.width);
  if (!reading.isWide) return moveShort(reading.register(reading.width), source);
  const target = reading.longRegister;
  return () => {
    const value = source.read();
    target.write(value, value >> 31);
  };
};
export const loadAddress: TranslateLong = (reading) => {
  const { cpu } = reading;
  const offset = reading.wholeOffset;
  if (!reading.isWide) {
    const target = reading.register(reading.width);
    return () => target.write(offset());
  }
  const target = reading.longRegister;
  return () => {
    const low = offset();
    target.write(low, cpu.upper);
  };
};
/** movzx, movsx (0f b6, b7, be, bf). */
export const extend: TranslateLong = (reading, opcode) => {
  const target = reading.longRegister;
  const source = reading.place(opcode & 1 ? 16 : 8);
  const mask = opcode & 1 ? 0xffff : 0xff;
  if (opcode < 0xb8) return () => target.write(source.read() & mask, 0);
  return () => {
    const value = source.read();
    target.write(value, value >> 31);
  };
};
/** xchg (87, 91 to 97). */
export const exchange: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const isShort = opcode >= 0x90;
  const register = isShort ? longRegister(cpu, reading.opcodeNumber(opcode)) : reading.longRegister;
  const place = isShort ? longRegister(cpu, EAX) : reading.longPlace;
  return () => {
    const low = place.read();
    const high = cpu.upper;
    const other = register.read();
    place.writeBack(other, cpu.upper);
    register.write(low, high);
  };
};
/** xchg (90 to 97) with operands of less than 64 bits. */
export const exchangeShort: TranslateLong = (reading, opcode) => {
  const number = reading.opcodeNumber(opcode);
  if (number === EAX) return () => {};
  const register = reading.registerAt(reading.width, number);
  const accumulator = reading.registerAt(reading.width, EAX);
  return () => {
    const value = accumulator.read();
    accumulator.write(register.read());
    register.write(value);
  };
};
/** cmovcc (0f 40 to 4f). */
export const moveIf: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const holds = conditions[opcode & 15] as (typeof conditions)[number];
  if (reading.isWide) {
    const [target, source] = [reading.longRegister, reading.longPlace];
    return () => {
      const low = source.read();
      if (holds(cpu.flags)) target.write(low, cpu.upper);
    };
  }
  const [target, source] = [reading.register(reading.width), reading.place(reading.width)];
  // The write clears the upper half even if the condition is false.
  return () => {
    const value = source.read();
    target.write(holds(cpu.flags) ? value : target.read());
  };
};

/** Stack words have 64 bits, or 16 with an operand prefix. */
export function pushStep(reading: LongReading, source: LongPlace | Place): Step {
  const { cpu } = reading;
  if (reading.width === 32) return () => cpu.pushWhole(source.read(), cpu.upper);
  return () => {
    const value = source.read();
    const at = (cpu.top - 2) | 0;
    cpu.memory.write16(at, value);
    cpu.wide[ESP] = at;
  };
}
function popStep(reading: LongReading, target: LongPlace): Step {
  const { cpu } = reading;
  const { memory, wide } = cpu;
  // The target's address is computed after the stack pointer moved. If that fails, the stack pointer is
  // restored.
  return () => {
    const at = cpu.top;
    const low = memory.read32(at);
    const high = memory.read32((at + 4) | 0);
    wide[ESP] = at + 8;
    try {
      target.write(low, high);
    } catch (error) {
      wide[ESP] = at;
      throw error;
    }
  };
}
function popShort(reading: LongReading, target: Place): Step {
  const { cpu } = reading;
  return () => {
    const at = cpu.top;
    target.write(cpu.memory.read16(at));
    cpu.wide[ESP] = at + 2;
  };
}
/** push and pop of a register (50 to 5f). */
export const stackRegister: TranslateLong = (reading, opcode) => {
  const number = reading.opcodeNumber(opcode);
  const isPush = opcode < 0x58;
  if (reading.width === 16) {
    const place = reading.registerAt(16, number);
    return isPush ? pushStep(reading, place) : popShort(reading, place);
  }
  const place = longRegister(reading.cpu, number);
  return isPush ? pushStep(reading, place) : popStep(reading, place);
};
/** push of an immediate (68, 6a). */
export const pushConstant: TranslateLong = (reading, opcode) => {
  const value = opcode === 0x6a ? reading.signedByte() : reading.immediate(reading.width);
  return pushStep(reading, longConstant(reading.cpu, value));
};
/** push of r/m (ff). */
export const pushPlace = (reading: LongReading): Step =>
  pushStep(reading, reading.width === 16 ? reading.place(16) : reading.longPlace);
/** pop to r/m (8f). */
export const popPlace: TranslateLong = (reading) =>
  reading.width === 16 ? popShort(reading, reading.place(16)) : popStep(reading, reading.longPlace);
/** pushf, popf (9c, 9d). */
export const stackFlags: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const { flags } = cpu;
  if (reading.width === 16) return reading.refuse();
  if (opcode === 0x9c) return () => cpu.pushWhole(flags.value, 0);
  // popf may set the trap flag, so the block ends here.
  reading.isLast = true;
  return popStep(reading, {
    read: () => 0,
    write: (low) => {
      flags.value = low;
    },
    writeBack: () => {},
  });
};
/** enter, leave (c8, c9). Nested frames are not emulated. */
export const frame: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const { wide, high, memory } = cpu;
  if (opcode === 0xc9) {
    const base = reading.pointer(EBP);
    return () => {
      const at = base();
      const low = memory.read32(at);
      high[EBP] = memory.read32((at + 4) | 0);
      wide[EBP] = low;
      wide[ESP] = at + 8;
      high[ESP] = cpu.window;
    };
  }
  const bytes = reading.word();
  if ((reading.byte() & 31) !== 0) return reading.refuse();
  return () => {
    cpu.pushWhole(wide[EBP] as number, high[EBP] as number);
    wide[EBP] = wide[ESP] as number;
    high[EBP] = high[ESP] as number;
    cpu.advance(ESP, -bytes);
  };
};
/** cdqe, cqo and their narrower forms (98, 99): sign-extend the accumulator, in place or into rdx. */
export const widen: TranslateLong = (reading, opcode) => {
  const { wide, high, half } = reading.cpu;
  const isOwn = opcode === 0x98;
  if (reading.isWide)
    return () => {
      const sign = ((isOwn ? wide : high)[EAX] as number) >> 31;
      if (!isOwn) wide[EDX] = sign;
      high[isOwn ? EAX : EDX] = sign;
    };
  if (reading.width === 16) return (TABLES.oneByte[opcode] as Translate)(reading, opcode);
  return () => {
    const register = isOwn ? EAX : EDX;
    wide[register] = isOwn ? (half[0] as number) : (wide[EAX] as number) >> 31;
    high[register] = 0;
  };
};
/** xlat (d7). */
export const lookUp: TranslateLong = (reading) => {
  const { cpu } = reading;
  const table = reading.pointer(EBX);
  return () => {
    cpu.quarter[0] = cpu.memory.read8((table() + ((cpu.quarter[0] as number) & 0xff)) | 0);
  };
};
/** cmpxchg (0f b1). */
export const compareExchange: TranslateLong = (reading) => {
  const { cpu } = reading;
  const { wide, high } = cpu;
  const [source, place] = [reading.longRegister, reading.longPlace];
  return () => {
    const value = place.read();
    const valueHigh = cpu.upper;
    const [wanted, wantedHigh] = [wide[EAX] as number, high[EAX] as number];
    const low = (wanted - value) | 0;
    const upper = (wantedHigh - valueHigh - (wanted >>> 0 < value >>> 0 ? 1 : 0)) | 0;
    cpu.flags.difference(
      foldedOperand(wanted, wantedHigh),
      foldedOperand(value, valueHigh),
      foldedResult(low, upper),
      31,
    );
    if ((low | upper) === 0) {
      const other = source.read();
      place.writeBack(other, cpu.upper);
      return;
    }
    place.writeBack(value, valueHigh);
    wide[EAX] = value;
    high[EAX] = valueHigh;
  };
};
/** cmpxchg8b, cmpxchg16b (0f c7). */
export const compareExchangeTwice: TranslateLong = (reading) => {
  const { cpu, isWide } = reading;
  const { wide, high, memory } = cpu;
  const { address } = reading;
  if (reading.extension !== 1) reading.refuse();
  const bytes = isWide ? 8 : 4;
  const wordOf = (register: number): readonly number[] =>
    isWide ? [wide[register] as number, high[register] as number] : [wide[register] as number];
  return () => {
    const at = address();
    const found = Array.from({ length: bytes / 2 }, (_, i) => memory.read32((at + i * 4) | 0));
    const wanted = [...wordOf(EAX), ...wordOf(EDX)];
    const isEqual = found.every((word, i) => word === wanted[i]);
    const stored = isEqual ? [...wordOf(EBX), ...wordOf(ECX)] : found;
    for (const [i, word] of stored.entries()) memory.write32((at + i * 4) | 0, word);
    cpu.flags.change(ZERO, isEqual ? ZERO : 0);
    if (isEqual) return;
    for (const [i, register] of [EAX, EDX].entries()) {
      wide[register] = found[(i * bytes) / 4] as number;
      high[register] = isWide ? (found[i * 2 + 1] as number) : 0;
    }
  };
};
/** xadd (0f c1). */
export const exchangeAdd: TranslateLong = (reading) => {
  const { cpu } = reading;
  const [source, place] = [reading.longRegister, reading.longPlace];
  return () => {
    const value = place.read();
    const valueHigh = cpu.upper;
    const added = source.read();
    const addedHigh = cpu.upper;
    const low = (value + added) | 0;
    const high = (valueHigh + addedHigh + (low >>> 0 < value >>> 0 ? 1 : 0)) | 0;
    cpu.flags.sum(
      foldedOperand(value, valueHigh),
      foldedOperand(added, addedHigh),
      foldedResult(low, high),
      31,
    );
    source.write(value, valueHigh);
    place.writeBack(low, high);
  };
};
