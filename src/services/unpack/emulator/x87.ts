/** x87 instructions. Values have double precision; 64-bit integers are kept exactly. */
import { EAX } from "./cpu.ts";
import type { Step } from "./places.ts";
import type { Reading, Translate } from "./reading.ts";
import { FloatingStack } from "./x87-stack.ts";

const stacks = new WeakMap<object, FloatingStack>();
/** Creates the register stack on first use. */
export function floatingStackOf(reading: Reading): FloatingStack {
  const known = stacks.get(reading.cpu);
  if (known) return known;
  const made = new FloatingStack(reading.cpu);
  stacks.set(reading.cpu, made);
  return made;
}

type Combine = (left: number, right: number) => number;
/** Ordered by opcode number: add, mul, two compares (not here), sub, subr, div, divr. */
const COMBINATIONS: readonly (Combine | undefined)[] = [
  (left, right) => left + right,
  (left, right) => left * right,
  undefined,
  undefined,
  (left, right) => left - right,
  (left, right) => right - left,
  (left, right) => left / right,
  (left, right) => right / left,
];
const CONSTANTS = [1, Math.log2(10), Math.LOG2E, Math.PI, Math.log10(2), Math.LN2, 0];

function combineWith(stack: FloatingStack, number: number, operand: () => number): Step {
  const combine = COMBINATIONS[number];
  if (combine) return () => stack.set(0, combine(stack.get(0), operand()));
  return () => {
    stack.compare(stack.get(0), operand());
    if (number === 3) stack.pop();
  };
}
/** If the target is not the top, the operands are reversed: 4 and 5, and 6 and 7, swap. */
function combineInto(stack: FloatingStack, number: number, at: number, pops: boolean): Step {
  const combine = COMBINATIONS[number] as Combine;
  return () => {
    stack.set(at, combine(stack.get(0), stack.get(at)));
    if (pops) stack.pop();
  };
}

function inMemory(reading: Reading, opcode: number): Step {
  const stack = floatingStackOf(reading);
  const { memory } = reading.cpu;
  const number = reading.extension;
  const { address } = reading;
  const single = () => stack.readFloat(address());
  const double = () => stack.readDouble(address());
  const long = () => memory.read32(address());
  const short = () => (memory.read16(address()) << 16) >> 16;
  switch (opcode) {
    case 0xd8:
      return combineWith(stack, number, single);
    case 0xda:
      return combineWith(stack, number, long);
    case 0xdc:
      return combineWith(stack, number, double);
    case 0xde:
      return combineWith(stack, number, short);
    case 0xd9:
      return singleOrControl(reading, stack, number, single);
    case 0xdb:
      return longOrExtended(reading, stack, number, long);
    case 0xdd:
      return doubleOrState(reading, stack, number, double);
    default:
      return shortOrHuge(reading, stack, number, short);
  }
}
function storing(
  store: (at: number) => void,
  address: () => number,
  stack: FloatingStack,
  pops: boolean,
): Step {
  return () => {
    store(address());
    if (pops) stack.pop();
  };
}
function singleOrControl(reading: Reading, stack: FloatingStack, number: number, single: () => number): Step {
  const { memory } = reading.cpu;
  const { address, width } = reading;
  switch (number) {
    case 0:
      return () => stack.push(single());
    case 2:
    case 3:
      return storing((at) => stack.writeFloat(at, stack.get(0)), address, stack, number === 3);
    case 4:
      return () => stack.readEnvironment(address(), width);
    case 5:
      return () => {
        stack.control = memory.read16(address());
      };
    case 6:
      return () => stack.writeEnvironment(address(), width);
    case 7:
      return () => memory.write16(address(), stack.control);
    default:
      return reading.refuse();
  }
}
function longOrExtended(reading: Reading, stack: FloatingStack, number: number, long: () => number): Step {
  const { memory } = reading.cpu;
  const { address } = reading;
  const store = (at: number) => memory.write32(at, stack.roundedTo(32));
  switch (number) {
    case 0:
      return () => stack.push(long());
    case 1:
      return storing((at) => memory.write32(at, stack.cutTo(32)), address, stack, true);
    case 2:
    case 3:
      return storing(store, address, stack, number === 3);
    case 5:
      return () => stack.readExtended(address());
    case 7:
      return storing((at) => stack.writeExtended(at), address, stack, true);
    default:
      return reading.refuse();
  }
}
function doubleOrState(reading: Reading, stack: FloatingStack, number: number, double: () => number): Step {
  const { memory } = reading.cpu;
  const { address, width } = reading;
  switch (number) {
    case 0:
      return () => stack.push(double());
    case 1:
      return storing((at) => stack.writeHuge(at, true), address, stack, true);
    case 2:
    case 3:
      return storing((at) => stack.writeDouble(at, stack.get(0)), address, stack, number === 3);
    case 4:
      return () => stack.restore(address(), width);
    case 6:
      return () => stack.save(address(), width);
    case 7:
      return () => memory.write16(address(), stack.status);
    default:
      return reading.refuse();
  }
}
function shortOrHuge(reading: Reading, stack: FloatingStack, number: number, short: () => number): Step {
  const { memory } = reading.cpu;
  const { address } = reading;
  switch (number) {
    case 0:
      return () => stack.push(short());
    case 1:
      return storing((at) => memory.write16(at, stack.cutTo(16)), address, stack, true);
    case 2:
    case 3:
      return storing((at) => memory.write16(at, stack.roundedTo(16)), address, stack, number === 3);
    case 5:
      return () => stack.readHuge(address());
    case 7:
      return storing((at) => stack.writeHuge(at, false), address, stack, true);
    default:
      return reading.refuse();
  }
}

/** d9 e0 to ff: instructions on the top, or on the top and the second register. */
const TOPS: Readonly<Record<number, (stack: FloatingStack) => void>> = {
  224: (stack) => stack.set(0, -stack.get(0)),
  225: (stack) => stack.set(0, Math.abs(stack.get(0))),
  228: (stack) => stack.compare(stack.get(0), 0),
  229: (stack) => stack.examine(),
  240: (stack) => stack.set(0, 2 ** stack.get(0) - 1),
  241: (stack) => stack.combineAndPop((top, second) => second * Math.log2(top)),
  242: (stack) => {
    stack.set(0, Math.tan(stack.get(0)));
    stack.push(1);
  },
  243: (stack) => stack.combineAndPop((top, second) => Math.atan2(second, top)),
  244: (stack) => stack.extract(),
  245: (stack) => stack.remainder(Math.round),
  246: (stack) => stack.turn(-1),
  247: (stack) => stack.turn(1),
  248: (stack) => stack.remainder(Math.trunc),
  249: (stack) => stack.combineAndPop((top, second) => second * Math.log2(top + 1)),
  250: (stack) => stack.set(0, Math.sqrt(stack.get(0))),
  251: (stack) => {
    const angle = stack.get(0);
    stack.set(0, Math.sin(angle));
    stack.push(Math.cos(angle));
  },
  252: (stack) => stack.set(0, stack.rounded(stack.get(0))),
  253: (stack) => stack.set(0, stack.get(0) * 2 ** Math.trunc(stack.get(1))),
  254: (stack) => stack.set(0, Math.sin(stack.get(0))),
  255: (stack) => stack.set(0, Math.cos(stack.get(0))),
};
function onTop(reading: Reading, stack: FloatingStack): Step {
  const { modrm } = reading;
  const at = modrm & 7;
  if (modrm < 0xc8) return () => stack.push(stack.get(at), stack.exact(at));
  if (modrm < 0xd0) return () => stack.exchange(at);
  if (modrm === 0xd0) return () => {};
  if (modrm >= 0xe8 && modrm <= 0xee) {
    const constant = CONSTANTS[modrm - 0xe8] as number;
    return () => stack.push(constant);
  }
  const change = TOPS[modrm];
  return change ? () => change(stack) : reading.refuse();
}
/** fcmovcc, fcomi and similar (da and db, c0 to f7). */
function byFlags(reading: Reading, stack: FloatingStack, opcode: number): Step {
  const { cpu, modrm, extension: number } = reading;
  const at = modrm & 7;
  const { flags } = cpu;
  if (opcode === 0xda && modrm === 0xe9)
    return () => {
      stack.compare(stack.get(0), stack.get(1));
      stack.pop();
      stack.pop();
    };
  if (number < 4) {
    const isOpposite = opcode === 0xdb;
    const tests = [
      () => flags.carry === 1,
      () => flags.zero,
      () => flags.carry === 1 || flags.zero,
      () => flags.parity,
    ];
    const holds = tests[number] as () => boolean;
    return () => {
      if (holds() !== isOpposite) stack.set(0, stack.get(at), stack.exact(at));
    };
  }
  if (opcode === 0xdb && modrm === 0xe2) return () => stack.clearExceptions();
  if (opcode === 0xdb && modrm === 0xe3) return () => stack.reset();
  if (opcode === 0xdb && number === 4) return () => {};
  return opcode === 0xdb && (number === 5 || number === 6)
    ? compareToFlags(stack, at, false)
    : reading.refuse();
}
const compareToFlags = (stack: FloatingStack, at: number, pops: boolean) => () => {
  stack.compareToFlags(stack.get(0), stack.get(at));
  if (pops) stack.pop();
};
function onStack(reading: Reading, opcode: number): Step {
  const stack = floatingStackOf(reading);
  const { cpu, modrm, extension: number } = reading;
  const at = modrm & 7;
  switch (opcode) {
    case 0xd8:
      return combineWith(stack, number, () => stack.get(at));
    case 0xd9:
      return onTop(reading, stack);
    case 0xda:
    case 0xdb:
      return byFlags(reading, stack, opcode);
    case 0xdc:
      if (number === 2 || number === 3) return combineWith(stack, number, () => stack.get(at));
      return combineInto(stack, number, at, false);
    case 0xdd:
      return storeOnStack(reading, stack, number, at);
    case 0xde:
      if (modrm === 0xd9)
        return () => {
          stack.compare(stack.get(0), stack.get(1));
          stack.pop();
          stack.pop();
        };
      return number === 2 || number === 3 ? reading.refuse() : combineInto(stack, number, at, true);
    default:
      if (modrm === 0xe0)
        return () => {
          cpu.half[2 * EAX] = stack.status;
        };
      return number === 5 || number === 6 ? compareToFlags(stack, at, true) : reading.refuse();
  }
}
function storeOnStack(reading: Reading, stack: FloatingStack, number: number, at: number): Step {
  if (number === 0) return () => stack.free(at);
  if (number === 2) return () => stack.set(at, stack.get(0), stack.exact(0));
  if (number === 3)
    return () => {
      stack.set(at, stack.get(0), stack.exact(0));
      stack.pop();
    };
  if (number === 4 || number === 5)
    return () => {
      stack.compare(stack.get(0), stack.get(at));
      if (number === 5) stack.pop();
    };
  return reading.refuse();
}

/** Control instructions do not update the address of the last computing instruction. */
const isControl = (opcode: number, modrm: number): boolean =>
  modrm < 0xc0
    ? (opcode === 0xd9 && (modrm & 0x20) !== 0) || (opcode === 0xdd && (modrm & 0x20) !== 0)
    : (opcode === 0xdb && (modrm & 0xf8) === 0xe0) || (opcode === 0xdf && modrm === 0xe0);

/** Dispatches d8 to df. */
export const floating: Translate = (reading, opcode) => {
  const stack = floatingStackOf(reading);
  const step = reading.isMemory ? inMemory(reading, opcode) : onStack(reading, opcode);
  if (isControl(opcode, reading.modrm)) return step;
  const { start } = reading;
  return () => {
    step();
    stack.lastAddress = start;
  };
};
