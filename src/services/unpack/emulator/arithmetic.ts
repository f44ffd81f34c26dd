/** Arithmetic and logic instructions: add, sub, mul, div, and, or, xor, and decimal adjustment. */
import { type Cpu, EAX, EDX } from "./cpu.ts";
import { ProcessorException, STATUS } from "./faults.ts";
import { type Flags, ZERO } from "./flags.ts";
import {
  constantPlace,
  maskOf,
  type Place,
  registerPlace,
  type Step,
  signedOf,
  type Width,
} from "./places.ts";
import type { Reading, Translate } from "./reading.ts";

type Binary = (left: number, right: number) => number;
type BinaryOf = (flags: Flags, width: Width) => Binary;

const logicOf =
  (compute: Binary): BinaryOf =>
  (flags) =>
  (left, right) => {
    const result = compute(left, right);
    flags.logic(result);
    return result;
  };
const differenceOf: BinaryOf = (flags, width) => {
  const signed = signedOf(width);
  return (left, right) => {
    const result = signed(left - right);
    flags.difference(left, right, result, width - 1);
    return result;
  };
};

/** Ordered by opcode number: add, or, adc, sbb, and, sub, xor, cmp. */
const BINARIES: readonly BinaryOf[] = [
  (flags, width) => {
    const signed = signedOf(width);
    return (left, right) => {
      const result = signed(left + right);
      flags.sum(left, right, result, width - 1);
      return result;
    };
  },
  logicOf((left, right) => left | right),
  (flags, width) => {
    const signed = signedOf(width);
    return (left, right) => {
      const result = signed(left + right + flags.carry);
      flags.sum(left, right, result, width - 1);
      return result;
    };
  },
  (flags, width) => {
    const signed = signedOf(width);
    return (left, right) => {
      const result = signed(left - right - flags.carry);
      flags.difference(left, right, result, width - 1);
      return result;
    };
  },
  logicOf((left, right) => left & right),
  differenceOf,
  logicOf((left, right) => left ^ right),
  differenceOf,
];
const COMPARE = 7;

function binaryStep(cpu: Cpu, number: number, width: Width, target: Place, source: Place): Step {
  const compute = (BINARIES[number] as BinaryOf)(cpu.flags, width);
  if (number === COMPARE) return () => void compute(target.read(), source.read());
  // The source is read first, because the target's address may depend on it.
  return () => {
    const right = source.read();
    target.change((left) => compute(left, right));
  };
}

/** 00 to 3d: r/m and register in either direction, or accumulator and immediate. */
export const binary: Translate = (reading, opcode) => {
  const { cpu } = reading;
  const number = opcode >> 3;
  const width = reading.widthOf(opcode);
  if ((opcode & 7) >= 4)
    return binaryStep(
      cpu,
      number,
      width,
      registerPlace(cpu, width, EAX),
      constantPlace(reading.immediate(width)),
    );
  const register = reading.register(width);
  const place = reading.place(width);
  return opcode & 2
    ? binaryStep(cpu, number, width, register, place)
    : binaryStep(cpu, number, width, place, register);
};
/** 80 to 83: r/m and immediate. */
export const binaryConstant: Translate = (reading, opcode) => {
  const width = reading.widthOf(opcode);
  const place = reading.place(width);
  const constant = constantPlace(opcode === 0x83 ? reading.signedByte() : reading.immediate(width));
  return binaryStep(reading.cpu, reading.extension, width, place, constant);
};
const testStep =
  ({ flags }: Cpu, left: Place, right: Place): Step =>
  () =>
    flags.logic(left.read() & right.read());
/** test (84, 85, a8, a9). */
export const test: Translate = (reading, opcode) => {
  const { cpu } = reading;
  const width = reading.widthOf(opcode);
  if (opcode < 0x86) return testStep(cpu, reading.place(width), reading.register(width));
  return testStep(cpu, registerPlace(cpu, width, EAX), constantPlace(reading.immediate(width)));
};

function stepByOne({ flags }: Cpu, width: Width, place: Place, isUp: boolean): Step {
  const signed = signedOf(width);
  const up = (value: number): number => {
    const result = signed(value + 1);
    flags.increment(value, result, width - 1);
    return result;
  };
  const down = (value: number): number => {
    const result = signed(value - 1);
    flags.decrement(value, result, width - 1);
    return result;
  };
  return isUp ? () => place.change(up) : () => place.change(down);
}
/** inc and dec of a register (40 to 4f). */
export const countRegister: Translate = ({ cpu, width }, opcode) =>
  stepByOne(cpu, width, registerPlace(cpu, width, opcode & 7), opcode < 0x48);
export const countPlace = (reading: Reading, width: Width): Step =>
  stepByOne(reading.cpu, width, reading.place(width), reading.extension === 0);

const divisionFault = (): never => {
  throw new ProcessorException(STATUS.divideByZero, "a division by zero");
};
const quotientFault = (): never => {
  throw new ProcessorException(STATUS.integerOverflow, "a quotient that does not fit");
};

function multiply(cpu: Cpu, width: Width, place: Place, isSigned: boolean): Step {
  const { flags } = cpu;
  const low = registerPlace(cpu, width === 8 ? 16 : width, EAX);
  const factor = registerPlace(cpu, width, EAX);
  const high = registerPlace(cpu, width, EDX);
  const signed = signedOf(width);
  const mask = maskOf(width) >>> 0;
  const of = (value: number) => BigInt(isSigned ? value : (value & mask) >>> 0);
  return () => {
    const product = of(factor.read()) * of(place.read());
    const lower = signed(Number(BigInt.asIntN(32, product)));
    const upper = signed(Number(BigInt.asIntN(32, product >> BigInt(width))));
    if (width === 8) low.write(Number(BigInt.asIntN(16, product)));
    else {
      low.write(lower);
      high.write(upper);
    }
    const isLong = isSigned ? upper !== lower >> 31 : upper !== 0;
    flags.told(lower, isLong ? 1 : 0, isLong ? 1 : 0);
    flags.change(ZERO, 0);
  };
}
function divide(cpu: Cpu, width: Width, place: Place, isSigned: boolean): Step {
  const low = registerPlace(cpu, width, EAX);
  const high = registerPlace(cpu, width, EDX);
  const both = registerPlace(cpu, 16, EAX);
  const bits = BigInt(width);
  const mask = maskOf(width) >>> 0;
  const unsigned = (value: number) => BigInt((value & mask) >>> 0);
  const dividend = (): bigint => {
    const whole =
      width === 8 ? BigInt(both.read() & 0xffff) : (unsigned(high.read()) << bits) | unsigned(low.read());
    return isSigned ? BigInt.asIntN(2 * width, whole) : whole;
  };
  const isFitting = (quotient: bigint): boolean =>
    (isSigned ? BigInt.asIntN(width, quotient) : BigInt.asUintN(width, quotient)) === quotient;
  return () => {
    const divisor = isSigned ? BigInt(place.read()) : unsigned(place.read());
    if (divisor === 0n) divisionFault();
    const whole = dividend();
    const quotient = whole / divisor;
    if (!isFitting(quotient)) quotientFault();
    const rest = Number(BigInt.asIntN(32, whole % divisor));
    const result = Number(BigInt.asIntN(32, quotient));
    if (width === 8) both.write((result & 0xff) | (rest << 8));
    else {
      low.write(result);
      high.write(rest);
    }
  };
}

/** f6, f7: test, not, neg, mul, imul, div, idiv. */
export const unary: Translate = (reading, opcode) => {
  const { cpu } = reading;
  const { flags } = cpu;
  const width = reading.widthOf(opcode);
  const place = reading.place(width);
  const signed = signedOf(width);
  switch (reading.extension) {
    case 0:
    case 1:
      return testStep(cpu, place, constantPlace(reading.immediate(width)));
    case 2:
      return () => place.change((value) => ~value);
    case 3:
      return () =>
        place.change((value) => {
          const result = signed(-value);
          flags.difference(0, value, result, width - 1);
          return result;
        });
    case 4:
    case 5:
      return multiply(cpu, width, place, reading.extension === 5);
    default:
      return divide(cpu, width, place, reading.extension === 7);
  }
};

/** imul (0f af, 69, 6b): the product is truncated to the width of its factors. */
export function multiplyInto(reading: Reading, constant: (() => number) | undefined): Step {
  const { cpu, width } = reading;
  const { flags } = cpu;
  const target = reading.register(width);
  const place = reading.place(width);
  const fixed = constant?.();
  const signed = signedOf(width);
  return () => {
    const left = place.read();
    const right = fixed ?? target.read();
    const result = width === 32 ? Math.imul(left, right) : signed(left * right);
    const exact = left * right;
    // A product beyond 53 bits loses precision, but then it exceeds 32 bits in any case.
    const isLong = exact !== result ? 1 : 0;
    target.write(result);
    flags.told(result, isLong, isLong);
    flags.change(ZERO, 0);
  };
}

const writeByte = (cpu: Cpu, index: number, value: number): void => {
  cpu.quarter[index] = value;
};
/** daa and das (27, 2f): adjust two packed decimal digits after a sum or a difference. */
export const decimalAdjust: Translate = ({ cpu }, opcode) => {
  const { flags } = cpu;
  const sign = opcode === 0x27 ? 1 : -1;
  return () => {
    const before = (cpu.quarter[0] as number) & 0xff;
    let value = before;
    const isAdjusted = (before & 0xf) > 9 || flags.adjust;
    let carry = flags.carry;
    if (isAdjusted) {
      if (sign > 0 ? before + 6 > 0xff : before < 6) carry = 1;
      value += 6 * sign;
    }
    const isHigh = before > 0x99 || flags.carry === 1;
    if (isHigh) {
      value += 0x60 * sign;
      carry = 1;
    }
    writeByte(cpu, 0, value);
    flags.told(cpu.quarter[0] as number, carry, 0, isAdjusted ? 1 : 0);
  };
};
/** aaa and aas (37, 3f): adjust one unpacked decimal digit. */
export const asciiAdjust: Translate = ({ cpu }, opcode) => {
  const { flags } = cpu;
  const sign = opcode === 0x37 ? 1 : -1;
  return () => {
    const isAdjusted = ((cpu.quarter[0] as number) & 0xf) > 9 || flags.adjust;
    if (isAdjusted) {
      cpu.half[0] = (cpu.half[0] as number) + 6 * sign;
      writeByte(cpu, 1, (cpu.quarter[1] as number) + (sign > 0 ? 1 : -1));
    }
    const adjusted = cpu.quarter[0] as number;
    writeByte(cpu, 0, adjusted & 0xf);
    flags.told(cpu.quarter[0] as number, isAdjusted ? 1 : 0, 0, isAdjusted ? 1 : 0);
  };
};
/** aam and aad (d4, d5): split a number into digits, and join digits into a number. */
export const asciiDigits: Translate = (reading, opcode) => {
  const { cpu } = reading;
  const base = reading.byte();
  if (opcode === 0xd5)
    return () => {
      const low = cpu.quarter[0] as number;
      const high = (((cpu.quarter[1] as number) * base) << 24) >> 24;
      cpu.half[0] = (low + high) & 0xff;
      cpu.flags.sum(low, high, cpu.quarter[0] as number, 7);
    };
  return () => {
    if (base === 0) divisionFault();
    const value = (cpu.quarter[0] as number) & 0xff;
    writeByte(cpu, 1, Math.floor(value / base));
    writeByte(cpu, 0, value % base);
    cpu.flags.told(cpu.quarter[0] as number, 0, 0);
  };
};
