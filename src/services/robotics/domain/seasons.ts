/** Seasons with their kickoff dates and game names. */
import { dayOf, daysOf, two, weekdayOf } from "./calendar.ts";

/** First season of the public service's summaries. Older seasons are available if they were imported. */
export const SEASON_PUBLIC_MIN = 2015;
export const SEASON_MIN = 1992;
/** First season with avatars. */
export const AVATAR_SEASON_MIN = 2018;
/** First season with five-digit team numbers. */
const FIVE_DIGITS_SEASON_MIN = 2025;

const SEPTEMBER = 9;
const DAY_MS = 86_400_000;

export type Years = { readonly currentSeason: number; readonly maxSeason: number };

/** A season is named after its year. The next season opens in September. */
export function yearsAt(nowMs: number): Years {
  const { year, month } = dayOf(Math.floor(nowMs / DAY_MS));
  return { currentSeason: year, maxSeason: month >= SEPTEMBER ? year + 1 : year };
}

export const isPublicSeason = (season: number, { maxSeason }: Years): boolean =>
  season >= SEASON_PUBLIC_MIN && season <= maxSeason;
export const canBeEntered = (season: number, { maxSeason }: Years): boolean =>
  season >= SEASON_MIN && season <= maxSeason;

/** First season with team numbers from 9000 on. */
const NINE_THOUSANDS_SEASON_MIN = 2023;
/**
 * Start of the descending search for numbers of robots with a letter. Off-season events used 9999 and its
 * neighbours for robots without a number. In seasons without such real numbers, these stay free.
 */
export const labelledNumberMaxOf = (season: number): number =>
  season < NINE_THOUSANDS_SEASON_MIN ? 8999 : teamNumberMaxOf(season);
export const teamNumberMaxOf = (season: number): number => (season < FIVE_DIGITS_SEASON_MIN ? 9999 : 99_999);

/** From the public lists of games. */
const GAMES: Readonly<Record<number, string>> = {
  1992: "Maize Craze",
  1993: "Rug Rage",
  1994: "Tower Power",
  1995: "Ramp 'n Roll",
  1996: "Hexagon Havoc",
  1997: "Toroid Terror",
  1998: "Ladder Logic",
  1999: "Double Trouble",
  2000: "Co-Opertition FIRST",
  2001: "Diabolical Dynamics",
  2002: "Zone Zeal",
  2003: "Stack Attack",
  2004: "FIRST Frenzy: Raising the Bar",
  2005: "Triple Play",
  2006: "Aim High",
  2007: "Rack 'N Roll",
  2008: "FIRST Overdrive",
  2009: "Lunacy",
  2010: "Breakaway",
  2011: "Logo Motion",
  2012: "Rebound Rumble",
  2013: "Ultimate Ascent",
  2014: "Aerial Assist",
  2015: "Recycle Rush",
  2016: "FIRST Stronghold",
  2017: "FIRST Steamworks",
  2018: "FIRST Power Up",
  2019: "Destination: Deep Space",
  2020: "Infinite Recharge",
  2021: "Infinite Recharge at Home",
  2022: "Rapid React",
  2023: "Charged Up",
  2024: "Crescendo",
  2025: "Reefscape",
  2026: "Rebuilt",
};
export const gameNameOf = (season: number): string => GAMES[season] ?? `Game of ${season}`;

const SATURDAY = 6;
/** The first Saturday from 3 January on, as in the last twenty years. */
export function usualKickoffOf(season: number): string {
  let days = daysOf({ year: season, month: 1, day: 3 });
  while (weekdayOf(days) !== SATURDAY) days += 1;
  return `${season}-01-${two(dayOf(days).day)}T00:00:00Z`;
}

/** Weeks count from the Monday before the first event of the season; undefined if a date is unknown. */
export function findWeekOf(dateStart: string | null, firstDateStart: string | null): number | undefined {
  if (dateStart === null || firstDateStart === null) return undefined;
  return (mondayOf(dateStart) - mondayOf(firstDateStart)) / 7 + 1;
}
function mondayOf(date: string): number {
  const [year = 0, month = 0, day = 0] = date.slice(0, 10).split("-").map(Number);
  const days = daysOf({ year, month, day });
  return days - ((weekdayOf(days) + 6) % 7);
}
