/** Shifts, rotations and bit tests. */
import { ECX } from "./cpu.ts";
import { CARRY, type Flags, OVERFLOW, ZERO } from "./flags.ts";
import { constantPlace, maskOf, type Place, type Step, signedOf, type Width } from "./places.ts";
import type { Reading, Translate } from "./reading.ts";

type Shift = (value: number, count: number) => number;
type ShiftOf = (flags: Flags, width: Width) => Shift;

const bit = (value: number, place: number): number => (value >>> place) & 1;
/**
 * Manuals leave overflow undefined for counts above one. Processors set it as for a shift by one: whether
 * the sign changes.
 */
const leftOverflow = (before: number, width: Width): number =>
  bit(before, width - 1) ^ bit(before, width - 2);
const rightOverflow = (before: number, incoming: number, width: Width): number =>
  bit(before, width - 1) ^ incoming;
/** Rotations change only carry and overflow. */
const rotated = (flags: Flags, carry: number, overflow: number): void =>
  flags.change(CARRY | OVERFLOW, (carry ? CARRY : 0) | (overflow ? OVERFLOW : 0));

const rotateLeft: ShiftOf = (flags, width) => {
  const signed = signedOf(width);
  const mask = maskOf(width);
  return (value, count) => {
    const by = count % width;
    const plain = value & mask;
    const result = by === 0 ? plain : (plain << by) | (plain >>> (width - by));
    rotated(flags, result & 1, leftOverflow(value, width));
    return signed(result);
  };
};
const rotateRight: ShiftOf = (flags, width) => {
  const signed = signedOf(width);
  const mask = maskOf(width);
  return (value, count) => {
    const by = count % width;
    const plain = value & mask;
    const result = by === 0 ? plain : (plain >>> by) | (plain << (width - by));
    rotated(flags, bit(result, width - 1), rightOverflow(value, value & 1, width));
    return signed(result);
  };
};
/** rcl and rcr: the carry takes part in the rotation as one more bit. */
const throughCarryLeft: ShiftOf = (flags, width) => {
  const signed = signedOf(width);
  return (value, count) => {
    let result = value;
    let { carry } = flags;
    const by = count % (width + 1);
    if (by === 0) return value;
    for (let i = by; i > 0; i -= 1) {
      const out = bit(result, width - 1);
      result = (result << 1) | carry;
      carry = out;
    }
    rotated(flags, carry, leftOverflow(value, width));
    return signed(result);
  };
};
const throughCarryRight: ShiftOf = (flags, width) => {
  const signed = signedOf(width);
  const mask = maskOf(width);
  return (value, count) => {
    let result = value & mask;
    let { carry } = flags;
    const by = count % (width + 1);
    if (by === 0) return value;
    for (let i = by; i > 0; i -= 1) {
      const out = result & 1;
      result = (result >>> 1) | (carry << (width - 1));
      carry = out;
    }
    rotated(flags, carry, rightOverflow(value, flags.carry, width));
    return signed(result);
  };
};
const shiftLeft: ShiftOf = (flags, width) => {
  const signed = signedOf(width);
  return (value, count) => {
    const carry = count <= width ? bit(value, width - count) : 0;
    const result = count < 32 && count < width ? signed(value << count) : 0;
    flags.told(result, carry, leftOverflow(value, width));
    return result;
  };
};
const shiftRight: ShiftOf = (flags, width) => {
  const signed = signedOf(width);
  const mask = maskOf(width);
  return (value, count) => {
    const plain = value & mask;
    const carry = count <= width ? bit(plain, count - 1) : 0;
    const result = count < width ? signed(plain >>> count) : 0;
    flags.told(result, carry, rightOverflow(value, 0, width));
    return result;
  };
};
const shiftRightSigned: ShiftOf = (flags) => (value, count) => {
  const by = Math.min(count, 31);
  const result = value >> by;
  flags.told(result, by === count ? bit(value >> (by - 1), 0) : result & 1, 0);
  return result;
};

/** Ordered by opcode number: rol, ror, rcl, rcr, shl, shr, sal, sar. */
const SHIFTS: readonly ShiftOf[] = [
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
/** Processors keep the overflow flag when rol or ror moves a register by an immediate other than one. */
function keepingOverflow(flags: Flags, compute: () => number): number {
  const before = flags.overflow ? OVERFLOW : 0;
  const result = compute();
  flags.change(OVERFLOW, before);
  return result;
}
/** Shifts and rotations (c0, c1, d0 to d3). */
export const shift: Translate = (reading, opcode) => {
  const { cpu } = reading;
  const width = reading.widthOf(opcode);
  const place = reading.place(width);
  const compute = (SHIFTS[reading.extension] as ShiftOf)(cpu.flags, width);
  if (opcode >= 0xd2)
    return () => {
      const count = (cpu.wide[ECX] as number) & 31;
      // A count of zero changes no flag, but the operand is still written.
      place.change((value) => (count === 0 ? value : compute(value, count)));
    };
  const count = opcode >= 0xd0 ? 1 : reading.byte() & 31;
  if (count === 0) return () => place.change((value) => value);
  if (count > 1 && reading.extension < THROUGH_CARRY && !reading.isMemory)
    return () => place.change((value) => keepingOverflow(cpu.flags, () => compute(value, count)));
  return () => place.change((value) => compute(value, count));
};

type DoubleShift = (first: number, second: number, count: number) => { result: number; carry: number };
/**
 * For counts beyond the width, manuals leave the result undefined. Processors shift in the first operand
 * again.
 */
function doubleLeft(width: 16 | 32): DoubleShift {
  const mask = BigInt(maskOf(width) >>> 0);
  const bits = BigInt(width);
  return (first, second, count) => {
    const ring = ring3(first, second, bits, mask) << BigInt(count);
    const result = Number(BigInt.asIntN(32, ring >> (2n * bits)));
    return { result, carry: count > width ? result & 1 : Number((ring >> (3n * bits)) & 1n) };
  };
}
function doubleRight(width: 16 | 32): DoubleShift {
  const mask = BigInt(maskOf(width) >>> 0);
  const bits = BigInt(width);
  return (first, second, count) => {
    const result = Number(BigInt.asIntN(32, (ring3(first, second, bits, mask) >> BigInt(count)) & mask));
    return { result, carry: count > width ? bit(result, width - 1) : bit(first & maskOf(width), count - 1) };
  };
}
const ring3 = (first: number, second: number, bits: bigint, mask: bigint): bigint => {
  const plain = BigInt(first >>> 0) & mask;
  return (plain << (2n * bits)) | ((BigInt(second >>> 0) & mask) << bits) | plain;
};

/** shld, shrd (0f a4, a5, ac, ad): the vacated bits come from a second register. */
export const shiftDouble: Translate = (reading, opcode) => {
  const { cpu, width } = reading;
  const { flags } = cpu;
  const place = reading.place(width);
  const source = reading.register(width);
  const fixed = opcode & 1 ? undefined : reading.byte() & 31;
  const isLeft = opcode < 0xa8;
  const signed = signedOf(width);
  const compute = isLeft ? doubleLeft(width) : doubleRight(width);
  return () => {
    const count = fixed ?? (cpu.wide[ECX] as number) & 31;
    if (count === 0) return;
    const second = source.read();
    place.change((value) => {
      const { result: raw, carry } = compute(value, second, count);
      const result = signed(raw);
      const overflow = isLeft ? leftOverflow(value, width) : rightOverflow(value, second & 1, width);
      flags.told(result, carry, overflow);
      return result;
    });
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
function bitStep(reading: Reading, number: number, place: Place, at: Place): Step {
  const { flags } = reading.cpu;
  const { width } = reading;
  const change = BIT_CHANGES[number];
  const signed = signedOf(width);
  const look = (value: number): number => {
    const index = at.read() & (width - 1);
    flags.change(CARRY, bit(value, index));
    return index;
  };
  if (!change) return () => void look(place.read());
  return () => place.change((value) => signed(change(value, 1 << look(value))));
}
/** bt, bts, btr, btc (0f a3, ab, b3, bb): the bit index may address memory far beyond the operand. */
export const bitByRegister: Translate = (reading, opcode) => {
  const { cpu, width } = reading;
  const number = (opcode >> 3) & 3;
  const at = reading.register(width);
  if (!reading.isMemory) return bitStep(reading, number, reading.place(width), at);
  const { address } = reading;
  const far = () => (address() + (at.read() >> (width === 32 ? 5 : 4)) * (width / 8)) | 0;
  const place: Place = {
    read: () => (width === 32 ? cpu.memory.read32(far()) : cpu.memory.read16(far())),
    write: () => {},
    change: (compute) => {
      const where = far();
      if (width === 32) cpu.memory.write32(where, compute(cpu.memory.read32(where)));
      else cpu.memory.write16(where, compute(cpu.memory.read16(where)));
    },
  };
  return bitStep(reading, number, place, at);
};
/** bt, bts, btr, btc with an immediate (0f ba). */
export const bitByConstant: Translate = (reading) => {
  const place = reading.place(reading.width);
  if (reading.extension < 4) reading.refuse();
  return bitStep(reading, reading.extension - 4, place, constantPlace(reading.byte()));
};
/** bsf, bsr (0f bc, bd): index of the lowest or the highest set bit. With prefix f3: tzcnt, lzcnt. */
export const findBit: Translate = (reading, opcode) => {
  const { cpu, width } = reading;
  const target = reading.register(width);
  const place = reading.place(width);
  const leadingOf = (value: number): number => Math.clz32(value) - (32 - width);
  const lowestOf = (value: number): number => 31 - Math.clz32(value & -value);
  const found = opcode === 0xbc ? lowestOf : (value: number) => width - 1 - leadingOf(value);
  const zeros = opcode === 0xbc ? lowestOf : leadingOf;
  if (reading.repeat === 0xf3)
    return () => {
      const value = place.read() & maskOf(width);
      const count = value === 0 ? width : zeros(value);
      target.write(count);
      cpu.flags.change(CARRY | ZERO, (value === 0 ? CARRY : 0) | (count === 0 ? ZERO : 0));
    };
  return () => {
    const value = place.read() & maskOf(width);
    cpu.flags.logic(value === 0 ? 0 : found(value) | 0x100);
    if (value !== 0) target.write(found(value));
  };
};
