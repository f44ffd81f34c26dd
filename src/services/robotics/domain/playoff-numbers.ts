/** Converts between places in the bracket and match numbers, which follow the usual order of play. */
import type { PlayoffPlace, PlayoffRound } from "./game.ts";

/** From this season on, double elimination replaces best of three. */
export const DOUBLE_ELIMINATION_SEASON_MIN = 2023;
const DOUBLE_ELIMINATION_SETS = 13;
const GAMES_USUAL = 3;
/** Replays beyond the usual games add multiples of this, so that other match numbers stay unchanged. */
const REPLAYS_FROM = 100;

/**
 * All sets play game 1 before game 2. The rare eighth-finals are numbered after the finals, so that the
 * other numbers do not depend on them.
 */
const ROUNDS = [
  { round: "qf", sets: 4, from: 0 },
  { round: "sf", sets: 2, from: 12 },
  { round: "f", sets: 1, from: 18 },
  { round: "ef", sets: 8, from: 40 },
] as const;

/**
 * Format of 2015: one set of eight quarterfinals, one of six semifinals, then the finals. Events with
 * sixteen alliances started with a set of eighth-finals, which are numbered after the finals.
 */
const AVERAGES_SEASON = 2015;
const AVERAGES_ROUNDS = [
  { round: "qf", from: 0 },
  { round: "sf", from: 8 },
  { round: "f", from: 14 },
  { round: "ef", from: 40 },
] as const;

const isDoubleElimination = (season: number): boolean => season >= DOUBLE_ELIMINATION_SEASON_MIN;

const replayNumber = (first: number, game: number): number => first + REPLAYS_FROM * (game - GAMES_USUAL);

/** First number for rounds that double elimination does not have, at events with another format. */
const OTHER_PLAN_FROM = 1000;

export function playoffNumberOf(season: number, place: PlayoffPlace): number {
  const { round, set, game } = place;
  if (season === AVERAGES_SEASON) return averagesNumberOf(place);
  if (!isDoubleElimination(season)) return bestOfThreeNumberOf(place);
  if (round === "f") return DOUBLE_ELIMINATION_SETS + game;
  if (round !== "sf") return OTHER_PLAN_FROM + bestOfThreeNumberOf(place);
  return game === 1 ? set : set + REPLAYS_FROM * (game - 1);
}
function bestOfThreeNumberOf({ round, set, game }: PlayoffPlace): number {
  const { sets, from } = ROUNDS.find((one) => one.round === round) ?? ROUNDS[0];
  const isUsual = game <= GAMES_USUAL || round === "f";
  return isUsual ? from + (game - 1) * sets + set : replayNumber(from + set, game);
}
/** An event with another format in that season has further sets. Each set adds a hundred. */
function averagesNumberOf({ round, set, game }: PlayoffPlace): number {
  const { from } = AVERAGES_ROUNDS.find((one) => one.round === round) ?? AVERAGES_ROUNDS[0];
  return from + game + REPLAYS_FROM * (set - 1);
}

/** Null if no bracket has this number. */
export function findPlayoffPlace(season: number, matchNumber: number): PlayoffPlace | null {
  if (season === AVERAGES_SEASON) return findAveragesPlace(matchNumber);
  return isDoubleElimination(season)
    ? findDoubleEliminationPlace(matchNumber)
    : findBestOfThreePlace(matchNumber);
}
function findBestOfThreePlace(matchNumber: number): PlayoffPlace | null {
  const replays = Math.floor(matchNumber / REPLAYS_FROM);
  if (replays > 0) {
    const first = findBestOfThreePlace(matchNumber % REPLAYS_FROM);
    return first && first.round !== "f" && first.game === 1
      ? { ...first, game: replays + GAMES_USUAL }
      : null;
  }
  const found = ROUNDS.findLast(({ from }) => matchNumber > from);
  return found ? placeIn(found.round, found.sets, matchNumber - found.from - 1) : null;
}
const placeIn = (round: PlayoffRound, sets: number, at: number): PlayoffPlace => ({
  round,
  set: (at % sets) + 1,
  game: Math.floor(at / sets) + 1,
});
function findAveragesPlace(matchNumber: number): PlayoffPlace | null {
  const number = matchNumber % REPLAYS_FROM;
  const found = AVERAGES_ROUNDS.findLast(({ from }) => number > from);
  return found
    ? { round: found.round, set: Math.floor(matchNumber / REPLAYS_FROM) + 1, game: number - found.from }
    : null;
}
function findDoubleEliminationPlace(matchNumber: number): PlayoffPlace | null {
  if (matchNumber < 1) return null;
  if (matchNumber <= DOUBLE_ELIMINATION_SETS) return { round: "sf", set: matchNumber, game: 1 };
  if (matchNumber < REPLAYS_FROM) return { round: "f", set: 1, game: matchNumber - DOUBLE_ELIMINATION_SETS };
  if (matchNumber > OTHER_PLAN_FROM) return findBestOfThreePlace(matchNumber - OTHER_PLAN_FROM);
  const set = matchNumber % REPLAYS_FROM;
  return set >= 1 && set <= DOUBLE_ELIMINATION_SETS
    ? { round: "sf", set, game: Math.floor(matchNumber / REPLAYS_FROM) + 1 }
    : null;
}
