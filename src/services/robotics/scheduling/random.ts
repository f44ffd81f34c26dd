/** Seeded pseudo-random numbers, so that a schedule is reproducible. */
export type Random = {
  /** From 0 to `end`, exclusive. */
  below(end: number): number;
  /** From 0 to 1, exclusive. */
  fraction(): number;
};

const TWO_TO_32 = 2 ** 32;

/** Marsaglia's xorshift. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let warmUp = 0; warmUp < 8; warmUp += 1) next();
  return {
    below: (end) => Math.floor((next() / TWO_TO_32) * end),
    fraction: () => next() / TWO_TO_32,
  };
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    [copy[last], copy[other]] = [copy[other] as Item, copy[last] as Item];
  }
  return copy;
}
