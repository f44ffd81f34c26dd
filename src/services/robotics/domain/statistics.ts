/** Records, averages and highest scores of teams across events. */
import type { Match, TournamentLevel } from "./game.ts";
import { colourOf, isPlayed, outcomeFor, type PlayedMatch } from "./outcomes.ts";
import { averageOf } from "./rankings.ts";

export type TeamStatistics = {
  readonly teamNumber: number;
  readonly matchesPlayed: number;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly dq: number;
  readonly averageScore: number;
  readonly highestScore: number;
};

export type HighestScore = {
  readonly level: TournamentLevel;
  readonly matchNumber: number;
  readonly score: number;
  readonly teamNumbers: readonly number[];
};

type Tally = { wins: number; losses: number; ties: number; dq: number; scores: number[] };

/** By team number. Practice matches do not count. Surrogate matches do not count in the record. */
export function teamStatisticsOf(matches: readonly Match[]): TeamStatistics[] {
  const tallies = new Map<number, Tally>();
  for (const match of matches) if (match.level !== "Practice" && isPlayed(match)) addResult(tallies, match);
  return [...tallies]
    .map(([teamNumber, { scores, ...record }]) => ({
      teamNumber,
      matchesPlayed: scores.length,
      ...record,
      averageScore: averageOf(sum(scores), scores.length),
      highestScore: Math.max(...scores),
    }))
    .sort((a, b) => a.teamNumber - b.teamNumber);
}

function addResult(tallies: Map<number, Tally>, { teams, red, blue }: PlayedMatch): void {
  for (const team of teams.filter(({ surrogate }) => !surrogate)) {
    const tally = tallies.get(team.teamNumber) ?? { wins: 0, losses: 0, ties: 0, dq: 0, scores: [] };
    tallies.set(team.teamNumber, tally);
    const [own, other] = colourOf(team) === "Red" ? [red, blue] : [blue, red];
    if (team.dq) tally.dq += 1;
    else tally[RECORDS[outcomeFor(own, other)]] += 1;
    tally.scores.push(team.dq ? 0 : own.final);
  }
}

const RECORDS = { win: "wins", loss: "losses", tie: "ties" } as const;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Highest alliance score of each played level. The first one wins ties. */
export function highestScoresOf(matches: readonly Match[]): HighestScore[] {
  const best = new Map<TournamentLevel, HighestScore>();
  for (const match of matches) {
    if (!isPlayed(match)) continue;
    for (const colour of ["Red", "Blue"] as const) {
      const score = (colour === "Red" ? match.red : match.blue).final;
      if (score <= (best.get(match.level)?.score ?? -1)) continue;
      const teams = match.teams.filter((team) => colourOf(team) === colour);
      best.set(match.level, {
        level: match.level,
        matchNumber: match.matchNumber,
        score,
        teamNumbers: teams.map(({ teamNumber }) => teamNumber),
      });
    }
  }
  return [...best.values()];
}
