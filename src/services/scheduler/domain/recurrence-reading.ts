/** Reads a recurrence from a request body and says everything that is wrong with it. */
import { addMonths } from "./calendar.ts";
import { findInstant } from "./iso-time.ts";
import { planOf } from "./occurrences.ts";
import { findWord, isGiven, isObject, type Problem, type Reading } from "./problems.ts";
import {
  COUNT_MAX,
  FREQUENCIES,
  type Frequency,
  intervalMax,
  type Recurrence,
  START_AHEAD_MONTHS_MAX,
} from "./recurrence.ts";
import { readSchedule } from "./schedule-reading.ts";
import { isTimeZone } from "./time-zone.ts";

export type RecurrenceContext = {
  /** Left out, rules about the order of start and end are not applied. */
  readonly startTimeMs?: number;
  /** Left out, an end time in the past is let pass, as it must be when a stored job is read again. */
  readonly nowMs?: number;
};

const ROOT = "recurrence";

function readInteger(
  value: unknown,
  path: string,
  { min, max }: { min: number; max: number },
  problems: Problem[],
): number | undefined {
  if (!isGiven(value)) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  problems.push({ path, message: `${path} must be a whole number from ${min} to ${max}.` });
  return undefined;
}

function readFrequency(value: unknown, problems: Problem[]): Frequency | undefined {
  const frequency = findWord(FREQUENCIES, value);
  if (frequency === undefined) {
    const path = `${ROOT}.frequency`;
    const reason = isGiven(value) ? "must be one of" : "is required and must be one of";
    problems.push({ path, message: `${path} ${reason} ${FREQUENCIES.join(", ")}.` });
  }
  return frequency;
}

function readEndTime(value: unknown, context: RecurrenceContext, problems: Problem[]): number | undefined {
  if (!isGiven(value)) return undefined;
  const path = `${ROOT}.endTime`;
  const endTimeMs = typeof value === "string" ? findInstant(value) : undefined;
  if (endTimeMs === undefined) {
    problems.push({ path, message: `${path} must be an ISO 8601 date-time such as 2030-01-31T08:00:00Z.` });
  } else if (context.startTimeMs !== undefined && endTimeMs < context.startTimeMs) {
    problems.push({ path, message: `${path} lies before startTime.` });
  } else if (context.nowMs !== undefined && endTimeMs <= context.nowMs) {
    problems.push({ path, message: `${path} lies in the past.` });
  }
  return endTimeMs;
}

function readTimeZone(value: unknown, problems: Problem[]): string | undefined {
  if (!isGiven(value)) return undefined;
  if (typeof value === "string" && isTimeZone(value)) return value;
  const path = `${ROOT}.timeZone`;
  problems.push({ path, message: `${path} must be the name of a time zone such as Europe/Paris.` });
  return undefined;
}

/** Some schedules are well formed and yet fit no date at all, such as 30 February every year. */
function checkComesDue(recurrence: Recurrence, startTimeMs: number, problems: Problem[]): void {
  if (planOf(recurrence, startTimeMs).find(startTimeMs - 1) !== undefined) return;
  const path = `${ROOT}.schedule`;
  problems.push({ path, message: `${path} never comes due: no date fits all of its parts.` });
}

/** Words may be of any case and single numbers may stand for lists of one; the result is in the one true spelling. */
export function readRecurrence(value: unknown, context: RecurrenceContext = {}): Reading<Recurrence> {
  if (!isObject(value)) return { problems: [{ path: ROOT, message: `${ROOT} must be an object.` }] };
  const problems: Problem[] = [];
  const frequency = readFrequency(value.frequency, problems);
  const interval = { min: 1, max: frequency === undefined ? intervalMax.Minute : intervalMax[frequency] };
  const parts = {
    interval: readInteger(value.interval, `${ROOT}.interval`, interval, problems) ?? 1,
    count: readInteger(value.count, `${ROOT}.count`, { min: 1, max: COUNT_MAX }, problems),
    endTimeMs: readEndTime(value.endTime, context, problems),
    schedule: readSchedule(value.schedule, frequency, `${ROOT}.schedule`, problems),
    timeZone: readTimeZone(value.timeZone, problems),
  };
  if (frequency === undefined || problems.length > 0) return { problems };
  const recurrence: Recurrence = { frequency, ...withoutUndefined(parts) };
  checkComesDue(recurrence, context.startTimeMs ?? context.nowMs ?? 0, problems);
  return problems.length > 0 ? { problems } : { problems, value: recurrence };
}

function withoutUndefined<Parts extends object>(parts: Parts): Parts {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Parts;
}

export function validateRecurrence(value: unknown, context: RecurrenceContext = {}): readonly Problem[] {
  return readRecurrence(value, context).problems;
}

/** A start time may lie in the past but not too far ahead. */
export function readStartTime(value: unknown, nowMs: number): Reading<number> {
  const path = "startTime";
  const startTimeMs = typeof value === "string" ? findInstant(value) : undefined;
  if (startTimeMs === undefined) {
    const message = `${path} must be an ISO 8601 date-time such as 2030-01-31T08:00:00Z.`;
    return { problems: [{ path, message }] };
  }
  if (startTimeMs > addMonths(nowMs, START_AHEAD_MONTHS_MAX)) {
    return {
      problems: [{ path, message: `${path} may lie at most ${START_AHEAD_MONTHS_MAX} months ahead.` }],
    };
  }
  return { problems: [], value: startTimeMs };
}
