/** What a recurrence is, with the limits of its values. */

export const FREQUENCIES = ["Minute", "Hour", "Day", "Week", "Month"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** In the order of the numbers that the calendar gives them. */
export const WEEK_DAYS = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];

export type MonthlyOccurrence = {
  readonly day: WeekDay;
  /** The first to fifth such day of the month, or counted from its end when negative; left out, every one of them. */
  readonly occurrence?: number;
};

/**
 * A schedule narrows or widens a frequency. Hours and minutes are combined each with each.
 * Hours alone take minute and second of the start; minutes alone mean every hour of the day.
 * Month days and monthly occurrences given together must both hold.
 */
export type Schedule = {
  readonly minutes?: readonly number[];
  readonly hours?: readonly number[];
  readonly weekDays?: readonly WeekDay[];
  readonly monthDays?: readonly number[];
  readonly monthlyOccurrences?: readonly MonthlyOccurrence[];
};

export type SchedulePart = keyof Schedule;

export type Recurrence = {
  readonly frequency: Frequency;
  readonly interval: number;
  /** How many runs there shall be. With an end time as well, whichever comes first ends the job. */
  readonly count?: number;
  /** An occurrence at this very instant still runs. */
  readonly endTimeMs?: number;
  readonly schedule?: Schedule;
  /** The zone whose wall clock the schedule means; left out, UTC. */
  readonly timeZone?: string;
};

/** The longest interval of each frequency is about 18 months, except where minutes and hours end sooner. */
export const intervalMax: Readonly<Record<Frequency, number>> = {
  Minute: 1_000,
  Hour: 1_000,
  Day: 548,
  Week: 78,
  Month: 18,
};

export const COUNT_MAX = 2_147_483_647;
/** How far ahead a start time may lie. */
export const START_AHEAD_MONTHS_MAX = 18;

/** Which parts of a schedule each frequency knows. */
export const scheduleParts: Readonly<Record<Frequency, readonly SchedulePart[]>> = {
  Minute: ["minutes", "hours"],
  Hour: ["minutes", "hours"],
  Day: ["minutes", "hours"],
  Week: ["minutes", "hours", "weekDays"],
  Month: ["minutes", "hours", "monthDays", "monthlyOccurrences"],
};
