/** Reads the schedule of a recurrence: ranges of its numbers and which parts go with which frequency. */
import { findWord, isGiven, isObject, type Problem } from "./problems.ts";
import {
  type Frequency,
  type MonthlyOccurrence,
  type Schedule,
  type SchedulePart,
  scheduleParts,
  WEEK_DAYS,
  type WeekDay,
} from "./recurrence.ts";

const OCCURRENCE_MAX = 5;

/** Longer lists could only repeat themselves. */
const partSizeMax: Readonly<Record<SchedulePart, number>> = {
  minutes: 60,
  hours: 24,
  weekDays: 7,
  monthDays: 62,
  monthlyOccurrences: 77,
};

const numberRules = {
  minutes: { fits: (value: number) => value >= 0 && value <= 59, says: "from 0 to 59" },
  hours: { fits: (value: number) => value >= 0 && value <= 23, says: "from 0 to 23" },
  monthDays: {
    fits: (value: number) => value !== 0 && Math.abs(value) <= 31,
    says: "from 1 to 31, or from -1 to -31 counted from the end of the month",
  },
} as const;

type ReadItem<Item> = (value: unknown, path: string, problems: Problem[]) => Item | undefined;

function numberItem(part: keyof typeof numberRules): ReadItem<number> {
  return (value, path, problems) => {
    const { fits, says } = numberRules[part];
    if (typeof value === "number" && Number.isInteger(value) && fits(value)) return value;
    problems.push({ path, message: `${path} must be a whole number ${says}.` });
    return undefined;
  };
}

const weekDayItem: ReadItem<WeekDay> = (value, path, problems) => {
  const weekDay = findWord(WEEK_DAYS, value);
  if (weekDay === undefined)
    problems.push({ path, message: `${path} must be one of ${WEEK_DAYS.join(", ")}.` });
  return weekDay;
};

/** The interface spells the number `Occurrence` and its documentation `occurrence`; both are understood. */
const monthlyOccurrenceItem: ReadItem<MonthlyOccurrence> = (value, path, problems) => {
  if (!isObject(value)) {
    problems.push({ path, message: `${path} must be an object with day and Occurrence.` });
    return undefined;
  }
  const day = weekDayItem(value.day, `${path}.day`, problems);
  const occurrence = value.Occurrence ?? value.occurrence;
  if (!isGiven(occurrence)) return day && { day };
  const whole = typeof occurrence === "number" && Number.isInteger(occurrence);
  if (!whole || occurrence === 0 || Math.abs(occurrence) > OCCURRENCE_MAX) {
    const message = `${path}.Occurrence must be a whole number from 1 to ${OCCURRENCE_MAX}, or from -1 to -${OCCURRENCE_MAX} counted from the end of the month.`;
    problems.push({ path: `${path}.Occurrence`, message });
    return undefined;
  }
  return day && { day, occurrence };
};

/** An empty list is as good as none; repeated items count once. */
function readList<Item>(
  schedule: Record<string, unknown>,
  part: SchedulePart,
  root: string,
  readItem: ReadItem<Item>,
  problems: Problem[],
): readonly Item[] | undefined {
  const value = schedule[part];
  if (!isGiven(value)) return undefined;
  const items = Array.isArray(value) ? value : [value];
  const path = `${root}.${part}`;
  if (items.length > partSizeMax[part]) {
    problems.push({ path, message: `${path} may have at most ${partSizeMax[part]} items.` });
    return undefined;
  }
  const read = new Map<string, Item>();
  for (const [index, item] of items.entries()) {
    const known = readItem(item, Array.isArray(value) ? `${path}[${index}]` : path, problems);
    if (known !== undefined) read.set(JSON.stringify(known), known);
  }
  return read.size === 0 ? undefined : [...read.values()];
}

function checkParts(schedule: Schedule, frequency: Frequency, root: string, problems: Problem[]): void {
  for (const part of Object.keys(schedule) as SchedulePart[]) {
    if (scheduleParts[frequency].includes(part)) continue;
    const allowed = Object.keys(scheduleParts).filter((name) =>
      scheduleParts[name as Frequency].includes(part),
    );
    const path = `${root}.${part}`;
    problems.push({
      path,
      message: `${path} can be given with the frequency ${allowed.join(" or ")} only, not with ${frequency}.`,
    });
  }
}

/** Undefined when no part is given, so that an empty schedule is no schedule. */
export function readSchedule(
  value: unknown,
  frequency: Frequency | undefined,
  root: string,
  problems: Problem[],
): Schedule | undefined {
  if (!isGiven(value)) return undefined;
  if (!isObject(value)) {
    problems.push({ path: root, message: `${root} must be an object.` });
    return undefined;
  }
  const parts: Schedule = {
    minutes: readList(value, "minutes", root, numberItem("minutes"), problems),
    hours: readList(value, "hours", root, numberItem("hours"), problems),
    weekDays: readList(value, "weekDays", root, weekDayItem, problems),
    monthDays: readList(value, "monthDays", root, numberItem("monthDays"), problems),
    monthlyOccurrences: readList(value, "monthlyOccurrences", root, monthlyOccurrenceItem, problems),
  };
  const given = Object.entries(parts).filter(([, part]) => part !== undefined);
  if (given.length === 0) return undefined;
  const schedule = Object.fromEntries(given) as Schedule;
  if (frequency !== undefined) checkParts(schedule, frequency, root, problems);
  return schedule;
}
