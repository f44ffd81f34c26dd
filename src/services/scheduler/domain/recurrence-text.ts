/** A recurrence in the spelling of the API, and its conversion for calculations. */
import { findInstant, instantText } from "./iso-time.ts";
import type { Frequency, MonthlyOccurrence, Recurrence, Schedule, WeekDay } from "./recurrence.ts";

type MonthlyOccurrenceText = { readonly day: WeekDay; readonly Occurrence?: number };
export type ScheduleText = Omit<Schedule, "monthlyOccurrences"> & {
  readonly monthlyOccurrences?: readonly MonthlyOccurrenceText[];
};
export type RecurrenceText = {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count?: number;
  readonly endTime?: string;
  readonly schedule?: ScheduleText;
  readonly timeZone?: string;
};

/** The API uses `Occurrence`, its documentation `occurrence`. Both are accepted. */
type GivenOccurrence = MonthlyOccurrenceText & { readonly occurrence?: number };
type GivenSchedule = Omit<ScheduleText, "monthlyOccurrences"> & {
  readonly monthlyOccurrences?: readonly GivenOccurrence[];
};
type GivenRecurrence = Omit<RecurrenceText, "schedule"> & { readonly schedule?: GivenSchedule };

const textOf = ({ day, Occurrence, occurrence }: GivenOccurrence): MonthlyOccurrenceText => {
  const number = Occurrence ?? occurrence;
  return number === undefined ? { day } : { day, Occurrence: number };
};
/** An empty list counts as omitted. Duplicates are removed. */
function distinct<Item>(items: readonly Item[] = []): readonly Item[] | undefined {
  const known = new Map(items.map((item) => [JSON.stringify(item), item]));
  return known.size === 0 ? undefined : [...known.values()];
}
const withoutUndefined = <Parts extends object>(parts: Parts): Parts =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Parts;

/** Undefined for an empty schedule. */
function scheduleTextOf(given: GivenSchedule): ScheduleText | undefined {
  const parts = withoutUndefined({
    minutes: distinct(given.minutes),
    hours: distinct(given.hours),
    weekDays: distinct(given.weekDays),
    monthDays: distinct(given.monthDays),
    monthlyOccurrences: distinct(given.monthlyOccurrences?.map(textOf)),
  });
  return Object.keys(parts).length === 0 ? undefined : parts;
}
/** Canonical spelling and order, so that equal recurrences have equal text. */
export function recurrenceTextOf(given: GivenRecurrence): RecurrenceText {
  const { frequency, interval, count, timeZone, endTime, schedule } = given;
  return withoutUndefined({
    frequency,
    interval,
    count,
    timeZone,
    endTime: endTime === undefined ? undefined : instantText(findInstant(endTime) ?? 0),
    schedule: schedule && scheduleTextOf(schedule),
  });
}

const occurrenceOf = ({ day, Occurrence }: MonthlyOccurrenceText): MonthlyOccurrence =>
  Occurrence === undefined ? { day } : { day, occurrence: Occurrence };
export function recurrenceOf({ endTime, schedule, ...rest }: RecurrenceText): Recurrence {
  const { monthlyOccurrences, ...parts } = schedule ?? {};
  return {
    ...rest,
    ...(endTime !== undefined && { endTimeMs: findInstant(endTime) }),
    ...(schedule !== undefined && {
      schedule: {
        ...parts,
        ...(monthlyOccurrences && { monthlyOccurrences: monthlyOccurrences.map(occurrenceOf) }),
      },
    }),
  };
}
