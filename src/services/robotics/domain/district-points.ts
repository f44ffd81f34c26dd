/** District points for one event: the three public calculations, awards and team age. */
import type { TournamentType } from "./game.ts";
import { inverseErrorFunction } from "./inverse-error-function.ts";

export const ALLIANCE_SIZES = {
  TwoAlliance: 2,
  FourAlliance: 4,
  SixAlliance: 6,
  EightAlliance: 8,
  SixteenAlliance: 16,
} as const;
export type AllianceSizeType = keyof typeof ALLIANCE_SIZES;

export const ALLIANCE_ROLES = ["None", "Captain", "Round1", "Round2", "Round3", "Backup"] as const;
export type AllianceRole = (typeof ALLIANCE_ROLES)[number];

const DISTRICT_CHAMPIONSHIPS: ReadonlySet<TournamentType> = new Set([
  "DistrictChampionship",
  "DistrictChampionshipWithLevels",
  "DistrictChampionshipDivision",
]);
export const isDistrictChampionship = (type: TournamentType): boolean => DISTRICT_CHAMPIONSHIPS.has(type);

/** Since 2014, points at a district championship count three times. */
const CHAMPIONSHIP_WEIGHT = 3;
const CHAMPIONSHIP_WEIGHT_SINCE = 2014;
export const weightOf = (season: number, type: TournamentType): number =>
  season >= CHAMPIONSHIP_WEIGHT_SINCE && isDistrictChampionship(type) ? CHAMPIONSHIP_WEIGHT : 1;

const ALPHA = 1.07;
/** Quantile of the first rank. */
const PLACE_MAX = inverseErrorFunction(1 / ALPHA);
const MIDDLE_POINTS = 12;
const SPREAD_POINTS = 10;

/** Points by a normal distribution. The first rank gets 22. A rank outside the event gets 0. */
export function qualificationPoints(
  season: number,
  type: TournamentType,
  rank: number,
  teamsAtEvent: number,
): number {
  if (rank < 1 || rank > teamsAtEvent) return 0;
  const place = inverseErrorFunction((teamsAtEvent - 2 * rank + 2) / (ALPHA * teamsAtEvent));
  const points = (place * SPREAD_POINTS) / PLACE_MAX + MIDDLE_POINTS;
  // Tolerance for rounding errors, without which the first rank would get 23.
  return Math.ceil(points - 1e-9) * weightOf(season, type);
}

const DRAFT_POINTS = 17;

/**
 * Captains get 17 minus the alliance number, picked teams 17 minus their place in the draft. Second picks
 * are in reverse order: with eight alliances, the first alliance's pick gets one point, the last one's
 * eight.
 */
export function allianceSelectionPoints(
  season: number,
  type: TournamentType,
  alliances: number,
  allianceNumber: number,
  role: AllianceRole,
): number {
  if (allianceNumber < 1 || allianceNumber > alliances) return 0;
  const isFirst = role === "Captain" || role === "Round1";
  if (!isFirst && role !== "Round2") return 0;
  const weight = weightOf(season, type);
  // With sixteen alliances, each place is worth half a point, so that points still range from 16 to 1.
  if (alliances > 8)
    return Math.floor((isFirst ? DRAFT_POINTS - (allianceNumber + 1) / 2 : allianceNumber / 2) * weight);
  const place = isFirst ? allianceNumber : 2 * alliances + 1 - allianceNumber;
  return (DRAFT_POINTS - place) * weight;
}

const POINTS_OF_A_WIN = 5;
const WINS_OF_A_SET = 2;

/** Five points for each match that a team won in a set that its alliance won. */
export const playoffPoints = (wins: number): number =>
  Math.min(Math.max(wins, 0), WINS_OF_A_SET) * POINTS_OF_A_WIN;

export const playoffAdvancementPoints = (
  season: number,
  type: TournamentType,
  quarterFinalWins: number,
  semiFinalWins: number,
  finalWins: number,
): number =>
  (playoffPoints(quarterFinalWins) + playoffPoints(semiFinalWins) + playoffPoints(finalWins)) *
  weightOf(season, type);

/** Points for reaching the final, and for third and fourth place. Wins in the final count in addition. */
export const DOUBLE_ELIMINATION_POINTS = { finalist: 20, third: 13, fourth: 7 } as const;

const IMPACT_POINTS = 10;
const INSPIRATION_POINTS = 8;
const JUDGED_POINTS = 5;
const IMPACT_WORDS = ["chairman", "impact"];
const INSPIRATION_WORDS = ["engineering inspiration", "rookie all star", "rookie all-star"];
/** Awards to persons, for results on the field, or not given by judges. */
const NOT_JUDGED_WORDS = [
  "winner",
  "finalist",
  "dean's list",
  "deans list",
  "volunteer",
  "woodie flowers",
  "wildcard",
  "wild card",
  "highest rookie seed",
  "safety",
  "founder",
  "mentor",
  "media",
];

/** By name, because award ids change every season. */
export function awardPoints(season: number, type: TournamentType, awardName: string): number {
  const name = awardName.toLowerCase().replaceAll("’", "'");
  const has = (words: readonly string[]) => words.some((word) => name.includes(word));
  const weight = weightOf(season, type);
  if (name.includes("finalist")) return 0;
  if (has(IMPACT_WORDS)) return IMPACT_POINTS * weight;
  if (has(INSPIRATION_WORDS)) return INSPIRATION_POINTS * weight;
  return has(NOT_JUDGED_WORDS) ? 0 : JUDGED_POINTS * weight;
}

const ROOKIE_POINTS = 10;
const SECOND_YEAR_POINTS = 5;

/** Once a season, for young teams. */
export function teamAgePoints(season: number, rookieYear: number): number {
  if (rookieYear === season) return ROOKIE_POINTS;
  return rookieYear === season - 1 ? SECOND_YEAR_POINTS : 0;
}
