/** Quality measures of a schedule: repeated meetings, gaps between matches and colour balance. */

type Seated = { readonly teamNumber: number; readonly surrogate: boolean };
type Match = {
  readonly matchNumber: number;
  readonly red: readonly Seated[];
  readonly blue: readonly Seated[];
};

/** `pairs[n]` is the number of pairs that met n times. */
export type Repetition = {
  readonly most: number;
  readonly repeated: number;
  readonly pairs: number[];
};

export type ScheduleFigures = {
  readonly matches: number;
  readonly partners: Repetition;
  readonly opponents: Repetition;
  /** Gaps between consecutive matches of a team, in matches. */
  readonly gapLeast: number;
  readonly gapAverage: number;
  /** Largest difference between red and blue matches of one team. */
  readonly colourDifferenceMost: number;
  readonly surrogates: number;
};

export function scheduleFigures(matches: readonly Match[]): ScheduleFigures {
  const partners = new Map<string, number>();
  const opponents = new Map<string, number>();
  const meet = (counts: Map<string, number>, a: Seated, b: Seated) => {
    const pair = [a.teamNumber, b.teamNumber].sort((one, other) => one - other).join("-");
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  };
  for (const { red, blue } of matches) {
    for (const side of [red, blue])
      side.forEach((team, index) => {
        for (const partner of side.slice(index + 1)) meet(partners, team, partner);
      });
    for (const team of red) for (const opponent of blue) meet(opponents, team, opponent);
  }
  const gaps = gapsIn(matches);
  const teams = new Set(
    matches.flatMap(({ red, blue }) => [...red, ...blue].map(({ teamNumber }) => teamNumber)),
  );
  const pairCount = (teams.size * (teams.size - 1)) / 2;
  return {
    matches: matches.length,
    partners: repetitionOf(partners, pairCount),
    opponents: repetitionOf(opponents, pairCount),
    gapLeast: gaps.length === 0 ? 0 : Math.min(...gaps),
    gapAverage: gaps.length === 0 ? 0 : Math.round((10 * sum(gaps)) / gaps.length) / 10,
    colourDifferenceMost: colourDifferenceMost(matches),
    surrogates: sum(
      matches.map(({ red, blue }) => [...red, ...blue].filter(({ surrogate }) => surrogate).length),
    ),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function repetitionOf(counts: ReadonlyMap<string, number>, pairCount: number): Repetition {
  const most = Math.max(0, ...counts.values());
  const pairs = Array.from({ length: most + 1 }, () => 0);
  for (const count of counts.values()) pairs[count] = (pairs[count] ?? 0) + 1;
  pairs[0] = pairCount - counts.size;
  return { most, repeated: sum(pairs.slice(2)), pairs };
}

function gapsIn(matches: readonly Match[]): number[] {
  const last = new Map<number, number>();
  const gaps: number[] = [];
  for (const { matchNumber, red, blue } of matches)
    for (const { teamNumber } of [...red, ...blue]) {
      const before = last.get(teamNumber);
      if (before !== undefined) gaps.push(matchNumber - before);
      last.set(teamNumber, matchNumber);
    }
  return gaps;
}

function colourDifferenceMost(matches: readonly Match[]): number {
  const reds = new Map<number, number>();
  for (const { red, blue } of matches) {
    for (const { teamNumber } of red) reds.set(teamNumber, (reds.get(teamNumber) ?? 0) + 1);
    for (const { teamNumber } of blue) reds.set(teamNumber, (reds.get(teamNumber) ?? 0) - 1);
  }
  return Math.max(0, ...[...reds.values()].map(Math.abs));
}
