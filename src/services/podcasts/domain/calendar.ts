/** UTC calendar arithmetic. */

const DAY_MS = 86_400_000;

/** Days since 1970-01-01 in the Gregorian calendar. */
function daysOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  );
}
export const beginOfDayMs = (year: number, month: number, day: number): number =>
  daysOf(year, month, day) * DAY_MS;
export const daysInMonth = (year: number, month: number): number =>
  daysOf(month === 12 ? year + 1 : year, (month % 12) + 1, 1) - daysOf(year, month, 1);
