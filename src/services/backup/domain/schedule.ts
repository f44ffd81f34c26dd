/** When a plan's rule runs: cron expressions of six fields, in a named time zone. */
import { Cron } from "croner";
import { dateOf } from "#kernel/clock";
import { errors } from "../errors.ts";

export type Schedule = { readonly expression: string; readonly timezone: string };

export const DEFAULT_EXPRESSION = "cron(0 5 ? * * *)";
export const DEFAULT_TIMEZONE = "Etc/UTC";

const EXPRESSION_LENGTH_MAX = 256;
const INTERVAL_MIN_MS = 3_600_000;
/** The number of consecutive occurrences to check: enough to see each minute and hour of an expression. */
const INTERVALS_LOOKED_AT = 60;

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

type Field = {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Names for the numbers of the field, starting at `from`. */
  readonly names?: readonly string[];
  /**
   * Translates a special value of this field into the cron engine's syntax. Returns undefined for any other
   * value.
   */
  special?(part: string, numberOf: (text: string) => number): string | undefined;
};

const NEAREST_WORKDAY = /^(\d{1,2})W$/;
const WEEKDAY_OF_MONTH = /^([A-Z0-9]{1,3})(L|#[1-5])$/;

function dayOfMonthSpecial(part: string): string | undefined {
  if (part === "L" || part === "LW") return part;
  const day = Number(NEAREST_WORKDAY.exec(part)?.[1]);
  return day >= 1 && day <= 31 ? `${day}W` : undefined;
}
function dayOfWeekSpecial(part: string, numberOf: (text: string) => number): string | undefined {
  if (part === "L") return "6";
  const match = WEEKDAY_OF_MONTH.exec(part);
  return match ? `${numberOf(match[1] ?? "") - 1}${match[2]}` : undefined;
}

const fields: readonly Field[] = [
  { name: "minutes", from: 0, to: 59 },
  { name: "hours", from: 0, to: 23 },
  { name: "day of month", from: 1, to: 31, special: dayOfMonthSpecial },
  { name: "month", from: 1, to: 12, names: MONTHS },
  { name: "day of week", from: 1, to: 7, names: WEEKDAYS, special: dayOfWeekSpecial },
  { name: "year", from: 1970, to: 2199 },
];
const DAY_OF_MONTH = 2;
const DAY_OF_WEEK = 4;

const refuse = (expression: string, why: string): Error =>
  errors.invalidParameterValue(`The schedule expression ${expression} is not valid: ${why}.`);

function numberIn(field: Field, text: string, expression: string): number {
  const named = field.names?.indexOf(text) ?? -1;
  const value = named >= 0 ? named + field.from : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= field.from && value <= field.to) return value;
  throw refuse(expression, `"${text}" is not one of the ${field.name}`);
}

/** The engine counts days of the week from 0, expressions from 1. */
function translatePart(field: Field, part: string, expression: string): string {
  const numberOf = (text: string) => numberIn(field, text, expression);
  const special = field.special?.(part, numberOf);
  if (special !== undefined) return special;
  const shift = field === fields[DAY_OF_WEEK] ? 1 : 0;
  const [range = "", step, ...more] = part.split("/");
  if (more.length > 0) throw refuse(expression, `"${part}" has more than one step`);
  if (step !== undefined && (!/^\d{1,4}$/.test(step) || Number(step) < 1 || Number(step) > field.to))
    throw refuse(expression, `"${step}" is not a step`);
  const [first = "", last, ...rest] = range.split("-");
  if (rest.length > 0) throw refuse(expression, `"${range}" is not a range`);
  const open = step === undefined ? "" : `-${field.to - shift}`;
  let translated = "*";
  if (last !== undefined) {
    if (numberOf(first) > numberOf(last)) throw refuse(expression, `"${range}" runs backwards`);
    translated = `${numberOf(first) - shift}-${numberOf(last) - shift}`;
  } else if (first !== "*") translated = `${numberOf(first) - shift}${open}`;
  return step === undefined ? translated : `${translated}/${step}`;
}

function translate(expression: string): string {
  if (expression.length > EXPRESSION_LENGTH_MAX) throw refuse("given", "it is too long");
  const inner = /^cron\(([^()]*)\)$/.exec(expression)?.[1];
  if (inner === undefined) throw refuse(expression, 'it has to look like "cron(0 5 ? * * *)"');
  const texts = inner.trim().toUpperCase().split(/\s+/);
  if (texts.length !== fields.length) throw refuse(expression, "it needs six fields");
  const open = (index: number) => texts[index] === "?";
  if (open(DAY_OF_MONTH) === open(DAY_OF_WEEK))
    throw refuse(expression, 'one of day of month and day of week, and not the other, has to be "?"');
  const translated = fields.map((field, index) => {
    const text = texts[index] ?? "";
    if (text === "?" && (index === DAY_OF_MONTH || index === DAY_OF_WEEK)) return "*";
    return text
      .split(",")
      .map((part) => translatePart(field, part, expression))
      .join(",");
  });
  return ["0", ...translated].join(" ");
}

const engineOf = ({ expression, timezone }: Schedule): Cron =>
  new Cron(translate(expression), { timezone, paused: true });

/**
 * The first occurrence after an instant. A time of day that a change of the clock leaves out comes at the first
 * instant after the gap; one that a change repeats comes the first time alone, unless every hour is meant.
 */
export const findNextOccurrence = (schedule: Schedule, afterMs: number): number | undefined =>
  engineOf(schedule).nextRun(dateOf(afterMs))?.getTime();

export function checkTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
  } catch {
    throw errors.invalidParameterValue(`There is no time zone ${timezone}.`);
  }
}

/** Occurrences from `nowMs` on: there has to be one, and no two closer than an hour. */
export function checkSchedule(schedule: Schedule, nowMs: number): void {
  checkTimezone(schedule.timezone);
  const engine = engineOf(schedule);
  let before = engine.nextRun(dateOf(nowMs));
  if (!before) throw refuse(schedule.expression, "it never comes due");
  for (let looked = 0; looked < INTERVALS_LOOKED_AT; looked += 1) {
    const next = engine.nextRun(before);
    if (!next) return;
    // A clock change can move an occurrence out of its gap and close to the next one. That is allowed.
    if (next.getTime() - before.getTime() < INTERVAL_MIN_MS && !isMoved(schedule, before.getTime()))
      throw refuse(schedule.expression, "occurrences have to be an hour apart at least");
    before = next;
  }
}

/** Whether the clock has been put forward in the hour before. */
function isMoved({ timezone }: Schedule, atMs: number): boolean {
  const hourOf = (ms: number) =>
    Number(
      new Intl.DateTimeFormat("en", { timeZone: timezone, hour: "numeric", hourCycle: "h23" }).format(ms),
    );
  const hours = hourOf(atMs) - hourOf(atMs - INTERVAL_MIN_MS);
  return (hours + 24) % 24 > 1;
}

/** The longest time between two occurrences among the next ones: how often something happens, at the least. */
export function longestIntervalMs(schedule: Schedule, nowMs: number): number {
  const engine = engineOf(schedule);
  let before = engine.nextRun(dateOf(nowMs));
  let longest = 0;
  for (let looked = 0; before && looked < INTERVALS_LOOKED_AT; looked += 1) {
    const next = engine.nextRun(before);
    if (!next) return Number.POSITIVE_INFINITY;
    longest = Math.max(longest, next.getTime() - before.getTime());
    before = next;
  }
  return before ? longest : Number.POSITIVE_INFINITY;
}
