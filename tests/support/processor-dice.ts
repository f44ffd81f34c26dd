/** Random operands of instructions: the same ones every time. */

const EDGES = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 15, 16,
];
/** All but those that hold addresses. */
const FREE_REGISTERS = [0, 1, 2, 3, 5] as const;

export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  roll(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    let mixed = this.#state ^ (this.#state >>> 15);
    mixed = Math.imul(mixed, 0x2c1b_3c6d);
    mixed ^= mixed >>> 12;
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }
  byte(): number {
    return this.roll() & 0xff;
  }
  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.roll() % list.length] ?? list[0];
  }
  value(): number {
    return this.roll() % 3 === 0 ? (EDGES[this.roll() % EDGES.length] ?? 0) : this.roll();
  }
  long(): number[] {
    const value = this.value();
    return [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];
  }
  register(): number {
    return this.pick(FREE_REGISTERS);
  }
  /** A free register, or memory at esi. */
  place(register: number): number[] {
    const bits = register << 3;
    return this.roll() % 2 ? [0xc0 | bits | this.register()] : [0x46 | bits, this.roll() % 32];
  }
  memory(register: number): number[] {
    return [0x46 | (register << 3), this.roll() % 24];
  }
  /** Sometimes 16 bits wide. */
  width(): number[] {
    return this.roll() % 3 === 0 ? [0x66] : [];
  }
}

export type Template = readonly [name: string, make: (dice: Dice) => number[]];
