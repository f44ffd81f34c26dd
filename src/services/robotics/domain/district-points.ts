/** Points in a district's ranking for what a team did at one event: the three calculations, and those for awards and age. */
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

/** Since 2014 what is earned at a district's championship counts three times. */
const CHAMPIONSHIP_WEIGHT = 3;
const CHAMPIONSHIP_WEIGHT_SINCE = 2014;
export const weightOf = (season: number, type: TournamentType): number =>
  season >= CHAMPIONSHIP_WEIGHT_SINCE && isDistrictChampionship(type) ? CHAMPIONSHIP_WEIGHT : 1;

const ALPHA = 1.07;
/** What the first of an event has. */
const PLACE_MAX = inverseErrorFunction(1 / ALPHA);
const MIDDLE_POINTS = 12;
const SPREAD_POINTS = 10;

/** A normal distribution from 22 points for the first; 0 for a rank that the event does not have. */
export function qualificationPoints(
  season: number,
  type: TournamentType,
  rank: number,
  teamsAtEvent: number,
): number {
  if (rank < 1 || rank > teamsAtEvent) return 0;
  const place = inverseErrorFunction((teamsAtEvent - 2 * rank + 2) / (ALPHA * teamsAtEvent));
  const points = (place * SPREAD_POINTS) / PLACE_MAX + MIDDLE_POINTS;
  // A hair above a whole number is that number, or the first would get 23.
  return Math.ceil(points - 1e-9) * weightOf(season, type);
}

const DRAFT_POINTS = 17;

/**
 * 17 less the alliance's number for its captain, and less the place in the draft for who was picked. The second
 * picks go backwards, so with eight alliances the first one's gets a point and the last one's eight.
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
  // With sixteen alliances every place is worth half a point, so that the points still reach from 16 to 1.
  if (alliances > 8)
    return Math.floor((isFirst ? DRAFT_POINTS - (allianceNumber + 1) / 2 : allianceNumber / 2) * weight);
  const place = isFirst ? allianceNumber : 2 * alliances + 1 - allianceNumber;
  return (DRAFT_POINTS - place) * weight;
}

const POINTS_OF_A_WIN = 5;
const WINS_OF_A_SET = 2;

/** Five points for each match that a team won with its alliance in a set that the alliance won. */
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

/** In a double elimination: for reaching the final, whose winners get the points of its wins too, and for the next two. */
export const DOUBLE_ELIMINATION_POINTS = { finalist: 20, third: 13, fourth: 7 } as const;

const IMPACT_POINTS = 10;
const INSPIRATION_POINTS = 8;
const JUDGED_POINTS = 5;
const IMPACT_WORDS = ["chairman", "impact"];
const INSPIRATION_WORDS = ["engineering inspiration", "rookie all star", "rookie all-star"];
/** Awards to persons, for what happened on the field, or not given by the judges. */
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

/** By the award's name, because its number means another award in every season. */
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
