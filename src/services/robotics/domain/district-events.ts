/** District points of each team at one event. */
import { bracketOf } from "./bracket.ts";
import type { Bracket, BracketSet } from "./bracket-shape.ts";
import {
  type AllianceRole,
  allianceSelectionPoints,
  awardPoints,
  DOUBLE_ELIMINATION_POINTS,
  playoffPoints,
  qualificationPoints,
  weightOf,
} from "./district-points.ts";
import type { Alliance, Match, RankingRow, TournamentType } from "./game.ts";
import { colourOf, findWinner, isPlayed } from "./outcomes.ts";
import { allianceFinder } from "./pending-matches.ts";

export type DistrictEventInput = {
  readonly code: string;
  readonly type: TournamentType;
  readonly dateEnd: string;
  readonly rankings: readonly RankingRow[];
  readonly alliances: readonly Alliance[];
  /** Playoffs for the points. Qualification matches are needed only for highest scores as a tie-breaker. */
  readonly matches: readonly Match[];
  readonly awards: readonly { readonly name: string; readonly teamNumber: number }[];
};

export type EventPoints = {
  qualification: number;
  selection: number;
  playoff: number;
  award: number;
  /** Best three match scores, best first. */
  highestScores: number[];
};

/** Before this season, qualification gave two points for each win. */
const BY_RANK_SINCE = 2015;

export const totalOf = ({ qualification, selection, playoff, award }: EventPoints): number =>
  qualification + selection + playoff + award;

/** By team number. Teams without a match or an award are missing. */
export function eventPointsOf(season: number, event: DistrictEventInput): Map<number, EventPoints> {
  const points = new Map<number, EventPoints>();
  const of = (teamNumber: number): EventPoints => {
    const known = points.get(teamNumber) ?? {
      qualification: 0,
      selection: 0,
      playoff: 0,
      award: 0,
      highestScores: [],
    };
    points.set(teamNumber, known);
    return known;
  };
  addQualification(season, event, of);
  addSelection(season, event, of);
  addPlayoffs(season, event, of);
  for (const { name, teamNumber } of event.awards) {
    const earned = awardPoints(season, event.type, name);
    if (earned > 0) of(teamNumber).award += earned;
  }
  addHighestScores(event.matches, of);
  return points;
}

type PointsOf = (teamNumber: number) => EventPoints;

function addQualification(season: number, { type, rankings }: DistrictEventInput, of: PointsOf): void {
  const played = rankings.filter(({ matchesPlayed }) => matchesPlayed > 0);
  for (const { teamNumber, rank, wins, ties } of played)
    of(teamNumber).qualification =
      season < BY_RANK_SINCE
        ? (2 * wins + ties) * weightOf(season, type)
        : qualificationPoints(season, type, rank, played.length);
}

/** At a championship with divisions, the divisions already gave the selection points. */
function addSelection(season: number, { type, alliances }: DistrictEventInput, of: PointsOf): void {
  if (type === "DistrictChampionshipWithLevels") return;
  for (const { number, captain, round1, round2 } of alliances) {
    const seats: [number | null, AllianceRole][] = [
      [captain, "Captain"],
      [round1, "Round1"],
      [round2, "Round2"],
    ];
    for (const [teamNumber, role] of seats)
      if (teamNumber !== null)
        of(teamNumber).selection += allianceSelectionPoints(season, type, alliances.length, number, role);
  }
}

function addPlayoffs(season: number, event: DistrictEventInput, of: PointsOf): void {
  if (event.alliances.length === 0) return;
  const playoffs = event.matches.filter(({ level }) => level === "Playoff");
  const bracket = bracketOf(season, event.alliances, playoffs);
  const field = fieldOf(event.alliances);
  const weight = weightOf(season, event.type);
  if (bracket.kind === "doubleElimination") addByPlace(bracket, field, weight, of);
  else {
    if (bracket.kind === "averageScore") addByAverages(bracket, field, weight, of);
    addBySets(bracket.sets, field, weight, of);
  }
}

const COLOURS = ["Red", "Blue"] as const;

type Field = {
  allianceIn: (game: Match, colour: "Red" | "Blue") => number | undefined;
  /** Games that each team of the alliance played; with `onlyWon`, only won games. */
  gamesPlayed: (games: readonly Match[], alliance: number, onlyWon?: boolean) => Map<number, number>;
};

function fieldOf(alliances: readonly Alliance[]): Field {
  const allianceOf = allianceFinder(alliances);
  const teamsOf = (game: Match, colour: "Red" | "Blue") =>
    game.teams.filter((team) => colourOf(team) === colour).map(({ teamNumber }) => teamNumber);
  const allianceIn: Field["allianceIn"] = (game, colour) =>
    teamsOf(game, colour)
      .map(allianceOf)
      .find((number) => number !== undefined);
  return {
    allianceIn,
    gamesPlayed: (games, alliance, onlyWon = false) => {
      const seated = games
        .filter(isPlayed)
        .flatMap((game) =>
          COLOURS.filter(
            (colour) => allianceIn(game, colour) === alliance && (!onlyWon || findWinner(game) === colour),
          ).flatMap((colour) => teamsOf(game, colour)),
        );
      const counts = new Map<number, number>();
      for (const teamNumber of seated) counts.set(teamNumber, (counts.get(teamNumber) ?? 0) + 1);
      return counts;
    },
  };
}

/** Counts wins in won sets, for each team that played. */
function addBySets(sets: readonly BracketSet[], field: Field, weight: number, of: PointsOf): void {
  for (const { winner, games, round } of sets) {
    if (winner === null || round === "ef") continue;
    for (const [teamNumber, wins] of field.gamesPlayed(games, winner, true))
      of(teamNumber).playoff += playoffPoints(wins) * weight;
  }
}

/**
 * A team gets the points of its alliance's place, in proportion to the games it played before the final.
 * Points are rounded up.
 */
function addByPlace({ sets, champion, finalist }: Bracket, field: Field, weight: number, of: PointsOf): void {
  const before = sets.slice(0, -1);
  const games = before.flatMap((set) => set.games);
  const lower = before.filter(({ isLower }) => isLower).map(({ loser }) => loser);
  const places: [number | null | undefined, number][] = [
    [champion, DOUBLE_ELIMINATION_POINTS.finalist],
    [finalist, DOUBLE_ELIMINATION_POINTS.finalist],
    [lower.at(-1), DOUBLE_ELIMINATION_POINTS.third],
    [lower.at(-2), DOUBLE_ELIMINATION_POINTS.fourth],
  ];
  for (const [alliance, points] of places) {
    if (alliance === null || alliance === undefined) continue;
    const counts = field.gamesPlayed(games, alliance);
    const most = Math.max(...counts.values());
    for (const [teamNumber, count] of counts)
      of(teamNumber).playoff += Math.ceil((points * count) / most - 1e-9) * weight;
  }
  addBySets(sets.slice(-1), field, weight, of);
}

/**
 * Points for each match of a round from which the alliance advanced. Three semifinals give ten points in
 * total.
 */
const AVERAGE_ROUNDS = [
  { round: "qf", next: "sf", pointsOfAMatch: 5 },
  { round: "sf", next: "f", pointsOfAMatch: 3.3 },
] as const;

function addByAverages({ sets }: Bracket, field: Field, weight: number, of: PointsOf): void {
  const gamesIn = (round: string) => sets.filter((set) => set.round === round).flatMap(({ games }) => games);
  for (const { round, next, pointsOfAMatch } of AVERAGE_ROUNDS) {
    const advanced = new Set(
      gamesIn(next).flatMap((game) => [field.allianceIn(game, "Red"), field.allianceIn(game, "Blue")]),
    );
    for (const alliance of advanced)
      if (alliance !== undefined)
        for (const [teamNumber, count] of field.gamesPlayed(gamesIn(round), alliance))
          of(teamNumber).playoff += Math.ceil(pointsOfAMatch * count) * weight;
  }
}

const SCORES_KEPT = 3;

function addHighestScores(matches: readonly Match[], of: PointsOf): void {
  for (const match of matches) {
    if (match.level === "Practice" || !isPlayed(match)) continue;
    for (const team of match.teams)
      keepHighest(
        of(team.teamNumber).highestScores,
        (colourOf(team) === "Red" ? match.red : match.blue).final,
      );
  }
}

/** Inserts in order and drops the lowest. */
function keepHighest(scores: number[], score: number): void {
  const lower = scores.findIndex((kept) => kept < score);
  if (lower >= 0) scores.splice(lower, 0, score);
  else if (scores.length < SCORES_KEPT) scores.push(score);
  if (scores.length > SCORES_KEPT) scores.pop();
}
