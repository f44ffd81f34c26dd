/** Random requests that can be made again: everything follows from a seed. */
import type { TSchema } from "@sinclair/typebox";

export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** From 0 to just below 1 (mulberry32). */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  below(count: number): number {
    return Math.floor(this.roll() * count);
  }
  chance(share: number): boolean {
    return this.roll() < share;
  }
  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }
}

const NUMBERS = [0, -1, 1, 0.5, 255, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, -(2 ** 63), 1e308];
const TEXTS = [
  "",
  " ",
  "0",
  "-0",
  "1e400",
  "9223372036854775808",
  "-9223372036854775809",
  "NaN",
  "true",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "toString",
  "../..",
  "..\\..",
  "%00",
  "%",
  "%2f%2e%2e",
  "a\u0000b",
  "\ud800",
  "\u202e\u{1F600}",
  "' OR 1=1 --",
  '"; drop table medley_job; --',
  "{{7*7}}",
  "<script>alert(1)</script>",
  "a,b,,c",
  "*",
  "{}",
  "[]",
  "2026-02-30",
  "2026-13-01T25:61:61Z",
  "9999-12-31T23:59:59.999999999Z",
  "-PT1H",
  "https://user:pw@[::1]:99999/?#",
  "arn:vendor:x:::",
  "x".repeat(300),
  "é".repeat(5000),
];

/** Anything, mostly something that a schema of another kind would ask for. */
export function anything(dice: Dice, depth = 0): unknown {
  const kind = dice.below(depth > 3 ? 4 : 7);
  if (kind === 0) return dice.pick(NUMBERS);
  if (kind <= 2) return dice.pick(TEXTS);
  if (kind === 3) return dice.pick([null, true, false]);
  if (kind === 4) return Array.from({ length: dice.below(4) }, () => anything(dice, depth + 1));
  if (kind === 5)
    return Object.fromEntries(
      Array.from({ length: dice.below(4) }, () => [dice.pick(TEXTS), anything(dice, depth + 1)]),
    );
  return Array.from({ length: 200 }, () => dice.pick(TEXTS));
}
export const anyText = (dice: Dice): string => dice.pick(TEXTS);

/** What was fitting, with some of its members made into something else, left out, or joined by others. */
export function disturbed(dice: Dice, value: unknown, schema: TSchema | undefined, depth = 0): unknown {
  if (dice.chance(0.1)) return anything(dice);
  if (value === null || typeof value !== "object" || depth > 6)
    return dice.chance(0.2) ? anything(dice) : value;
  if (Array.isArray(value)) return value.map((item) => disturbed(dice, item, schema?.items, depth + 1));
  const members = Object.entries(value)
    .filter(() => !dice.chance(0.1))
    .map(([name, member]) => [name, disturbed(dice, member, schema?.properties?.[name], depth + 1)]);
  if (dice.chance(0.05)) members.push([anyText(dice), anything(dice)]);
  return Object.fromEntries(members);
}
