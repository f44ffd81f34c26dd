/**
 * Schemas of recurrences, one per frequency, because each has its own maximum interval and schedule parts.
 */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import {
  byKind,
  described,
  given,
  oneOrMore,
  otherwise,
  type Rule,
  ruled,
  says,
  shownOf,
  words,
} from "#kernel/shape";
import {
  COUNT_MAX,
  FREQUENCIES,
  type Frequency,
  intervalMax,
  isTimeZone,
  type SchedulePart,
  scheduleParts,
  WEEK_DAYS,
} from "../domain/index.ts";
import { about, instant } from "./members.ts";

/** Integers from 1 to `max`, or the same range counted from the end of the month. */
function fromEitherEnd(max: number, description: string, example: number) {
  const wanted = `must be a whole number from 1 to ${max}, or from -1 to -${max} counted from the end of the month`;
  const number = Type.Integer({ minimum: -max, maximum: max, ...about(description, example) });
  return ruled(says(number, wanted), {
    name: "notZero",
    says: wanted,
    check: (value: number) => value !== 0,
  });
}
/** A list longer than `itemsMax` would only contain duplicates. */
const list = <T extends TSchema>(item: T, itemsMax: number, description: string, example: unknown[]) =>
  given(described(oneOrMore(item, { itemsMax }), description, example));

const weekDay = () => described(words(WEEK_DAYS), "A day of the week.", "Friday");
const OCCURRENCE_MAX = 5;
const occurrence = () =>
  fromEitherEnd(
    OCCURRENCE_MAX,
    "The first to fifth such day of the month, or counted from its end when negative. Left out, every one of them.",
    -1,
  );
const monthlyOccurrence = Type.Object({ day: weekDay(), Occurrence: given(occurrence()) });
const givenOccurrence = Type.Object({
  ...monthlyOccurrence.properties,
  occurrence: given(described(occurrence(), "Occurrence, as some clients spell it.", -1)),
});
const scheduleOf = <T extends TSchema>(monthly: T) =>
  Type.Object({
    minutes: list(
      Type.Integer({ minimum: 0, maximum: 59, ...about("A minute.", 30) }),
      60,
      "Minutes of an hour; alone, of every hour.",
      [0, 30],
    ),
    hours: list(
      Type.Integer({ minimum: 0, maximum: 23, ...about("An hour.", 3) }),
      24,
      "Hours of a day; alone, at the minute and second of the start.",
      [3, 15],
    ),
    weekDays: list(weekDay(), 7, "Days of a week, of the frequency Week.", ["Monday", "Friday"]),
    monthDays: list(
      fromEitherEnd(31, "A day of a month; negative ones count from its end.", -1),
      62,
      "Days of a month, of the frequency Month.",
      [1, -1],
    ),
    monthlyOccurrences: list(
      says(monthly, "must be an object with day and Occurrence"),
      77,
      "Week days by their number in a month, of the frequency Month.",
      [{ day: "Friday", Occurrence: -1 }],
    ),
  });
const givenSchedule = scheduleOf(givenOccurrence);
export type GivenSchedule = Static<typeof givenSchedule>;

const SCHEDULE_PARTS = Object.keys(givenSchedule.properties) as SchedulePart[];
type Scheduled = { readonly schedule?: GivenSchedule };

/** Rejects a schedule part that the frequency does not support. */
function partRule(part: SchedulePart, frequency: Frequency): Rule {
  const allowed = FREQUENCIES.filter((one) => scheduleParts[one].includes(part));
  return {
    name: `${part}GoWithFrequency`,
    says: `can be given with the frequency ${allowed.join(" or ")} only, not with ${frequency}`,
    of: [`schedule.${part}`],
    at: `schedule.${part}`,
    check: ({ schedule }: Scheduled) => (schedule?.[part] ?? []).length === 0,
  };
}

/** `frequency`, and `interval` as the number of units between two runs. */
export const frequencyMembers = (frequency: Frequency, example = 1) => ({
  frequency: described(words([frequency]), "What the interval counts.", frequency),
  interval: otherwise(
    Type.Integer({
      minimum: 1,
      maximum: intervalMax[frequency],
      ...about("How many of these lie between two runs; 1 when left out.", example),
    }),
    1,
  ),
});
const timeZone = ruled(
  says(
    Type.String({
      maxLength: 100,
      ...about("The zone whose wall clock the schedule means; UTC when left out.", "Europe/Paris"),
    }),
    "must be the name of a time zone such as Europe/Paris",
  ),
  {
    name: "timeZone",
    says: "must be the name of a time zone such as Europe/Paris",
    check: (value: string) => isTimeZone(value),
  },
);
const recurrenceOf = <T extends TSchema>(frequency: Frequency, schedule: T) =>
  ruled(
    Type.Object({
      ...frequencyMembers(frequency),
      count: given(
        Type.Integer({
          minimum: 1,
          maximum: COUNT_MAX,
          ...about("How many runs there shall be; without end when left out.", 10),
        }),
      ),
      endTime: given(instant("The last instant at which the job may run.")),
      timeZone: given(timeZone),
      schedule: given(
        described(schedule, "When within the frequency the job runs.", { hours: [3], minutes: [30] }),
      ),
    }),
    ...SCHEDULE_PARTS.filter((part) => !scheduleParts[frequency].includes(part)).map((part) =>
      partRule(part, frequency),
    ),
  );
const recurrenceWith = <T extends TSchema>(schedule: T) =>
  described(
    byKind(
      "frequency",
      FREQUENCIES.map((frequency) => recurrenceOf(frequency, schedule)),
    ),
    "How often the job runs. A job without it runs once.",
    { frequency: "Day", interval: 1, schedule: { hours: [3], minutes: [30] } },
  );
export const recurrence = recurrenceWith(givenSchedule);
export type GivenRecurrence = Static<typeof recurrence>;
export const shownRecurrence = shownOf(recurrenceWith(scheduleOf(monthlyOccurrence)));
