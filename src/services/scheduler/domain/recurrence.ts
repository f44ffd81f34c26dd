/** Types of a recurrence, with their limits. */

export const FREQUENCIES = ["Minute", "Hour", "Day", "Week", "Month"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** Index 0 is Sunday, as in `weekDayOf`. */
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
  /** First to fifth such day of the month; negative counts from the end. If omitted, every such day. */
  readonly occurrence?: number;
};

/**
 * A schedule narrows or widens a frequency. Hours and minutes are combined with each other. Hours alone use
 * minute and second of the start. Minutes alone apply to every hour. Month days and monthly occurrences
 * must both match.
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
  /** Maximum number of runs. With an end time, the first limit ends the job. */
  readonly count?: number;
  /** Inclusive. */
  readonly endTimeMs?: number;
  readonly schedule?: Schedule;
  /** Time zone of the schedule; default UTC. */
  readonly timeZone?: string;
};

/** About 18 months for each frequency, except for the lower limits of minutes and hours. */
export const intervalMax: Readonly<Record<Frequency, number>> = {
  Minute: 1_000,
  Hour: 1_000,
  Day: 548,
  Week: 78,
  Month: 18,
};

export const COUNT_MAX = 2_147_483_647;
/** Maximum distance of a start time in the future. */
export const START_AHEAD_MONTHS_MAX = 18;

/** Schedule parts that each frequency supports. */
export const scheduleParts: Readonly<Record<Frequency, readonly SchedulePart[]>> = {
  Minute: ["minutes", "hours"],
  Hour: ["minutes", "hours"],
  Day: ["minutes", "hours"],
  Week: ["minutes", "hours", "weekDays"],
  Month: ["minutes", "hours", "monthDays", "monthlyOccurrences"],
};
