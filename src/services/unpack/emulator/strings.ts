/** String instructions, single or repeated. */
import { type Cpu, EAX, ECX, EDI, ESI } from "./cpu.ts";
import { registerPlace, type Step, signed8, signed16, signedOf, type Width } from "./places.ts";
import type { Reading, Translate } from "./reading.ts";

const REPEAT_WHILE_EQUAL = 0xf3;
/** Items of one instruction before it yields, so that budgets are checked. */
const ITEMS_MAX = 65_536;

function reader({ memory }: Cpu, width: Width): (address: number) => number {
  if (width === 32) return (address) => memory.read32(address);
  if (width === 16) return (address) => signed16(memory.read16(address));
  return (address) => signed8(memory.read8(address));
}
function writer({ memory }: Cpu, width: Width): (address: number, value: number) => void {
  if (width === 32) return (address, value) => memory.write32(address, value);
  if (width === 16) return (address, value) => memory.write16(address, value);
  return (address, value) => memory.write8(address, value);
}

/** Processes one item. False ends the repetition of a comparing instruction. */
type Item = () => boolean;
type ItemOf = (reading: Reading, width: Width) => Item;

/** Pointers advance after the item, so that a fault leaves them at the item. */
function stepper({ wide, flags }: Cpu, width: Width, ...registers: number[]): () => void {
  const bytes = width / 8;
  const [first = EDI, second] = registers;
  if (second === undefined)
    return () => {
      wide[first] = (wide[first] as number) + bytes * flags.direction;
    };
  return () => {
    const by = bytes * flags.direction;
    wide[first] = (wide[first] as number) + by;
    wide[second] = (wide[second] as number) + by;
  };
}
const sourceOf = (reading: Reading): (() => number) => {
  const { wide } = reading.cpu;
  return reading.withSegment(() => wide[ESI] as number);
};

const movs: ItemOf = (reading, width) => {
  const { cpu } = reading;
  const read = reader(cpu, width);
  const write = writer(cpu, width);
  const source = sourceOf(reading);
  const advance = stepper(cpu, width, ESI, EDI);
  return () => {
    write(cpu.wide[EDI] as number, read(source()));
    advance();
    return true;
  };
};
const stos: ItemOf = ({ cpu }, width) => {
  const write = writer(cpu, width);
  const accumulator = registerPlace(cpu, width, EAX);
  const advance = stepper(cpu, width, EDI);
  return () => {
    write(cpu.wide[EDI] as number, accumulator.read());
    advance();
    return true;
  };
};
const lods: ItemOf = (reading, width) => {
  const { cpu } = reading;
  const read = reader(cpu, width);
  const source = sourceOf(reading);
  const accumulator = registerPlace(cpu, width, EAX);
  const advance = stepper(cpu, width, ESI);
  return () => {
    accumulator.write(read(source()));
    advance();
    return true;
  };
};
function comparing({ flags }: Cpu, width: Width, isWhileEqual: boolean) {
  const signed = signedOf(width);
  return (left: number, right: number): boolean => {
    flags.difference(left, right, signed(left - right), width - 1);
    return (left === right) === isWhileEqual;
  };
}
const scas: ItemOf = ({ cpu, repeat }, width) => {
  const read = reader(cpu, width);
  const accumulator = registerPlace(cpu, width, EAX);
  const compare = comparing(cpu, width, repeat === REPEAT_WHILE_EQUAL);
  const advance = stepper(cpu, width, EDI);
  return () => {
    const isWanted = compare(accumulator.read(), read(cpu.wide[EDI] as number));
    advance();
    return isWanted;
  };
};
const cmps: ItemOf = (reading, width) => {
  const { cpu } = reading;
  const read = reader(cpu, width);
  const source = sourceOf(reading);
  const compare = comparing(cpu, width, reading.repeat === REPEAT_WHILE_EQUAL);
  const advance = stepper(cpu, width, ESI, EDI);
  return () => {
    const isWanted = compare(read(source()), read(cpu.wide[EDI] as number));
    advance();
    return isWanted;
  };
};

/** Repeats by the counter. A very long repetition yields, and the same instruction continues it. */
function repeated(reading: Reading, item: Item): Step {
  const { cpu, start, next } = reading;
  const { wide } = cpu;
  reading.jumps();
  return () => {
    cpu.eip = next;
    for (let done = 0; wide[ECX] !== 0; done += 1) {
      if (done === ITEMS_MAX) {
        cpu.eip = start;
        return;
      }
      const isWanted = item();
      wide[ECX] = (wide[ECX] as number) - 1;
      cpu.executed += 1;
      if (!isWanted) return;
    }
  };
}
const stringOf =
  (itemOf: ItemOf): Translate =>
  (reading, opcode) => {
    const item = itemOf(reading, reading.widthOf(opcode));
    return reading.repeat === 0 ? () => void item() : repeated(reading, item);
  };

/** Keyed by opcode without the width bit: a4, a6, aa, ac, ae. */
export const strings: Readonly<Record<number, Translate>> = {
  164: stringOf(movs),
  166: stringOf(cmps),
  170: stringOf(stos),
  172: stringOf(lods),
  174: stringOf(scas),
};
