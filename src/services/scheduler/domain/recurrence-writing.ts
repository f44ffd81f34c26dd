/** Writes a recurrence as the interface spells it. */
import { instantText } from "./iso-time.ts";
import type { Frequency, Recurrence, Schedule, WeekDay } from "./recurrence.ts";

export interface ScheduleText extends Omit<Schedule, "monthlyOccurrences"> {
  readonly monthlyOccurrences?: readonly { readonly day: WeekDay; readonly Occurrence?: number }[];
}
export type RecurrenceText = {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count?: number;
  readonly endTime?: string;
  readonly schedule?: ScheduleText;
  readonly timeZone?: string;
};

function writeSchedule({ monthlyOccurrences, ...rest }: Schedule): ScheduleText {
  return {
    ...rest,
    ...(monthlyOccurrences !== undefined && {
      monthlyOccurrences: monthlyOccurrences.map(({ day, occurrence }) => ({
        day,
        ...(occurrence !== undefined && { Occurrence: occurrence }),
      })),
    }),
  };
}

export function writeRecurrence({ endTimeMs, schedule, ...rest }: Recurrence): RecurrenceText {
  return {
    ...rest,
    ...(endTimeMs !== undefined && { endTime: instantText(endTimeMs) }),
    ...(schedule !== undefined && { schedule: writeSchedule(schedule) }),
  };
}
