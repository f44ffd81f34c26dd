/** Playoff pairings as data: best of three and double elimination. */
import type { PlayoffRound } from "./game.ts";

/** Source of a side: a seed, or the winner or loser of an earlier set. */
export type Source = { readonly seed: number } | { readonly winnerOf: string } | { readonly loserOf: string };

export type PlannedSet = {
  /** `round` and `set` as one key, such as `qf3`. */
  readonly key: string;
  readonly round: PlayoffRound;
  readonly set: number;
  readonly label: string;
  /** Column in the drawing. */
  readonly column: string;
  /** Double elimination only: the lower bracket, for alliances with one loss. */
  readonly isLower: boolean;
  readonly winsNeeded: number;
  readonly red: Source;
  readonly blue: Source;
};

export const ROUND_NAMES: Readonly<Record<PlayoffRound, string>> = {
  ef: "Eighthfinal",
  qf: "Quarterfinal",
  sf: "Semifinal",
  f: "Final",
};

const ROUNDS_FROM_THE_LAST: readonly PlayoffRound[] = ["f", "sf", "qf", "ef"];

/** Places the two best seeds in different halves: 1-8, 4-5, 2-7, 3-6 for eight. */
function seedOrder(size: number): number[] {
  if (size === 1) return [1];
  return seedOrder(size / 2).flatMap((seed) => [seed, size + 1 - seed]);
}

/** `size` is 2, 4, 8 or 16. */
export function bestOfThreePlan(size: number): PlannedSet[] {
  const seeds = seedOrder(size);
  const plan: PlannedSet[] = [];
  for (let sets = size / 2; sets >= 1; sets /= 2) {
    const round = ROUNDS_FROM_THE_LAST[Math.log2(sets)] ?? "ef";
    const earlier = ROUNDS_FROM_THE_LAST[Math.log2(sets) + 1] ?? "ef";
    const isFirst = sets === size / 2;
    for (let set = 1; set <= sets; set += 1) {
      const side = (index: number): Source =>
        isFirst ? { seed: seeds[index] ?? 0 } : { winnerOf: `${earlier}${index + 1}` };
      plan.push({
        key: `${round}${set}`,
        round,
        set,
        label: round === "f" ? "Final" : `${ROUND_NAMES[round]} ${set}`,
        column: round === "f" ? "Final" : `${ROUND_NAMES[round]}s`,
        isLower: false,
        winsNeeded: 2,
        red: side(2 * set - 2),
        blue: side(2 * set - 1),
      });
    }
  }
  return plan;
}

const seed = (number: number): Source => ({ seed: number });
const winner = (set: number): Source => ({ winnerOf: `sf${set}` });
const loser = (set: number): Source => ({ loserOf: `sf${set}` });

type Row = readonly [round: number, isLower: boolean, red: Source, blue: Source];

/** In the order of play. The index is the set number minus one. */
const EIGHT_ALLIANCES: readonly Row[] = [
  [1, false, seed(1), seed(8)],
  [1, false, seed(4), seed(5)],
  [1, false, seed(2), seed(7)],
  [1, false, seed(3), seed(6)],
  [2, true, loser(1), loser(2)],
  [2, true, loser(3), loser(4)],
  [2, false, winner(1), winner(2)],
  [2, false, winner(3), winner(4)],
  [3, true, loser(7), winner(6)],
  [3, true, loser(8), winner(5)],
  [4, false, winner(7), winner(8)],
  [4, true, winner(10), winner(9)],
  [5, true, loser(11), winner(12)],
];

const FOUR_ALLIANCES: readonly Row[] = [
  [1, false, seed(1), seed(4)],
  [1, false, seed(2), seed(3)],
  [2, true, loser(1), loser(2)],
  [2, false, winner(1), winner(2)],
  [3, true, loser(4), winner(3)],
];

/** `size` is 4 or 8. The winners of the upper and the lower bracket play the final. */
export function doubleEliminationPlan(size: 4 | 8): PlannedSet[] {
  const rows = size === 8 ? EIGHT_ALLIANCES : FOUR_ALLIANCES;
  const upperLast = size === 8 ? 11 : 4;
  return [
    ...rows.map(
      ([round, isLower, red, blue], index): PlannedSet => ({
        key: `sf${index + 1}`,
        round: "sf",
        set: index + 1,
        label: `Match ${index + 1}`,
        column: `Round ${round}`,
        isLower,
        winsNeeded: 1,
        red,
        blue,
      }),
    ),
    {
      key: "f1",
      round: "f",
      set: 1,
      label: "Final",
      column: "Final",
      isLower: false,
      winsNeeded: 2,
      red: winner(upperLast),
      blue: winner(rows.length),
    },
  ];
}
