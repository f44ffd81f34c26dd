/** Computes an event ranking from its qualification matches by the rule of the season. */
import type { Match, MatchTeam, RankingRow } from "./game.ts";
import { colourOf, outcomeFor, type PlayedMatch, resultsThatCount } from "./outcomes.ts";
import { type Outcome, type SeasonRule, type Side, type SortOrder, seasonRuleOf } from "./season-rules.ts";

type Tally = {
  teamNumber: number;
  gathered: number[];
  wins: number;
  losses: number;
  ties: number;
  dq: number;
  matchesPlayed: number;
  scores: number;
};

/** A team without a counting match has no rank. */
export function rankingsOf(season: number, matches: readonly Match[]): RankingRow[] {
  const rule = seasonRuleOf(season);
  const tallies = new Map<number, Tally>();
  for (const match of resultsThatCount(matches, "Qualification")) {
    const sides = sidesOf(match, rule.sortOrders);
    for (const team of match.teams) {
      if (team.surrogate) continue;
      const tally = tallies.get(team.teamNumber) ?? emptyTally(team.teamNumber, rule);
      tallies.set(team.teamNumber, tally);
      addMatch(tally, team, sides[colourOf(team)], rule.sortOrders);
    }
  }
  return [...tallies.values()]
    .map((tally) => ({ tally, values: valuesOf(tally, rule.sortOrders) }))
    .sort(byValues)
    .map(({ tally, values }, index) => rowOf(tally, values, index + 1));
}

const emptyTally = (teamNumber: number, rule: SeasonRule): Tally => ({
  teamNumber,
  gathered: rule.sortOrders.map(() => 0),
  wins: 0,
  losses: 0,
  ties: 0,
  dq: 0,
  matchesPlayed: 0,
  scores: 0,
});

/** Contribution of a match to each team of an alliance. */
type Share = { readonly outcome: Outcome; readonly score: number; readonly values: readonly number[] };

function sidesOf(
  { red, blue }: PlayedMatch,
  sortOrders: readonly SortOrder[],
): Record<"Red" | "Blue", Share> {
  const shareOf = (side: Side): Share => ({
    outcome: side.outcome,
    score: side.own.final,
    values: sortOrders.map(({ of }) => of(side)),
  });
  return {
    Red: shareOf({ own: red, other: blue, outcome: outcomeFor(red, blue) }),
    Blue: shareOf({ own: blue, other: red, outcome: outcomeFor(blue, red) }),
  };
}

/** A disqualified team counts as having played, but gets no result and no values. */
function addMatch(tally: Tally, team: MatchTeam, share: Share, sortOrders: readonly SortOrder[]): void {
  tally.matchesPlayed += 1;
  if (team.dq) {
    tally.dq += 1;
    return;
  }
  if (share.outcome === "win") tally.wins += 1;
  else if (share.outcome === "loss") tally.losses += 1;
  else tally.ties += 1;
  tally.scores += share.score;
  for (const [index, value] of share.values.entries()) {
    const before = tally.gathered[index] ?? 0;
    tally.gathered[index] =
      sortOrders[index]?.gathers === "highest" ? Math.max(before, value) : before + value;
  }
}

const valuesOf = (tally: Tally, sortOrders: readonly SortOrder[]): number[] =>
  sortOrders.map(({ gathers }, index) => {
    const gathered = tally.gathered[index] ?? 0;
    return gathers === "average" ? averageOf(gathered, tally.matchesPlayed) : gathered;
  });

/** Truncated to two decimals. The small addition compensates for rounding errors. */
export const averageOf = (sum: number, count: number): number =>
  count === 0 ? 0 : Math.floor((sum / count) * 100 + 1e-9) / 100;

type Ranked = { tally: Tally; values: readonly number[] };

/** The average score, then the team number, replace the random choice of the rule. */
function byValues(a: Ranked, b: Ranked): number {
  for (const [index, value] of a.values.entries()) {
    const difference = (b.values[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return (
    averageOf(b.tally.scores, b.tally.matchesPlayed) - averageOf(a.tally.scores, a.tally.matchesPlayed) ||
    a.tally.teamNumber - b.tally.teamNumber
  );
}

function rowOf(tally: Tally, values: readonly number[], rank: number): RankingRow {
  return {
    rank,
    teamNumber: tally.teamNumber,
    sortOrder1: values[0] ?? 0,
    sortOrder2: values[1] ?? 0,
    sortOrder3: values[2] ?? 0,
    sortOrder4: values[3] ?? 0,
    sortOrder5: values[4] ?? 0,
    sortOrder6: values[5] ?? 0,
    wins: tally.wins,
    losses: tally.losses,
    ties: tally.ties,
    qualAverage: averageOf(tally.scores, tally.matchesPlayed),
    dq: tally.dq,
    matchesPlayed: tally.matchesPlayed,
  };
}
