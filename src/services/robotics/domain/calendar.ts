/** UTC calendar arithmetic. Days count from 1 January 1970. */

const DAY_SECONDS = 86_400;
/** Days of the 400-year cycle. */
const CYCLE_DAYS = 146_097;
/** Days from 1 March of year 0 to 1 January 1970. Years from March have their leap day at the end. */
const OFFSET_DAYS = 719_468;

export type CalendarDay = { readonly year: number; readonly month: number; readonly day: number };

/** Months start at 1. */
export function daysOf({ year, month, day }: CalendarDay): number {
  const fromMarch = month > 2 ? month - 3 : month + 9;
  const years = month > 2 ? year : year - 1;
  const cycle = Math.floor(years / 400);
  const inCycle = years - cycle * 400;
  const inYear = Math.floor((153 * fromMarch + 2) / 5) + day - 1;
  const days = inCycle * 365 + Math.floor(inCycle / 4) - Math.floor(inCycle / 100) + inYear;
  return cycle * CYCLE_DAYS + days - OFFSET_DAYS;
}
export function dayOf(days: number): CalendarDay {
  const shifted = days + OFFSET_DAYS;
  const cycle = Math.floor(shifted / CYCLE_DAYS);
  const inCycle = shifted - cycle * CYCLE_DAYS;
  const years = Math.floor(
    (inCycle - Math.floor(inCycle / 1460) + Math.floor(inCycle / 36_524) - Math.floor(inCycle / 146_096)) /
      365,
  );
  const inYear = inCycle - (365 * years + Math.floor(years / 4) - Math.floor(years / 100));
  const fromMarch = Math.floor((5 * inYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: years + cycle * 400 + (month <= 2 ? 1 : 0),
    month,
    day: inYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}
/** Sunday is 0. 1 January 1970 was a Thursday. */
export const weekdayOf = (days: number): number => (((days + 4) % 7) + 7) % 7;

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
export const two = (value: number): string => String(value).padStart(2, "0");

export function httpDateOf(second: number): string {
  const days = Math.floor(second / DAY_SECONDS);
  const { year, month, day } = dayOf(days);
  const rest = second - days * DAY_SECONDS;
  const time = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60].map(two).join(":");
  return `${WEEKDAYS[weekdayOf(days)]}, ${two(day)} ${MONTHS[month - 1]} ${year} ${time} GMT`;
}

const TIME = "(\\d{2}):(\\d{2}):(\\d{2})";
/** The HTTP date format, and the two obsolete formats that RFC 9110 requires servers to accept. */
const FORMS = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) (?<time>${TIME}) GMT$`),
  new RegExp(
    `^[A-Z][a-z]{5,8}, (?<day>\\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\\d{2}) (?<time>${TIME}) GMT$`,
  ),
  new RegExp(`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) (?<time>${TIME}) (?<year>\\d{4})$`),
];
const FORM_LENGTH = 29;
/** Fast path by fixed positions. It is valid if it formats to the same text. */
function findUsualSecond(text: string): number | undefined {
  if (text.length !== FORM_LENGTH) return undefined;
  const month = MONTHS.indexOf(text.slice(8, 11)) + 1;
  const days = daysOf({ year: Number(text.slice(12, 16)), month, day: Number(text.slice(5, 7)) });
  const rest =
    Number(text.slice(17, 19)) * 3600 + Number(text.slice(20, 22)) * 60 + Number(text.slice(23, 25));
  const second = days * DAY_SECONDS + rest;
  return httpDateOf(second) === text ? second : undefined;
}
/** Undefined if the text is not an HTTP date. */
export function findHttpSecond(text: string): number | undefined {
  return findUsualSecond(text) ?? findSecondByForm(text);
}
function findSecondByForm(text: string): number | undefined {
  for (const form of FORMS) {
    const { day, month = "", year, time = "" } = form.exec(text)?.groups ?? {};
    if (day === undefined) continue;
    const at = MONTHS.indexOf(month) + 1;
    const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
    if (at === 0 || Number(day) < 1 || Number(day) > 31 || hours > 23 || minutes > 59 || seconds > 60)
      return undefined;
    const fullYear = String(year).length === 2 ? shortYear(Number(year)) : Number(year);
    const days = daysOf({ year: fullYear, month: at, day: Number(day) });
    return days * DAY_SECONDS + hours * 3600 + minutes * 60 + seconds;
  }
  return undefined;
}
const shortYear = (year: number): number => (year < 70 ? 2000 + year : 1900 + year);
