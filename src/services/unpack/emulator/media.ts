/** The subset of MMX, SSE and SSE2 that moves bytes: loads, stores, logic, sums and shuffles. */
import type { Cpu } from "./cpu.ts";
import type { Step } from "./places.ts";
import type { Reading, Translate } from "./reading.ts";

const REGISTER_BYTES = 16;
/** The MMX registers follow the 16 XMM registers in the buffer. */
const SHORT_START = 16 * REGISTER_BYTES;

type Bytes = Uint8Array;
const scratch = new WeakMap<Cpu, Bytes>();
export function registersOf(cpu: Cpu): Bytes {
  const known = scratch.get(cpu);
  if (known) return known;
  const made = new Uint8Array(SHORT_START + 8 * 8);
  scratch.set(cpu, made);
  return made;
}

/** Operands of an MMX or SSE instruction: the register, and the bytes of the other operand. */
class Operands {
  readonly reading: Reading;
  readonly isLong: boolean;
  readonly bytes: number;
  readonly #registers: Bytes;
  constructor(reading: Reading, isLong: boolean) {
    this.reading = reading;
    this.isLong = isLong;
    this.bytes = isLong ? REGISTER_BYTES : 8;
    this.#registers = registersOf(reading.cpu);
  }
  #slice(number: number): Bytes {
    const start = this.isLong ? number * REGISTER_BYTES : SHORT_START + (number & 7) * 8;
    return this.#registers.subarray(start, start + this.bytes);
  }
  get register(): Bytes {
    return this.#slice(this.reading.registerNumber);
  }
  /** Reads `bytes` bytes of the operand, by default the whole operand. */
  source(bytes = this.bytes): () => Bytes {
    if (!this.reading.isMemory) {
      const other = this.#slice(this.reading.placeNumber);
      return () => other.subarray(0, bytes);
    }
    const { memory } = this.reading.cpu;
    const { address } = this.reading;
    const held = new Uint8Array(bytes);
    return () => {
      const at = address();
      for (let i = 0; i < bytes; i += 1) held[i] = memory.read8((at + i) | 0);
      return held;
    };
  }
  store(bytes = this.bytes): (value: Bytes) => void {
    if (!this.reading.isMemory) {
      const other = this.#slice(this.reading.placeNumber);
      return (value) => other.set(value.subarray(0, bytes));
    }
    const { memory } = this.reading.cpu;
    const { address } = this.reading;
    return (value) => {
      const at = address();
      for (let i = bytes - 1; i >= 0; i -= 1) memory.write8((at + i) | 0, value[i] as number);
    };
  }
}

function load(operands: Operands, bytes: number): Step {
  const { register } = operands;
  const source = operands.source(bytes);
  const clears = bytes < operands.bytes && operands.reading.isMemory;
  return () => {
    const value = source();
    if (clears) register.fill(0);
    register.set(value.subarray(0, bytes));
  };
}
function store(operands: Operands, bytes: number): Step {
  const { register } = operands;
  const put = operands.store(bytes);
  return () => put(register);
}
/** movd: moves between the lowest bytes and a 32-bit register or memory word. */
function moveLong(operands: Operands, isStore: boolean): Step {
  const { register, reading } = operands;
  const place = reading.place(32);
  const view = new DataView(register.buffer, register.byteOffset, register.length);
  if (isStore) return () => place.write(view.getInt32(0, true));
  return () => {
    const value = place.read();
    register.fill(0);
    view.setInt32(0, value, true);
  };
}

type Lanes = (left: number, right: number) => number;
/** Computes lane by lane on unsigned values. `lane` is the lane width in bytes. */
function lanewise(operands: Operands, lane: 1 | 2 | 4, compute: Lanes): Step {
  const { register } = operands;
  const source = operands.source();
  const read = (bytes: Bytes, at: number): number => {
    let value = 0;
    for (let i = lane - 1; i >= 0; i -= 1) value = value * 256 + (bytes[at + i] as number);
    return value;
  };
  return () => {
    const value = source();
    for (let at = 0; at < register.length; at += lane) {
      const result = compute(read(register, at), read(value, at));
      for (let i = 0; i < lane; i += 1)
        register[at + i] = lane === 4 ? result >>> (8 * i) : result >> (8 * i);
    }
  };
}
const add: Lanes = (left, right) => (left + right) | 0;
const subtract: Lanes = (left, right) => (left - right) | 0;
const isEqual: Lanes = (left, right) => (left === right ? -1 : 0);
/** Keyed by opcode. */
const LANES: Readonly<Record<number, readonly [lane: 1 | 2 | 4, compute: Lanes]>> = {
  84: [1, (left, right) => left & right],
  85: [1, (left, right) => ~left & right],
  86: [1, (left, right) => left | right],
  87: [1, (left, right) => left ^ right],
  116: [1, isEqual],
  117: [2, isEqual],
  118: [4, isEqual],
  213: [2, (left, right) => Math.imul((left << 16) >> 16, (right << 16) >> 16)],
  218: [1, Math.min],
  219: [1, (left, right) => left & right],
  222: [1, Math.max],
  223: [1, (left, right) => ~left & right],
  235: [1, (left, right) => left | right],
  239: [1, (left, right) => left ^ right],
  248: [1, subtract],
  249: [2, subtract],
  250: [4, subtract],
  252: [1, add],
  253: [2, add],
  254: [4, add],
};

/** pshufd and similar (70): reorders four parts. */
function shuffle(operands: Operands): Step {
  const { register, isLong, reading } = operands;
  const source = operands.source();
  const order = reading.byte();
  const part = isLong ? 4 : 2;
  const held = new Uint8Array(register.length);
  return () => {
    const value = source();
    for (let i = 0; i < 4; i += 1) {
      const from = ((order >> (2 * i)) & 3) * part;
      held.set(value.subarray(from, from + part), i * part);
    }
    register.set(held);
  };
}
/** punpck (60 to 62, 68 to 6a, 6c, 6d): interleaves the lower or the upper halves of both operands. */
function interleave(operands: Operands, part: number, isUpper: boolean): Step {
  const { register } = operands;
  const source = operands.source();
  const half = register.length / 2;
  const held = new Uint8Array(register.length);
  return () => {
    const value = source();
    const start = isUpper ? half : 0;
    for (let at = 0; at < half; at += part) {
      held.set(register.subarray(start + at, start + at + part), at * 2);
      held.set(value.subarray(start + at, start + at + part), at * 2 + part);
    }
    register.set(held);
  };
}
/** Shifts each part, by an immediate (71 to 73) or by a register (d1 to f3). */
function shiftParts(
  register: Bytes,
  part: 2 | 4 | 8,
  count: bigint,
  isLeft: boolean,
  isSigned: boolean,
): void {
  const bits = part * 8;
  for (let at = 0; at < register.length; at += part) {
    let value = 0n;
    for (let i = part - 1; i >= 0; i -= 1) value = (value << 8n) | BigInt(register[at + i] as number);
    if (isSigned) value = BigInt.asIntN(bits, value) >> (count < BigInt(bits) ? count : BigInt(bits - 1));
    else if (count >= BigInt(bits)) value = 0n;
    else value = isLeft ? value << count : value >> count;
    for (let i = 0; i < part; i += 1) register[at + i] = Number((value >> BigInt(8 * i)) & 0xffn);
  }
}
function shiftByConstant(reading: Reading, opcode: number): Step {
  const number = reading.extension;
  const isLong = reading.hasOperandPrefix;
  const start = isLong ? reading.placeNumber * REGISTER_BYTES : SHORT_START + (reading.placeNumber & 7) * 8;
  const register = registersOf(reading.cpu).subarray(start, start + (isLong ? REGISTER_BYTES : 8));
  const count = reading.byte();
  const part = (2 << (opcode - 0x71)) as 2 | 4 | 8;
  if (opcode === 0x73 && (number === 3 || number === 7)) return shiftWhole(register, count, number === 7);
  if (number !== 2 && number !== 4 && number !== 6) return reading.refuse();
  return () => shiftParts(register, part, BigInt(count), number === 6, number === 4);
}
function shiftWhole(register: Bytes, count: number, isLeft: boolean): Step {
  return () => {
    const value = register.slice();
    register.fill(0);
    if (count >= register.length) return;
    if (isLeft) register.set(value.subarray(0, register.length - count), count);
    else register.set(value.subarray(count));
  };
}
const SHIFTS: Readonly<Record<number, readonly [part: 2 | 4 | 8, isLeft: boolean, isSigned: boolean]>> = {
  209: [2, false, false],
  210: [4, false, false],
  211: [8, false, false],
  225: [2, false, true],
  226: [4, false, true],
  241: [2, true, false],
  242: [4, true, false],
  243: [8, true, false],
};
/** pmovmskb, movmskps (d7, 50): collects the sign bits of all parts in a general register. */
function signs(operands: Operands, part: number): Step {
  const { reading } = operands;
  const source = operands.source();
  const target = reading.register(32);
  return () => {
    const value = source();
    let bits = 0;
    for (let at = part - 1, i = 0; at < value.length; at += part, i += 1)
      bits |= ((value[at] as number) >> 7) << i;
    target.write(bits);
  };
}

type MoveOf = (reading: Reading, opcode: number, isLong: boolean) => Step | undefined;
const wide = (reading: Reading): Operands => new Operands(reading, true);
/** 10, 11: single (4 bytes), double (8 bytes) or the whole register. */
const moveSome: MoveOf = (reading, opcode) => {
  const bytes = reading.repeat === 0xf3 ? 4 : reading.repeat === 0xf2 ? 8 : 16;
  return opcode === 0x10 ? load(wide(reading), bytes) : store(wide(reading), bytes);
};
const loadWhole: MoveOf = (reading) => load(wide(reading), 16);
const loadOwn: MoveOf = (reading, _opcode, isLong) =>
  reading.repeat === 0xf3
    ? loadWhole(reading, _opcode, isLong)
    : load(new Operands(reading, isLong), isLong ? 16 : 8);
const storeWhole: MoveOf = (reading) => store(wide(reading), 16);
const storeOwn: MoveOf = (reading, _opcode, isLong) =>
  isLong ? store(wide(reading), 16) : store(new Operands(reading, false), 8);
const MOVES: Readonly<Record<number, MoveOf>> = {
  16: moveSome,
  17: moveSome,
  40: loadWhole,
  41: storeWhole,
  43: storeWhole,
  110: (reading, _opcode, isLong) => moveLong(new Operands(reading, isLong), false),
  111: loadOwn,
  119: () => () => {},
  126: (reading, _opcode, isLong) =>
    reading.repeat === 0xf3 ? load(wide(reading), 8) : moveLong(new Operands(reading, isLong), true),
  127: storeOwn,
  214: (reading) => (reading.hasOperandPrefix ? store(wide(reading), 8) : undefined),
  231: storeOwn,
};
const INTERLEAVED: Readonly<Record<number, readonly [part: number, isUpper: boolean]>> = {
  96: [1, false],
  97: [2, false],
  98: [4, false],
  104: [1, true],
  105: [2, true],
  106: [4, true],
  108: [8, false],
  109: [8, true],
};

/** 0f 10 to ff, except the general instructions in that range. */
export const media: Translate = (reading, opcode) => {
  const isLong = reading.hasOperandPrefix || reading.repeat === 0xf3 || opcode < 0x60;
  if (opcode !== 0x77) void reading.modrm;
  const move = MOVES[opcode]?.(reading, opcode, isLong);
  if (move) return move;
  if (opcode >= 0x71 && opcode <= 0x73) return shiftByConstant(reading, opcode);
  const operands = new Operands(reading, isLong);
  const lanes = LANES[opcode];
  if (lanes) return lanewise(operands, ...lanes);
  if (opcode === 0x70) return shuffle(operands);
  const interleaved = INTERLEAVED[opcode];
  if (interleaved) return interleave(operands, ...interleaved);
  const shift = SHIFTS[opcode];
  if (shift) return shiftByRegister(operands, ...shift);
  if (opcode === 0xd7) return signs(operands, 1);
  if (opcode === 0x50) return signs(operands, 4);
  return reading.refuse();
};
function shiftByRegister(operands: Operands, part: 2 | 4 | 8, isLeft: boolean, isSigned: boolean): Step {
  const { register } = operands;
  const source = operands.source(8);
  return () => {
    const count = new DataView(source().slice().buffer).getBigUint64(0, true);
    shiftParts(register, part, count, isLeft, isSigned);
  };
}
