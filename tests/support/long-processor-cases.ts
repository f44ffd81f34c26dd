/** Instructions of 64-bit mode to be tried, each many times with random operands: the same ones every time. */
import { Dice } from "./processor-dice.ts";

const CASES_EACH = 48;
/** Of all addresses. */
export const WINDOW = 1;
/** Lower halves. */
export const DATA = 0x1000_0800;
export const DATA_BYTES = 64;
const STACK = DATA + 32;
const CARRY = 0x1;
const PARITY = 0x4;
const ADJUST = 0x10;
const ZERO = 0x40;
const SIGN = 0x80;
const OVERFLOW = 0x800;
const ARITHMETIC = CARRY | PARITY | ADJUST | ZERO | SIGN | OVERFLOW;
const WIDE = 8;

export type LongCase = {
  readonly name: string;
  readonly code: readonly number[];
  /** Lower and upper halves in turn. */
  readonly registers: readonly number[];
  readonly flags: number;
  /** Flags that manuals leave open, which are not compared. */
  readonly open: number;
  readonly data: Uint8Array;
};
type Make = (dice: LongDice) => readonly number[];
type LongTemplate = readonly [name: string, make: Make, open?: number];

/** All but those that hold addresses, or an index. */
const FREE = [0, 1, 2, 3, 5, 8, 11, 12, 13, 14, 15] as const;

class LongDice extends Dice {
  free(): number {
    return this.pick(FREE);
  }
  #isWide(): number {
    return this.roll() % 4 === 0 ? 0 : WIDE;
  }
  /** An instruction with a register, or an extension of its opcode, and a place: a register or memory. */
  operands(
    opcode: readonly number[],
    given: { extension?: number; wide?: number; isMemory?: boolean } = {},
  ): number[] {
    const register = given.extension ?? this.free();
    const wide = given.wide ?? this.#isWide();
    const bits = (register & 7) << 3;
    const rex = 0x40 | wide | ((register & 8) >> 1);
    const kind = given.isMemory ? 2 + (this.roll() % 4) : this.roll() % 6;
    const offset = this.roll() % 24;
    if (kind < 2) {
      const place = this.free();
      return [rex | (place >> 3), ...opcode, 0xc0 | bits | (place & 7)];
    }
    // At rsi, at r10, and both with r9 as an index.
    if (kind === 2) return [rex, ...opcode, 0x46 | bits, offset];
    if (kind === 3) return [rex | 1, ...opcode, 0x42 | bits, offset];
    if (kind === 4) return [rex | 2, ...opcode, 0x44 | bits, 0x4e, offset];
    return [rex | 3, ...opcode, 0x44 | bits, 0x0a | ((this.roll() & 3) << 6), offset & 7];
  }
  /** An instruction whose opcode names the register. */
  named(opcode: number, wide = this.#isWide()): number[] {
    const register = this.free();
    return [0x40 | wide | (register >> 3), opcode | (register & 7)];
  }
}
const each = (codes: readonly number[], make: (code: number) => LongTemplate[]): LongTemplate[] =>
  codes.flatMap(make);
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];
const SIXTEEN = Array.from({ length: 16 }, (_, code) => code);
const isLogic = (operation: number): boolean => operation === 1 || operation === 4 || operation === 6;

const arithmetic: LongTemplate[] = [
  ...each(EIGHT, (operation) => {
    const open = isLogic(operation) ? ADJUST : 0;
    return [
      [`binary ${operation} place, register`, (d) => d.operands([operation * 8 + 1]), open],
      [`binary ${operation} register, place`, (d) => d.operands([operation * 8 + 3]), open],
      [`binary ${operation} bytes`, (d) => d.operands([operation * 8 + (d.roll() & 2)]), open],
      [`binary ${operation} accumulator`, (d) => [0x48, operation * 8 + 5, ...d.long()], open],
      [
        `binary ${operation} short constant`,
        (d) => [...d.operands([0x83], { extension: operation }), d.byte()],
        open,
      ],
      [
        `binary ${operation} constant`,
        (d) => [...d.operands([0x81], { extension: operation }), ...d.long()],
        open,
      ],
    ];
  }),
  ["count up", (d) => d.operands([0xff], { extension: 0 })],
  ["count down", (d) => d.operands([0xff], { extension: 1 })],
  ["test", (d) => d.operands([0x85]), ADJUST],
  ["test constant", (d) => [...d.operands([0xf7], { extension: 0 }), ...d.long()], ADJUST],
  ["not", (d) => d.operands([0xf7], { extension: 2 })],
  ["neg", (d) => d.operands([0xf7], { extension: 3 })],
  ...each([4, 5], (kind) => [
    [`multiply ${kind}`, (d) => d.operands([0xf7], { extension: kind }), ARITHMETIC & ~(CARRY | OVERFLOW)],
  ]),
  ...each([6, 7], (kind) => [
    [`divide ${kind}`, (d) => [0x31, 0xd2, ...d.operands([0xf7], { extension: kind })], ARITHMETIC],
    [`divide all ${kind}`, (d) => d.operands([0xf7], { extension: kind }), ARITHMETIC],
  ]),
  ["imul", (d) => d.operands([0x0f, 0xaf]), ARITHMETIC & ~(CARRY | OVERFLOW)],
  ["imul constant", (d) => [...d.operands([0x69]), ...d.long()], ARITHMETIC & ~(CARRY | OVERFLOW)],
  ["imul short", (d) => [...d.operands([0x6b]), d.byte()], ARITHMETIC & ~(CARRY | OVERFLOW)],
  ["xadd", (d) => d.operands([0x0f, 0xc1])],
  ["cmpxchg", (d) => d.operands([0x0f, 0xb1], { wide: WIDE })],
  ["cmpxchg memory", (d) => d.operands([0x0f, 0xb1], { isMemory: true })],
  ["cmpxchg equal", (d) => [0x48, 0x8b, 0x46, 8, 0x4c, 0x0f, 0xb1, 0x46, 8 + (d.roll() & 1)]],
  ["cmpxchg8b", () => [0x0f, 0xc7, 0x4e, 8]],
  ["widen", (d) => [0x40 | d.pick([0, WIDE]), d.pick([0x98, 0x99])]],
];
const shifts: LongTemplate[] = [
  ...each([0, 1], (kind) => [
    [`rotation ${kind} by one`, (d) => d.operands([0xd1], { extension: kind })],
    [`rotation ${kind}`, (d) => [...d.operands([0xc1], { extension: kind }), d.byte()], OVERFLOW | CARRY],
    [`rotation ${kind} by cl`, (d) => d.operands([0xd3], { extension: kind }), OVERFLOW | CARRY],
  ]),
  ...each([2, 3], (kind) => [
    [`rotation ${kind} by one`, (d) => d.operands([0xd1], { extension: kind })],
    [`rotation ${kind}`, (d) => [...d.operands([0xc1], { extension: kind }), d.byte()], OVERFLOW],
    [`rotation ${kind} by cl`, (d) => d.operands([0xd3], { extension: kind }), OVERFLOW],
  ]),
  ...each([4, 5, 7], (kind) => [
    [`shift ${kind} by one`, (d) => d.operands([0xd1], { extension: kind }), ADJUST],
    [`shift ${kind}`, (d) => [...d.operands([0xc1], { extension: kind }), d.byte()], ADJUST | OVERFLOW],
    [`shift ${kind} by cl`, (d) => d.operands([0xd3], { extension: kind }), ADJUST | OVERFLOW],
  ]),
  ...each([0xa4, 0xac], (code) => [
    [
      `double shift ${code}`,
      (d) => [...d.operands([0x0f, code], { wide: WIDE }), d.byte()],
      ADJUST | OVERFLOW,
    ],
  ]),
  ...each([0xa5, 0xad], (code) => [
    [`double shift ${code}`, (d) => d.operands([0x0f, code], { wide: WIDE }), ADJUST | OVERFLOW],
  ]),
  ...each([4, 5, 6, 7], (kind) => [
    [
      `bit ${kind}`,
      (d) => [...d.operands([0x0f, 0xba], { extension: kind }), d.byte()],
      ARITHMETIC & ~(CARRY | ZERO),
    ],
  ]),
  ...each([0xa3, 0xab, 0xb3, 0xbb], (code) => [
    [
      `bit by register ${code}`,
      (d) => [0x48, 0x0f, code, 0xc0 | (d.pick([0, 1, 2, 3]) << 3) | d.pick([0, 1, 2, 3])],
      ARITHMETIC & ~(CARRY | ZERO),
    ],
  ]),
  ...each([0xbc, 0xbd], (code) => [
    [`find bit ${code}`, (d) => d.operands([0x0f, code], { wide: WIDE }), ARITHMETIC & ~ZERO],
    [
      `count zeros ${code}`,
      (d) => [0xf3, ...d.operands([0x0f, code], { wide: WIDE })],
      ARITHMETIC & ~(CARRY | ZERO),
    ],
  ]),
  ["bswap", (d) => [d.roll() % 2 ? 0x49 : 0x41, 0x0f, 0xc8 | d.pick([0, 3, 4, 5, 6, 7])]],
];
const moves: LongTemplate[] = [
  ["mov", (d) => d.operands([d.pick([0x88, 0x89, 0x8a, 0x8b])])],
  ["mov 16", (d) => [0x66, ...d.operands([d.pick([0x89, 0x8b])], { wide: 0 })]],
  ["mov relative", (d) => [0x48, d.pick([0x89, 0x8b]), 0x05, 0xf9 + 8, 0x07, 0, 0xf0]],
  ["mov constant", (d) => [...d.named(0xb8, WIDE), ...d.long(), ...d.long()]],
  ["mov short constant", (d) => [...d.named(0xb8, 0), ...d.long()]],
  ["mov byte", (d) => [...d.named(0xb0), d.byte()]],
  ["mov place, constant", (d) => [...d.operands([0xc7], { extension: 0 }), ...d.long()]],
  ["movsxd", (d) => d.operands([0x63])],
  ["widening move", (d) => d.operands([0x0f, d.pick([0xb6, 0xb7, 0xbe, 0xbf])])],
  ["lea", (d) => d.operands([0x8d], { isMemory: true })],
  ["lea scaled", (d) => [0x4a | (d.roll() & 5), 0x8d, 0x44 | (d.roll() & 0x38), d.byte() | 0x20, d.byte()]],
  ["lea short address", (d) => [0x67, 0x48, 0x8d, 0x44, d.byte(), d.byte()]],
  ["xchg", (d) => d.operands([d.pick([0x86, 0x87])])],
  ["xchg accumulator", (d) => d.named(0x90)],
  ...each(SIXTEEN, (condition) => [
    [`set ${condition}`, (d) => d.operands([0x0f, 0x90 + condition], { extension: 0 })],
    [`move if ${condition}`, (d) => d.operands([0x0f, 0x40 + condition])],
    [`jump if ${condition}`, (d) => [0x70 + condition, 2, 0xb0, d.byte()]],
  ]),
  ...each([0xe0, 0xe1, 0xe2, 0xe3], (code) => [[`loop ${code}`, (d) => [code, 2, 0xb0, d.byte()]]]),
  ["push", (d) => d.named(0x50, 0)],
  ["pop", (d) => d.named(0x58, 0)],
  ["push constant", (d) => [0x6a, d.byte()]],
  ["push long constant", (d) => [0x68, ...d.long()]],
  ["push place", (d) => d.operands([0xff], { extension: 6, wide: 0 })],
  ["pop place", (d) => d.operands([0x8f], { extension: 0, wide: 0 })],
  ["call and pop", () => [0xe8, 0, 0, 0, 0, 0x58]],
  ["push flags", () => [0x9c, 0x58, 0x25, 0xd5, 0x08, 0, 0]],
  ["leave", () => [0x48, 0x89, 0xe5, 0xc9]],
  ["enter", (d) => [0xc8, d.byte() & 31, 0, 0]],
  ["xlat", () => [0x48, 0x89, 0xf3, 0x24, 0x1f, 0xd7]],
  ...each([0xa4, 0xa5, 0xa6, 0xa7, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf], (code) => [
    [`string ${code}`, (d) => [0x40 | d.pick([0, WIDE]), code]],
    [`repeated string ${code}`, (d) => [0x83, 0xe1, 3, d.pick([0xf2, 0xf3]), 0x48, code], ADJUST],
  ]),
  ["movq", (d) => [0x66, 0x49, 0x0f, 0x6e, 0xc0 | d.pick([0, 3, 4, 5]), 0x66, 0x48, 0x0f, 0x7e, 0xc3]],
  [
    "media",
    () => [0xf3, 0x44, 0x0f, 0x6f, 0x46, 4, 0x66, 0x45, 0x0f, 0xef, 0xf8, 0xf3, 0x44, 0x0f, 0x7f, 0x46, 8],
  ],
];

const EDGES = [0, 0, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000, 1] as const;
function registersOf(dice: LongDice): number[] {
  const half = (): number => (dice.roll() % 3 === 0 ? dice.pick(EDGES) : dice.value());
  const registers = SIXTEEN.flatMap(() => [half(), half()]);
  const set = (number: number, low: number, high: number): void => {
    registers.splice(number * 2, 2, low, high);
  };
  set(4, STACK, WINDOW);
  set(6, DATA, WINDOW);
  set(7, DATA + 8, WINDOW);
  set(9, dice.roll() & 3, 0);
  set(10, DATA, WINDOW);
  return registers;
}
export function* longProcessorCases(): Iterable<LongCase> {
  for (const [index, [name, make, open = 0]] of [...arithmetic, ...shifts, ...moves].entries()) {
    const dice = new LongDice(index + 1);
    for (let i = 0; i < CASES_EACH; i += 1) {
      const registers = registersOf(dice);
      const data = Uint8Array.from({ length: DATA_BYTES }, () => dice.byte());
      yield { name, code: make(dice), registers, flags: 0x202 | (dice.roll() & ARITHMETIC), open, data };
    }
  }
}
