/** String instructions of 64-bit mode, single or repeated. */
import { EAX, ECX, EDI, ESI } from "../cpu.ts";
import { registerPlace, type Step, signed8, signed16, signedOf, type Width } from "../places.ts";
import type { LongCpu } from "./cpu.ts";
import { foldedOperand, foldedResult } from "./places.ts";
import type { LongReading, TranslateLong } from "./reading.ts";

const REPEAT_WHILE_EQUAL = 0xf3;
/** Items of one instruction before it yields, so that budgets are checked. */
const ITEMS_MAX = 65_536;

/** Processes one item. False ends the repetition of a comparing instruction. */
type Item = () => boolean;
type ItemOf = (reading: LongReading, bytes: number) => Item;
/** Returns the lower half. For 8-byte items, the upper half is in the processor's `upper`. */
type Read = (address: number) => number;

function reader(cpu: LongCpu, bytes: number): Read {
  const { memory } = cpu;
  if (bytes === 8)
    return (address) => {
      const low = memory.read32(address);
      cpu.upper = memory.read32((address + 4) | 0);
      return low;
    };
  if (bytes === 4) return (address) => memory.read32(address);
  if (bytes === 2) return (address) => signed16(memory.read16(address));
  return (address) => signed8(memory.read8(address));
}
function writer(cpu: LongCpu, bytes: number): (address: number, low: number) => void {
  const { memory } = cpu;
  if (bytes === 8) return (address, low) => memory.write64(address, low, cpu.upper);
  if (bytes === 4) return (address, low) => memory.write32(address, low);
  if (bytes === 2) return (address, low) => memory.write16(address, low);
  return (address, low) => memory.write8(address, low);
}
const accumulatorOf = (cpu: LongCpu, bytes: number): Read => {
  if (bytes < 8) {
    const place = registerPlace(cpu, (bytes * 8) as Width, EAX);
    return () => place.read();
  }
  return () => {
    cpu.upper = cpu.high[EAX] as number;
    return cpu.wide[EAX] as number;
  };
};
/** Pointers advance after the item, so that a fault leaves them at the item. */
function stepper(cpu: LongCpu, bytes: number, ...registers: number[]): () => void {
  const { flags } = cpu;
  return () => {
    for (const register of registers) cpu.advance(register, bytes * flags.direction);
  };
}

const movs: ItemOf = (reading, bytes) => {
  const { cpu } = reading;
  const [read, write] = [reader(cpu, bytes), writer(cpu, bytes)];
  const [source, target] = [reading.pointer(ESI), reading.pointer(EDI)];
  const advance = stepper(cpu, bytes, ESI, EDI);
  return () => {
    const to = target();
    write(to, read(source()));
    advance();
    return true;
  };
};
const stos: ItemOf = (reading, bytes) => {
  const { cpu } = reading;
  const write = writer(cpu, bytes);
  const accumulator = accumulatorOf(cpu, bytes);
  const target = reading.pointer(EDI);
  const advance = stepper(cpu, bytes, EDI);
  return () => {
    const to = target();
    write(to, accumulator(to));
    advance();
    return true;
  };
};
const lods: ItemOf = (reading, bytes) => {
  const { cpu } = reading;
  const read = reader(cpu, bytes);
  const source = reading.pointer(ESI);
  const place = bytes < 8 ? registerPlace(cpu, (bytes * 8) as Width, EAX) : undefined;
  const advance = stepper(cpu, bytes, ESI);
  return () => {
    const low = read(source());
    if (place) place.write(low);
    else {
      cpu.wide[EAX] = low;
      cpu.high[EAX] = cpu.upper;
    }
    advance();
    return true;
  };
};
function comparing(cpu: LongCpu, bytes: number, isWhileEqual: boolean, left: Read, right: Read) {
  const { flags } = cpu;
  if (bytes < 8) {
    const signed = signedOf((bytes * 8) as Width);
    return (one: number, other: number): boolean => {
      const [a, b] = [left(one), right(other)];
      flags.difference(a, b, signed(a - b), bytes * 8 - 1);
      return (a === b) === isWhileEqual;
    };
  }
  return (one: number, other: number): boolean => {
    const a = left(one);
    const aHigh = cpu.upper;
    const b = right(other);
    const bHigh = cpu.upper;
    const low = (a - b) | 0;
    const high = (aHigh - bHigh - (a >>> 0 < b >>> 0 ? 1 : 0)) | 0;
    flags.difference(foldedOperand(a, aHigh), foldedOperand(b, bHigh), foldedResult(low, high), 31);
    return ((low | high) === 0) === isWhileEqual;
  };
}
const scas: ItemOf = (reading, bytes) => {
  const { cpu } = reading;
  const isWhileEqual = reading.repeat === REPEAT_WHILE_EQUAL;
  const compare = comparing(cpu, bytes, isWhileEqual, accumulatorOf(cpu, bytes), reader(cpu, bytes));
  const target = reading.pointer(EDI);
  const advance = stepper(cpu, bytes, EDI);
  return () => {
    const isWanted = compare(0, target());
    advance();
    return isWanted;
  };
};
const cmps: ItemOf = (reading, bytes) => {
  const { cpu } = reading;
  const read = reader(cpu, bytes);
  const compare = comparing(cpu, bytes, reading.repeat === REPEAT_WHILE_EQUAL, read, read);
  const [source, target] = [reading.pointer(ESI), reading.pointer(EDI)];
  const advance = stepper(cpu, bytes, ESI, EDI);
  return () => {
    const isWanted = compare(source(), target());
    advance();
    return isWanted;
  };
};

/** Repeats by the counter. A very long repetition yields, and the same instruction continues it. */
function repeated(reading: LongReading, item: Item): Step {
  const { cpu, start, next, isShortAddress } = reading;
  const { wide, high } = cpu;
  reading.jumps();
  return () => {
    cpu.eip = next;
    if (isShortAddress) high[ECX] = 0;
    for (let done = 0; wide[ECX] !== 0 || high[ECX] !== 0; done += 1) {
      if (done === ITEMS_MAX) {
        cpu.eip = start;
        return;
      }
      const isWanted = item();
      cpu.advance(ECX, -1);
      cpu.executed += 1;
      if (!isWanted) return;
    }
  };
}
const stringOf =
  (itemOf: ItemOf): TranslateLong =>
  (reading, opcode) => {
    const bytes = opcode & 1 && reading.isWide ? 8 : reading.widthOf(opcode) / 8;
    const item = itemOf(reading, bytes);
    return reading.repeat === 0 ? () => void item() : repeated(reading, item);
  };

/** Keyed by opcode without the width bit: a4, a6, aa, ac, ae. */
export const strings: Readonly<Record<number, TranslateLong>> = {
  164: stringOf(movs),
  166: stringOf(cmps),
  170: stringOf(stos),
  172: stringOf(lods),
  174: stringOf(scas),
};
