/** Gregorian calendar arithmetic: days since 1970, months since year 0, milliseconds. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** End of the year 9999, the last year with four digits. */
export const INSTANT_MS_MAX = 253_402_300_799_999;

export function floorDivide(dividend: number, divisor: number): number {
  return Math.floor(dividend / divisor);
}

/** Never negative for a positive divisor, unlike `%`. */
export function floorModulo(dividend: number, divisor: number): number {
  return dividend - divisor * Math.floor(dividend / divisor);
}

export function greatestCommonDivisor(first: number, second: number): number {
  return second === 0 ? first : greatestCommonDivisor(second, first % second);
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);
}

/** Counts in years that begin on 1 March, so that the leap day comes last. */
export function dayNumberOf(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = floorDivide(marchYear, 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = floorDivide(153 * floorModulo(month - 3, 12) + 2, 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + floorDivide(yearOfEra, 4) - floorDivide(yearOfEra, 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export type CalendarDate = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
};

export function dateOfDay(dayNumber: number): CalendarDate {
  const shifted = dayNumber + 719_468;
  const era = floorDivide(shifted, 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = floorDivide(
    dayOfEra - floorDivide(dayOfEra, 1_460) + floorDivide(dayOfEra, 36_524) - floorDivide(dayOfEra, 146_096),
    365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + floorDivide(yearOfEra, 4) - floorDivide(yearOfEra, 100));
  const marchMonth = floorDivide(5 * dayOfYear + 2, 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - floorDivide(153 * marchMonth + 2, 5) + 1 };
}

/** 0 is Sunday. */
export function weekDayOf(dayNumber: number): number {
  return floorModulo(dayNumber + 4, 7);
}

export function monthNumberOf({ year, month }: CalendarDate): number {
  return year * 12 + month - 1;
}

/** Same day and time after a number of months, or the last day of a shorter month. */
export function addMonths(instantMs: number, months: number): number {
  const dayNumber = floorDivide(instantMs, DAY_MS);
  const date = dateOfDay(dayNumber);
  const target = monthNumberOf(date) + months;
  const year = floorDivide(target, 12);
  const month = floorModulo(target, 12) + 1;
  const day = Math.min(date.day, daysInMonth(year, month));
  return dayNumberOf(year, month, day) * DAY_MS + floorModulo(instantMs, DAY_MS);
}
