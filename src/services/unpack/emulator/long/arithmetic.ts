/** 64-bit arithmetic and logic instructions. */
import { EAX, EDX } from "../cpu.ts";
import { ProcessorException, STATUS } from "../faults.ts";
import { ZERO } from "../flags.ts";
import type { Step } from "../places.ts";
import type { LongCpu } from "./cpu.ts";
import { foldedOperand, foldedResult, type LongPlace, longConstant, longRegister } from "./places.ts";
import type { LongReading, TranslateLong } from "./reading.ts";

const TOP = 31;
type Binary = (cpu: LongCpu, target: LongPlace, source: LongPlace) => Step;

const logicOf =
  (compute: (left: number, right: number) => number): Binary =>
  (cpu, target, source) =>
  () => {
    const right = source.read();
    const rightHigh = cpu.upper;
    const low = compute(target.read(), right);
    const high = compute(cpu.upper, rightHigh);
    cpu.flags.logic(foldedResult(low, high));
    target.writeBack(low, high);
  };
const sumOf =
  (hasCarry: boolean): Binary =>
  (cpu, target, source) =>
  () => {
    const { flags } = cpu;
    const right = source.read();
    const rightHigh = cpu.upper;
    const left = target.read();
    const leftHigh = cpu.upper;
    const carry = hasCarry ? flags.carry : 0;
    const low = (left + right + carry) | 0;
    const isOver = carry === 0 ? low >>> 0 < left >>> 0 : low >>> 0 <= left >>> 0;
    const high = (leftHigh + rightHigh + (isOver ? 1 : 0)) | 0;
    flags.sum(foldedOperand(left, leftHigh), foldedOperand(right, rightHigh), foldedResult(low, high), TOP);
    target.writeBack(low, high);
  };
const differenceOf =
  (hasCarry: boolean, isKept: boolean): Binary =>
  (cpu, target, source) =>
  () => {
    const { flags } = cpu;
    const right = source.read();
    const rightHigh = cpu.upper;
    const left = target.read();
    const leftHigh = cpu.upper;
    const carry = hasCarry ? flags.carry : 0;
    const low = (left - right - carry) | 0;
    const isUnder = carry === 0 ? left >>> 0 < right >>> 0 : left >>> 0 <= right >>> 0;
    const high = (leftHigh - rightHigh - (isUnder ? 1 : 0)) | 0;
    flags.difference(
      foldedOperand(left, leftHigh),
      foldedOperand(right, rightHigh),
      foldedResult(low, high),
      TOP,
    );
    if (isKept) target.writeBack(low, high);
  };
/** Ordered by opcode number: add, or, adc, sbb, and, sub, xor, cmp. */
const BINARIES: readonly Binary[] = [
  sumOf(false),
  logicOf((left, right) => left | right),
  sumOf(true),
  differenceOf(true, true),
  logicOf((left, right) => left & right),
  differenceOf(false, true),
  logicOf((left, right) => left ^ right),
  differenceOf(false, false),
];
const binaryOf = (number: number): Binary => BINARIES[number & 7] as Binary;

/** 01 to 3d: r/m and register in either direction, or accumulator and immediate. */
export const binary: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const compute = binaryOf(opcode >> 3);
  if ((opcode & 7) >= 4) return compute(cpu, longRegister(cpu, EAX), longConstant(cpu, reading.long()));
  const { longRegister: register, longPlace: place } = reading;
  return opcode & 2 ? compute(cpu, register, place) : compute(cpu, place, register);
};
/** 81, 83: r/m and immediate. */
export const binaryConstant: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const place = reading.longPlace;
  const constant = opcode === 0x83 ? reading.signedByte() : reading.long();
  return binaryOf(reading.extension)(cpu, place, longConstant(cpu, constant));
};
function testStep(cpu: LongCpu, left: LongPlace, right: LongPlace): Step {
  return () => {
    const other = right.read();
    const otherHigh = cpu.upper;
    const low = left.read() & other;
    cpu.flags.logic(foldedResult(low, cpu.upper & otherHigh));
  };
}
/** test (85, a9). */
export const test: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  if (opcode === 0x85) return testStep(cpu, reading.longPlace, reading.longRegister);
  return testStep(cpu, longRegister(cpu, EAX), longConstant(cpu, reading.long()));
};
/** inc and dec (ff). */
export function count(reading: LongReading): Step {
  const { cpu } = reading;
  const { flags } = cpu;
  const place = reading.longPlace;
  if (reading.extension === 0)
    return () => {
      const left = place.read();
      const leftHigh = cpu.upper;
      const low = (left + 1) | 0;
      const high = low === 0 ? (leftHigh + 1) | 0 : leftHigh;
      flags.increment(foldedOperand(left, leftHigh), foldedResult(low, high), TOP);
      place.writeBack(low, high);
    };
  return () => {
    const left = place.read();
    const leftHigh = cpu.upper;
    const low = (left - 1) | 0;
    const high = left === 0 ? (leftHigh - 1) | 0 : leftHigh;
    flags.decrement(foldedOperand(left, leftHigh), foldedResult(low, high), TOP);
    place.writeBack(low, high);
  };
}

const signedOf = (low: number, high: number): bigint => (BigInt(high) << 32n) | BigInt(low >>> 0);
const unsignedOf = (low: number, high: number): bigint => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
const lowOf = (value: bigint): number => Number(BigInt.asIntN(32, value));
const highOf = (value: bigint): number => Number(BigInt.asIntN(32, value >> 32n));
function tellLength({ flags }: LongCpu, low: number, high: number, isLong: boolean): void {
  flags.told(foldedResult(low, high), isLong ? 1 : 0, isLong ? 1 : 0);
  flags.change(ZERO, 0);
}
function multiply(cpu: LongCpu, place: LongPlace, isSigned: boolean): Step {
  const { wide, high } = cpu;
  const of = isSigned ? signedOf : unsignedOf;
  return () => {
    const factor = place.read();
    const product = of(factor, cpu.upper) * of(wide[EAX] as number, high[EAX] as number);
    const above = product >> 64n;
    wide[EAX] = lowOf(product);
    high[EAX] = highOf(product);
    wide[EDX] = lowOf(above);
    high[EDX] = highOf(above);
    const isLong = isSigned ? BigInt.asIntN(64, product) !== product : above !== 0n;
    tellLength(cpu, wide[EAX] as number, high[EAX] as number, isLong);
  };
}
function divide(cpu: LongCpu, place: LongPlace, isSigned: boolean): Step {
  const { wide, high } = cpu;
  const of = isSigned ? signedOf : unsignedOf;
  return () => {
    const low = place.read();
    const divisor = of(low, cpu.upper);
    if (divisor === 0n) throw new ProcessorException(STATUS.divideByZero, "a division by zero");
    const whole =
      (of(wide[EDX] as number, high[EDX] as number) << 64n) |
      unsignedOf(wide[EAX] as number, high[EAX] as number);
    const quotient = whole / divisor;
    const rest = whole % divisor;
    if ((isSigned ? BigInt.asIntN(64, quotient) : BigInt.asUintN(64, quotient)) !== quotient)
      throw new ProcessorException(STATUS.integerOverflow, "a quotient that does not fit");
    wide[EAX] = lowOf(quotient);
    high[EAX] = highOf(quotient);
    wide[EDX] = lowOf(rest);
    high[EDX] = highOf(rest);
  };
}
/** imul (0f af, 69, 6b): the product is truncated to the width of its factors. */
export const multiplyInto: TranslateLong = (reading, opcode) => {
  const { cpu } = reading;
  const { longRegister: target, longPlace: place } = reading;
  const constant = opcode === 0x6b ? reading.signedByte() : opcode === 0x69 ? reading.long() : undefined;
  const factor = constant === undefined ? target : longConstant(cpu, constant);
  return () => {
    const low = place.read();
    const left = signedOf(low, cpu.upper);
    const right = factor.read();
    const product = left * signedOf(right, cpu.upper);
    target.write(lowOf(product), highOf(product));
    tellLength(cpu, lowOf(product), highOf(product), BigInt.asIntN(64, product) !== product);
  };
};
/** f7: test, not, neg, mul, imul, div, idiv. */
export const unary: TranslateLong = (reading) => {
  const { cpu } = reading;
  const place = reading.longPlace;
  switch (reading.extension) {
    case 0:
    case 1:
      return testStep(cpu, place, longConstant(cpu, reading.long()));
    case 2:
      return () => {
        const low = ~place.read();
        place.writeBack(low, ~cpu.upper);
      };
    case 3:
      return () => {
        const value = place.read();
        const upper = cpu.upper;
        const low = -value | 0;
        const high = (value === 0 ? -upper : ~upper) | 0;
        cpu.flags.difference(0, foldedOperand(value, upper), foldedResult(low, high), TOP);
        place.writeBack(low, high);
      };
    case 4:
    case 5:
      return multiply(cpu, place, reading.extension === 5);
    default:
      return divide(cpu, place, reading.extension === 7);
  }
};
