/** 64-bit shifts, rotations and bit tests. */
import { ECX } from "../cpu.ts";
import { CARRY, OVERFLOW, ZERO } from "../flags.ts";
import type { Step } from "../places.ts";
import type { LongCpu } from "./cpu.ts";
import { foldedResult, type LongPlace } from "./places.ts";
import type { LongReading, TranslateLong } from "./reading.ts";

const BITS = 64;
const bitOf = (low: number, high: number, place: number): number =>
  place < 32 ? (low >>> place) & 1 : (high >>> (place - 32)) & 1;

/** Returns the lower half and leaves the upper half in the processor's `upper`. The count is 1 to 63. */
type Shift = (cpu: LongCpu, low: number, high: number, count: number) => number;

function shiftedLeft(cpu: LongCpu, low: number, high: number, count: number): number {
  if (count >= 32) {
    cpu.upper = low << (count - 32);
    return 0;
  }
  cpu.upper = (high << count) | (low >>> (32 - count));
  return low << count;
}
function shiftedRight(cpu: LongCpu, low: number, high: number, count: number): number {
  if (count >= 32) {
    cpu.upper = 0;
    return (high >>> (count - 32)) | 0;
  }
  cpu.upper = (high >>> count) | 0;
  return (low >>> count) | (high << (32 - count));
}
const shiftLeft: Shift = (cpu, low, high, count) => {
  const result = shiftedLeft(cpu, low, high, count);
  const overflow = (high >>> 31) ^ ((high >>> 30) & 1);
  cpu.flags.told(foldedResult(result, cpu.upper), bitOf(low, high, BITS - count), overflow);
  return result;
};
const shiftRight: Shift = (cpu, low, high, count) => {
  const result = shiftedRight(cpu, low, high, count);
  cpu.flags.told(foldedResult(result, cpu.upper), bitOf(low, high, count - 1), high >>> 31);
  return result;
};
const shiftRightSigned: Shift = (cpu, low, high, count) => {
  const result = count >= 32 ? high >> (count - 32) : (low >>> count) | (high << (32 - count));
  cpu.upper = high >> Math.min(count, 31);
  cpu.flags.told(foldedResult(result, cpu.upper), bitOf(low, high, count - 1), 0);
  return result;
};
/** Rotations change only carry and overflow. */
function tellRotation({ flags }: LongCpu, carry: number, overflow: number): void {
  flags.change(CARRY | OVERFLOW, (carry ? CARRY : 0) | (overflow ? OVERFLOW : 0));
}
function turnedLeft(cpu: LongCpu, low: number, high: number, count: number): number {
  const above = shiftedLeft(cpu, low, high, count);
  const aboveHigh = cpu.upper;
  const below = shiftedRight(cpu, low, high, BITS - count);
  cpu.upper |= aboveHigh;
  return above | below;
}
const rotateLeft: Shift = (cpu, low, high, count) => {
  const result = turnedLeft(cpu, low, high, count);
  tellRotation(cpu, result & 1, (high >>> 31) ^ ((high >>> 30) & 1));
  return result;
};
const rotateRight: Shift = (cpu, low, high, count) => {
  const result = turnedLeft(cpu, low, high, BITS - count);
  tellRotation(cpu, cpu.upper >>> 31, (high >>> 31) ^ (low & 1));
  return result;
};
/** rcl and rcr: the carry takes part in the rotation as one more bit. */
const throughCarryLeft: Shift = (cpu, low, high, count) => {
  let [below, above, carry] = [low, high, cpu.flags.carry];
  for (let i = 0; i < count; i += 1) {
    const out = above >>> 31;
    above = (above << 1) | (below >>> 31);
    below = (below << 1) | carry;
    carry = out;
  }
  tellRotation(cpu, carry, (high >>> 31) ^ ((high >>> 30) & 1));
  cpu.upper = above;
  return below;
};
const throughCarryRight: Shift = (cpu, low, high, count) => {
  let [below, above, carry] = [low, high, cpu.flags.carry];
  const overflow = (high >>> 31) ^ carry;
  for (let i = 0; i < count; i += 1) {
    const out = below & 1;
    below = (below >>> 1) | (above << 31);
    above = (above >>> 1) | (carry << 31);
    carry = out;
  }
  tellRotation(cpu, carry, overflow);
  cpu.upper = above;
  return below;
};
/** Ordered by opcode number: rol, ror, rcl, rcr, shl, shr, sal, sar. */
const SHIFTS: readonly Shift[] = [
  rotateLeft,
  rotateRight,
  throughCarryLeft,
  throughCarryRight,
  shiftLeft,
  shiftRight,
  shiftLeft,
  shiftRightSigned,
];
/** Operations with a lower number rotate without the carry. */
const THROUGH_CARRY = 2;

/** Shifts and rotations (c1, d1, d3). */
export const shift: TranslateLong = (reading, opcode) => {
  const { cpu, extension } = reading;
  const place = reading.longPlace;
  const compute = SHIFTS[extension] as Shift;
  const fixed = opcode === 0xd3 ? undefined : opcode === 0xd1 ? 1 : reading.byte() & 63;
  // Processors keep the overflow flag when rol or ror moves a register by an immediate other than one.
  const isKeeping = opcode === 0xc1 && fixed !== 1 && extension < THROUGH_CARRY && !reading.isMemory;
  return () => {
    const count = fixed ?? (cpu.wide[ECX] as number) & 63;
    const value = place.read();
    if (count === 0) {
      place.writeBack(value, cpu.upper);
      return;
    }
    const before = isKeeping && cpu.flags.overflow ? OVERFLOW : 0;
    const low = compute(cpu, value, cpu.upper, count);
    if (isKeeping) cpu.flags.change(OVERFLOW, before);
    place.writeBack(low, cpu.upper);
  };
};
/** shld, shrd (0f a4, a5, ac, ad): the vacated bits come from a second register. */
export const shiftDouble: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const { longPlace: place, longRegister: source } = reading;
  const fixed = opcode & 1 ? undefined : reading.byte() & 63;
  const isLeft = opcode < 0xa8;
  return () => {
    const count = fixed ?? (cpu.wide[ECX] as number) & 63;
    if (count === 0) return;
    const second = source.read();
    const secondHigh = cpu.upper;
    const value = place.read();
    const high = cpu.upper;
    const own = isLeft ? shiftedLeft(cpu, value, high, count) : shiftedRight(cpu, value, high, count);
    const ownHigh = cpu.upper;
    const other = isLeft
      ? shiftedRight(cpu, second, secondHigh, BITS - count)
      : shiftedLeft(cpu, second, secondHigh, BITS - count);
    const [low, upper] = [own | other, ownHigh | cpu.upper];
    const carry = bitOf(value, high, isLeft ? BITS - count : count - 1);
    const incoming = isLeft ? (high >>> 30) & 1 : second & 1;
    cpu.flags.told(foldedResult(low, upper), carry, (high >>> 31) ^ incoming);
    place.writeBack(low, upper);
  };
};

type BitChange = (value: number, mask: number) => number;
/** Ordered by opcode number: bt, bts, btr, btc. */
const BIT_CHANGES: readonly (BitChange | undefined)[] = [
  undefined,
  (value, mask) => value | mask,
  (value, mask) => value & ~mask,
  (value, mask) => value ^ mask,
];
function bitStep(cpu: LongCpu, number: number, place: LongPlace, index: () => number): Step {
  const change = BIT_CHANGES[number];
  return () => {
    const at = index() & 63;
    const low = place.read();
    const high = cpu.upper;
    cpu.flags.change(CARRY, bitOf(low, high, at));
    if (!change) return;
    const mask = 1 << (at & 31);
    if (at < 32) place.writeBack(change(low, mask), high);
    else place.writeBack(low, change(high, mask));
  };
}
/** bt, bts, btr, btc (0f a3, ab, b3, bb): the bit index may address memory far beyond the operand. */
export const bitByRegister: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const { wide, memory } = cpu;
  const number = reading.registerNumber;
  const kind = (opcode >> 3) & 3;
  if (!reading.isMemory) return bitStep(cpu, kind, reading.longPlace, () => wide[number] as number);
  const { address } = reading;
  let at = 0;
  const place: LongPlace = {
    read: () => {
      at = (address() + ((wide[number] as number) >> 6) * 8) | 0;
      const low = memory.read32(at);
      cpu.upper = memory.read32((at + 4) | 0);
      return low;
    },
    write: () => {},
    writeBack: (low, high) => memory.write64(at, low, high),
  };
  return bitStep(cpu, kind, place, () => wide[number] as number);
};
/** bt, bts, btr, btc with an immediate (0f ba). */
export const bitByConstant: TranslateLong = (reading) => {
  const place = reading.longPlace;
  if (reading.extension < 4) reading.refuse();
  const index = reading.byte();
  return bitStep(reading.cpu, reading.extension - 4, place, () => index);
};
const leadingOf = (low: number, high: number): number =>
  high === 0 ? 32 + Math.clz32(low) : Math.clz32(high);
const lowestIn = (value: number): number => 31 - Math.clz32(value & -value);
const trailingOf = (low: number, high: number): number => (low === 0 ? 32 + lowestIn(high) : lowestIn(low));
/** tzcnt, lzcnt (0f bc, bd with prefix f3). */
function countZeros({ cpu, longRegister: target, longPlace: place }: LongReading, opcode: number): Step {
  const zeros = opcode === 0xbc ? trailingOf : leadingOf;
  return () => {
    const low = place.read();
    const isEmpty = (low | cpu.upper) === 0;
    const count = isEmpty ? BITS : zeros(low, cpu.upper);
    cpu.flags.change(CARRY | ZERO, (isEmpty ? CARRY : 0) | (count === 0 ? ZERO : 0));
    target.write(count, 0);
  };
}
/** bsf, bsr (0f bc, bd): index of the lowest or the highest set bit. */
export const findBit: TranslateLong = (reading, opcode) => {
  if (reading.repeat === 0xf3) return countZeros(reading, opcode);
  const { cpu, longRegister: target, longPlace: place } = reading;
  const found = opcode === 0xbc ? trailingOf : (low: number, high: number) => BITS - 1 - leadingOf(low, high);
  return () => {
    const low = place.read();
    const isEmpty = (low | cpu.upper) === 0;
    const result = isEmpty ? 0 : found(low, cpu.upper);
    cpu.flags.logic(isEmpty ? 0 : result | 0x100);
    if (!isEmpty) target.write(result, 0);
  };
};
const swapped = (value: number): number =>
  (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24);
/** bswap (0f c8 to cf). */
export const swapBytes = (reading: LongReading, opcode: number): Step => {
  const { wide, high } = reading.cpu;
  const number = reading.opcodeNumber(opcode);
  if (!reading.isWide)
    return () => {
      wide[number] = swapped(wide[number] as number);
      high[number] = 0;
    };
  return () => {
    const low = wide[number] as number;
    wide[number] = swapped(high[number] as number);
    high[number] = swapped(low);
  };
};
