/** Instructions of the x87 to be tried: each begins from its reset state, with the precision that Windows gives to programs. */
import type { Dice, Template } from "./processor-dice.ts";

/** fninit; push 0x27f; fldcw [esp]; pop ebp: numbers of 53 bits. */
const START = [0xdb, 0xe3, 0x68, 0x7f, 0x02, 0, 0, 0xd9, 0x2c, 0x24, 0x5d];
/** What it says of comparisons alone: fnstsw ax; and eax, 0x4700. */
const CONDITIONS = [0xdf, 0xe0, 0x25, 0x00, 0x47, 0, 0];
const STORE = [0xdd, 0x5e, 0x18];
/** Whole numbers of 32 bits: neither too large nor too small for anything. */
const load = (d: Dice): number[] => [0xdb, 0x46, d.roll() % 24];
const loadTwo = (d: Dice): number[] => [...load(d), ...load(d)];

const between = (name: string, codes: readonly (readonly number[])[], end = STORE): Template[] =>
  codes.map(
    (code): Template => [
      `${name} ${code.map((byte) => byte.toString(16)).join(" ")}`,
      (d) => [...START, ...loadTwo(d), ...code, ...end],
    ],
  );
const withMemory = (name: string, opcode: number, numbers: readonly number[]): Template[] =>
  numbers.map(
    (number): Template => [
      `${name} ${opcode.toString(16)} ${number}`,
      (d) => [...START, ...load(d), opcode, 0x46 | (number << 3), d.roll() % 24, ...STORE],
    ],
  );

const ARITHMETIC = [0, 1, 4, 5, 6, 7];
export const floating: Template[] = [
  ...between(
    "floating",
    ARITHMETIC.flatMap((number) => [
      [0xd8, 0xc1 | (number << 3)],
      [0xdc, 0xc1 | (number << 3), 0xd9, 0xc9],
      [0xde, 0xc1 | (number << 3)],
    ]),
  ),
  ...withMemory("floating with long", 0xda, ARITHMETIC),
  ...withMemory("floating with short", 0xde, ARITHMETIC),
  ...between("floating top", [
    [0xd9, 0xe0],
    [0xd9, 0xe1],
    [0xd9, 0xc9],
    [0xd9, 0xc1],
    [0xd9, 0xfc],
    [0xd9, 0xe1, 0xd9, 0xfa],
    [0xdd, 0xd1],
    [0xd9, 0xe8, 0xde, 0xc1],
    [0xd9, 0xee],
    [0xd9, 0xf7],
    [0xd9, 0xf6, 0xd9, 0xf7],
  ]),
  ...between(
    "floating compare",
    [
      [0xd8, 0xd1],
      [0xd8, 0xd9],
      [0xde, 0xd9],
      [0xdd, 0xe1],
      [0xda, 0xe9],
      [0xd9, 0xe4],
      [0xd9, 0xe5],
    ],
    CONDITIONS,
  ),
  ...between(
    "floating compare to flags",
    [
      [0xdb, 0xf1],
      [0xdb, 0xe9],
      [0xdf, 0xf1],
    ],
    [],
  ),
  ...between("floating move if", [
    [0xda, 0xc1],
    [0xda, 0xc9],
    [0xda, 0xd1],
    [0xdb, 0xc1],
    [0xdb, 0xc9],
    [0xdb, 0xd1],
  ]),
  ...between(
    "floating store",
    [
      [0xd8, 0xf1, 0xdb, 0x5e, 0x18],
      [0xd8, 0xf1, 0xdf, 0x5e, 0x18],
      [0xd8, 0xf1, 0xdf, 0x7e, 0x18],
      [0xd8, 0xf1, 0xd9, 0x5e, 0x18],
      [0xd8, 0xf1, 0xdb, 0x4e, 0x18],
      [0xd8, 0xf1, 0xdd, 0x4e, 0x18],
      [0xd8, 0xf1, 0xdb, 0x7e, 0x18],
    ],
    [],
  ),
  ["floating scale", (d) => [...START, 0xdf, 0x46, d.roll() % 24, ...load(d), 0xd9, 0xfd, ...STORE]],
  ["floating control", (d) => [...START, 0xd9, 0x7e, d.roll() % 24]],
];
