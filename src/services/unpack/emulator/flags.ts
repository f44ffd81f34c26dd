/**
 * Processor flags, computed lazily. An instruction stores its operands and its result. Usually the next
 * instruction overwrites them before any flag is read.
 */

export const CARRY = 0x1;
export const PARITY = 0x4;
export const ADJUST = 0x10;
export const ZERO = 0x40;
export const SIGN = 0x80;
export const TRAP = 0x100;
export const DIRECTION = 0x400;
export const OVERFLOW = 0x800;
const ARITHMETIC = CARRY | PARITY | ADJUST | ZERO | SIGN | OVERFLOW;
/** Bit 1 is always set. Bit 9 allows interrupts. */
const FIXED = 0x202;
/** Flags that a program may change: arithmetic, trap, direction, alignment check and identification. */
const CHANGEABLE = ARITHMETIC | TRAP | DIRECTION | 0x4_0000 | 0x20_0000;

const KNOWN = 0;
const SUM = 1;
const DIFFERENCE = 2;
const LOGIC = 3;
/** inc and dec do not change the carry. */
const SUM_WITHOUT_CARRY = 4;
const DIFFERENCE_WITHOUT_CARRY = 5;

/** Parity table: 1 if the number of set bits in a byte is even. */
const EVEN = Uint8Array.from({ length: 256 }, (_, byte) => {
  let ones = 0;
  for (let rest = byte; rest > 0; rest >>= 1) ones ^= rest & 1;
  return ones ^ 1;
});

export class Flags {
  #kind = KNOWN;
  /** Signed and 32 bits wide, independent of the operand width. */
  #result = 0;
  #left = 0;
  #right = 0;
  /** Index of the sign bit: 7, 15 or 31. */
  #top = 31;
  #carry = 0;
  #known = 0;
  direction = 1;
  #others = 0;

  sum(left: number, right: number, result: number, top: number): void {
    this.#kind = SUM;
    this.#left = left;
    this.#right = right;
    this.#result = result;
    this.#top = top;
  }
  difference(left: number, right: number, result: number, top: number): void {
    this.#kind = DIFFERENCE;
    this.#left = left;
    this.#right = right;
    this.#result = result;
    this.#top = top;
  }
  logic(result: number): void {
    this.#kind = LOGIC;
    this.#result = result;
  }
  increment(left: number, result: number, top: number): void {
    this.#carry = this.carry;
    this.sum(left, 1, result, top);
    this.#kind = SUM_WITHOUT_CARRY;
  }
  decrement(left: number, result: number, top: number): void {
    this.#carry = this.carry;
    this.difference(left, 1, result, top);
    this.#kind = DIFFERENCE_WITHOUT_CARRY;
  }
  /** Sets the flags of a result with an explicit carry, overflow and adjust. */
  told(result: number, carry: number, overflow: number, adjust = 0): void {
    this.#known =
      (carry ? CARRY : 0) |
      (overflow ? OVERFLOW : 0) |
      (adjust ? ADJUST : 0) |
      (result === 0 ? ZERO : 0) |
      (result < 0 ? SIGN : 0) |
      (EVEN[result & 0xff] ? PARITY : 0);
    this.#kind = KNOWN;
  }

  get carry(): number {
    switch (this.#kind) {
      case KNOWN:
        return this.#known & CARRY;
      case SUM: {
        const { left, right, result } = this.#operands;
        return (((left & right) | ((left | right) & ~result)) >>> this.#top) & 1;
      }
      case DIFFERENCE: {
        const { left, right, result } = this.#operands;
        return (((~left & right) | ((~left | right) & result)) >>> this.#top) & 1;
      }
      case LOGIC:
        return 0;
      default:
        return this.#carry;
    }
  }
  get #operands() {
    return { left: this.#left, right: this.#right, result: this.#result };
  }
  get zero(): boolean {
    return this.#kind === KNOWN ? (this.#known & ZERO) !== 0 : this.#result === 0;
  }
  get sign(): boolean {
    return this.#kind === KNOWN ? (this.#known & SIGN) !== 0 : this.#result < 0;
  }
  get parity(): boolean {
    return this.#kind === KNOWN ? (this.#known & PARITY) !== 0 : EVEN[this.#result & 0xff] === 1;
  }
  get adjust(): boolean {
    if (this.#kind === KNOWN) return (this.#known & ADJUST) !== 0;
    return this.#kind !== LOGIC && ((this.#left ^ this.#right ^ this.#result) & ADJUST) !== 0;
  }
  get overflow(): boolean {
    switch (this.#kind) {
      case KNOWN:
        return (this.#known & OVERFLOW) !== 0;
      case SUM:
      case SUM_WITHOUT_CARRY:
        return ((((this.#left ^ this.#result) & (this.#right ^ this.#result)) >>> this.#top) & 1) === 1;
      case LOGIC:
        return false;
      default:
        return ((((this.#left ^ this.#right) & (this.#left ^ this.#result)) >>> this.#top) & 1) === 1;
    }
  }
  /** Signed less-than of the last comparison. */
  get less(): boolean {
    return this.sign !== this.overflow;
  }

  get value(): number {
    return (
      FIXED |
      this.#others |
      (this.direction < 0 ? DIRECTION : 0) |
      this.carry |
      (this.parity ? PARITY : 0) |
      (this.adjust ? ADJUST : 0) |
      (this.zero ? ZERO : 0) |
      (this.sign ? SIGN : 0) |
      (this.overflow ? OVERFLOW : 0)
    );
  }
  set value(value: number) {
    this.#known = value & ARITHMETIC;
    this.#kind = KNOWN;
    this.direction = value & DIRECTION ? -1 : 1;
    this.#others = value & CHANGEABLE & ~ARITHMETIC & ~DIRECTION;
  }
  /** Changes the arithmetic flags in the mask and keeps the others. */
  change(mask: number, value: number): void {
    this.#known = (this.value & ARITHMETIC & ~mask) | (value & mask);
    this.#kind = KNOWN;
  }
  get isTrapping(): boolean {
    return (this.#others & TRAP) !== 0;
  }
  endTrap(): void {
    this.#others &= ~TRAP;
  }
}

/** Conditions ordered by condition code, each followed by its opposite: overflow, below, equal, … */
export const conditions: readonly ((flags: Flags) => boolean)[] = [
  (flags) => flags.overflow,
  (flags) => !flags.overflow,
  (flags) => flags.carry === 1,
  (flags) => flags.carry === 0,
  (flags) => flags.zero,
  (flags) => !flags.zero,
  (flags) => flags.carry === 1 || flags.zero,
  (flags) => flags.carry === 0 && !flags.zero,
  (flags) => flags.sign,
  (flags) => !flags.sign,
  (flags) => flags.parity,
  (flags) => !flags.parity,
  (flags) => flags.less,
  (flags) => !flags.less,
  (flags) => flags.less || flags.zero,
  (flags) => !flags.less && !flags.zero,
];
