/** Instructions to be tried, each many times with random operands: the same ones every time, so that only results have to be kept. */

import { floating } from "./floating-cases.ts";
import { Dice, type Template } from "./processor-dice.ts";

export const CASES_EACH = 80;
export const CODE = 0x2000_0000;
export const DATA = 0x1000_0800;
export const DATA_BYTES = 64;
export const STACK = DATA + 32;

export type ProcessorCase = {
  readonly name: string;
  readonly code: readonly number[];
  readonly registers: readonly number[];
  readonly flags: number;
  readonly data: Uint8Array;
};

/** Arithmetic flags that a case may begin with. */
const FLAGS = 0x8d5;

const eachOf = <T>(list: readonly T[], make: (one: T) => readonly Template[]): Template[] =>
  list.flatMap(make);
const named = (
  name: string,
  codes: readonly number[],
  make: (dice: Dice, code: number) => number[],
): Template[] => codes.map((code) => [`${name} ${code.toString(16)}`, (dice) => make(dice, code)]);

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];
const SIXTEEN = Array.from({ length: 16 }, (_, code) => code);

const arithmetic: Template[] = [
  ...eachOf(EIGHT, (operation) => [
    [`binary ${operation} place, register 8`, (d) => [operation * 8, ...d.place(d.roll() & 7)]],
    [
      `binary ${operation} place, register`,
      (d) => [...d.width(), operation * 8 + 1, ...d.place(d.register())],
    ],
    [`binary ${operation} register, place 8`, (d) => [operation * 8 + 2, ...d.place(d.roll() & 7)]],
    [
      `binary ${operation} register, place`,
      (d) => [...d.width(), operation * 8 + 3, ...d.place(d.register())],
    ],
    [`binary ${operation} al, constant`, (d) => [operation * 8 + 4, d.byte()]],
    [`binary ${operation} eax, constant`, (d) => [operation * 8 + 5, ...d.long()]],
    [`binary ${operation} place, constant 8`, (d) => [0x80, ...d.place(operation), d.byte()]],
    [
      `binary ${operation} place, short constant`,
      (d) => [...d.width(), 0x83, ...d.place(operation), d.byte()],
    ],
    [`binary ${operation} place, constant`, (d) => [0x81, ...d.place(operation), ...d.long()]],
  ]),
  ["inc register", (d) => [...d.width(), 0x40 + d.register()]],
  ["dec register", (d) => [...d.width(), 0x48 + d.register()]],
  ["inc place", (d) => [d.pick([0xfe, 0xff]), ...d.place(0)]],
  ["dec place", (d) => [d.pick([0xfe, 0xff]), ...d.place(1)]],
  ["test", (d) => [d.pick([0x84, 0x85]), ...d.place(d.roll() & 3)]],
  ["test constant", (d) => [0xa8, d.byte()]],
  ...named("unary", [2, 3, 4, 5, 6, 7], (d, number) => [
    ...d.width(),
    d.pick([0xf6, 0xf7]),
    ...d.place(number),
  ]),
  ["imul register, place", (d) => [...d.width(), 0x0f, 0xaf, ...d.place(d.register())]],
  ["imul short constant", (d) => [...d.width(), 0x6b, ...d.place(d.register()), d.byte()]],
  ["imul constant", (d) => [0x69, ...d.place(d.register()), ...d.long()]],
  ...named("decimal", [0x27, 0x2f, 0x37, 0x3f], (_d, code) => [code]),
  ["aam", (d) => [0xd4, d.byte()]],
  ["aad", (d) => [0xd5, d.byte()]],
  ["cbw", (d) => [...d.width(), 0x98]],
  ["cwd", (d) => [...d.width(), 0x99]],
  ["xadd", (d) => [...d.width(), 0x0f, d.pick([0xc0, 0xc1]), ...d.place(d.roll() & 3)]],
  ["cmpxchg", (d) => [...d.width(), 0x0f, d.pick([0xb0, 0xb1]), ...d.place(d.register())]],
  ["cmpxchg8b", () => [0x0f, 0xc7, 0x4e, 8]],
  ["crc32", (d) => [0xf2, 0x0f, 0x38, d.pick([0xf0, 0xf1]), ...d.place(d.register())]],
];
const shifts: Template[] = [
  ...eachOf([0, 1, 2, 3, 4, 5, 7], (operation) => [
    [`shift ${operation} by one`, (d) => [...d.width(), 0xd1, ...d.place(operation)]],
    [`shift ${operation} by cl`, (d) => [...d.width(), 0xd3, ...d.place(operation)]],
    [`shift ${operation} by constant`, (d) => [...d.width(), 0xc1, ...d.place(operation), d.byte()]],
    [`shift ${operation} 8 by one`, (d) => [0xd0, ...d.place(operation)]],
    [`shift ${operation} 8 by cl`, (d) => [0xd2, ...d.place(operation)]],
    [`shift ${operation} 8 by constant`, (d) => [0xc0, ...d.place(operation), d.byte()]],
  ]),
  ...named("double shift by constant", [0xa4, 0xac], (d, code) => [
    0x0f,
    code,
    ...d.place(d.register()),
    d.byte(),
  ]),
  ...named("double shift by cl", [0xa5, 0xad], (d, code) => [0x0f, code, ...d.place(d.register())]),
  ...named("bit by register", [0xa3, 0xab, 0xb3, 0xbb], (d, code) => [
    ...d.width(),
    0x0f,
    code,
    0xc0 | (d.register() << 3) | d.register(),
  ]),
  ...named("bit by constant", [4, 5, 6, 7], (d, number) => [
    ...d.width(),
    0x0f,
    0xba,
    ...d.place(number),
    d.byte(),
  ]),
  ...named("find bit", [0xbc, 0xbd], (d, code) => [...d.width(), 0x0f, code, ...d.place(d.register())]),
];
const moves: Template[] = [
  ["mov", (d) => [...d.width(), d.pick([0x88, 0x89, 0x8a, 0x8b]), ...d.place(d.register() & 3)]],
  ["mov register, constant", (d) => [0xb8 + d.register(), ...d.long()]],
  ["mov byte register, constant", (d) => [0xb0 + (d.roll() & 7), d.byte()]],
  ["mov place, constant", (d) => [0xc7, ...d.memory(0), ...d.long()]],
  ["widening move", (d) => [...d.width(), 0x0f, d.pick([0xb6, 0xb7, 0xbe, 0xbf]), ...d.place(d.register())]],
  ["movbe", (d) => [...d.width(), 0x0f, 0x38, d.pick([0xf0, 0xf1]), ...d.memory(d.register())]],
  ["xchg", (d) => [...d.width(), d.pick([0x86, 0x87]), ...d.place(d.register() & 3)]],
  ["xchg eax", (d) => [0x91 + (d.roll() % 3)]],
  ["bswap", (d) => [0x0f, 0xc8 + d.register()]],
  ["lea", (d) => [...d.width(), 0x8d, 0x40 | (d.register() << 3) | d.pick([0, 1, 2, 3, 5, 6, 7]), d.byte()]],
  ["lea scaled", (d) => [0x8d, 0x44 | (d.register() << 3), d.byte(), d.byte()]],
  ["lea without base", (d) => [0x8d, 0x04 | (d.register() << 3), (d.byte() & 0xf8) | 5, ...d.long()]],
  ...named("set", SIXTEEN, (d, condition) => [0x0f, 0x90 + condition, ...d.place(0)]),
  ...named("move if", SIXTEEN, (d, condition) => [
    ...d.width(),
    0x0f,
    0x40 + condition,
    ...d.place(d.register()),
  ]),
  ...named("jump if", SIXTEEN, (d, condition) => [0x70 + condition, 2, 0xb0, d.byte()]),
  ...named("far jump if", SIXTEEN, (d, condition) => [0x0f, 0x80 + condition, 2, 0, 0, 0, 0xb0, d.byte()]),
  ...named("loop", [0xe0, 0xe1, 0xe2, 0xe3], (d, code) => [0x83, 0xe1, 3, code, 2, 0xb0, d.byte()]),
  ["lahf", () => [0x9f]],
  ["sahf", () => [0x9e]],
  ...named("flag", [0xf5, 0xf8, 0xf9, 0xd6], (_d, code) => [code]),
  ["call and pop", () => [0xe8, 0, 0, 0, 0, 0x58]],
  ["push", (d) => [...d.width(), 0x50 + d.register()]],
  ["pop", (d) => [...d.width(), 0x58 + d.register()]],
  ["push constant", (d) => [0x6a, d.byte()]],
  ["push place", (d) => [0xff, 0x76, d.byte() % 32]],
  ["pop place", (d) => [0x8f, 0x46, d.byte() % 32]],
  ["push all", (d) => [...d.width(), 0x60]],
  ["push all, pop all", () => [0x60, 0x40, 0x61]],
  ["pop flags", () => [0x50, 0x81, 0x24, 0x24, 0xd5, 0x0c, 0, 0, 0x9d]],
  ["xlat", () => [0x89, 0xf3, 0x24, 0x1f, 0xd7]],
  ["enter", (d) => [0xc8, d.byte() & 31, 0, 0]],
  ["leave", () => [0x89, 0xe5, 0xc9]],
  ...named("string", [0xa4, 0xa5, 0xa6, 0xa7, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf], (d, code) => [
    ...d.width(),
    code,
  ]),
  ...named("repeated string", [0xa4, 0xa5, 0xa6, 0xa7, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf], (d, code) => [
    0x83,
    0xe1,
    3,
    d.pick([0xf2, 0xf3]),
    code,
  ]),
  ["string backwards", (d) => [0xfd, d.pick([0xa4, 0xa5, 0xaa, 0xae]), 0xfc]],
];
const LOAD = [0xf3, 0x0f, 0x6f];
const STORE = [0xf3, 0x0f, 0x7f];
const lanes = [
  0xef, 0xeb, 0xdb, 0xfc, 0xfd, 0xfe, 0xf8, 0xf9, 0xfa, 0x74, 0x75, 0x76, 0xda, 0xde, 0xdf, 0xd5,
];
const laneShifts = [
  [0x71, 0xd0],
  [0x71, 0xe0],
  [0x71, 0xf0],
  [0x72, 0xd0],
  [0x72, 0xe0],
  [0x72, 0xf0],
  [0x73, 0xd0],
  [0x73, 0xf0],
  [0x73, 0xd8],
  [0x73, 0xf8],
];
const media: Template[] = [
  ["fild, fistp 64", (d) => [0xdf, 0x6e, d.byte() % 24, 0xdf, 0x7f, d.byte() % 24]],
  ["fild, fistp 32", (d) => [0xdb, 0x46, d.byte() % 24, 0xdb, 0x5f, d.byte() % 24]],
  ["fld, fstp 64", () => [0xdd, 0x46, 8, 0xdd, 0x5f, 16]],
  ["mmx", (d) => [0x0f, 0x6f, ...d.memory(0), 0x0f, 0xef, ...d.memory(0), 0x0f, 0x7f, 0x46, 16, 0x0f, 0x77]],
  ...named("lanes", lanes, (d, code) => [
    ...LOAD,
    ...d.memory(0),
    0x66,
    0x0f,
    code,
    0xc0,
    ...STORE,
    ...d.memory(0),
  ]),
  ["pshufd", (d) => [...LOAD, 0x46, 4, 0x66, 0x0f, 0x70, 0xc8, d.byte(), ...STORE, 0x4e, 8]],
  ...named("unpack", [0x60, 0x61, 0x62, 0x68, 0x69, 0x6a, 0x6c, 0x6d], (_d, code) => [
    ...[...LOAD, 0x46, 4],
    ...[0x66, 0x0f, code, 0xc0],
    ...[...STORE, 0x46, 8],
  ]),
  ...laneShifts.map(
    ([group = 0, number = 0]): Template => [
      `lane shift ${group.toString(16)} ${number.toString(16)}`,
      (d) => [...LOAD, 0x46, 4, 0x66, 0x0f, group, number, d.byte() & 31, ...STORE, 0x46, 8],
    ],
  ),
];

export function* processorCases(): Iterable<ProcessorCase> {
  for (const [index, [name, make]] of [...arithmetic, ...shifts, ...moves, ...media, ...floating].entries()) {
    const dice = new Dice(index + 1);
    for (let i = 0; i < CASES_EACH; i += 1) {
      const registers = EIGHT.map(() => dice.value());
      registers[4] = STACK;
      registers[6] = DATA;
      registers[7] = DATA + 8;
      const data = Uint8Array.from({ length: DATA_BYTES }, () => dice.byte());
      yield { name, code: make(dice), registers, flags: 0x202 | (dice.roll() & FLAGS), data };
    }
  }
}
