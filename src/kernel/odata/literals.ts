/** Reads the literal forms of `$filter`: numbers, date-times and guids, each by hand-written checks in linear time. */
import { FilterSyntaxError } from "./errors.ts";

const GUID_HYPHEN_INDEXES = new Set([8, 13, 18, 23]);
export const GUID_LENGTH = 36;

export function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

function isHexDigit(character: string): boolean {
  return (
    isDigit(character) || (character >= "a" && character <= "f") || (character >= "A" && character <= "F")
  );
}

export function isGuid(text: string): boolean {
  if (text.length !== GUID_LENGTH) return false;
  for (let index = 0; index < GUID_LENGTH; index += 1) {
    const character = text.charAt(index);
    if (GUID_HYPHEN_INDEXES.has(index) ? character !== "-" : !isHexDigit(character)) return false;
  }
  return true;
}

/** Bounded repetitions only, so matching is linear. A missing offset means UTC, as the old services read it. */
const DATE_TIME_PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?([Zz]|[+-]\d{2}:\d{2})?)?$/;

export function looksLikeDate(text: string): boolean {
  return text.length >= 8 && isDigit(text[0]) && text[4] === "-" && text[7] === "-";
}

function offsetMinutesOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "Z" || text === "z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (hours > 14 || minutes > 59) return undefined;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** Milliseconds since 1970 UTC, or undefined when the text is no date-time of the calendar. */
export function findDateTime(text: string): number | undefined {
  const match = DATE_TIME_PATTERN.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "0", offset] = match;
  const offsetMinutes = offsetMinutesOf(offset);
  if (offsetMinutes === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second), milliseconds);
  return date.getTime() - offsetMinutes * 60_000;
}

/** A trailing letter states the width in the older protocol (5L, 1.5M, 2f, 1e3d); it does not change the value. */
const NUMBER_PATTERN = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?[LlMmDdFf]?$/;

export function getNumber(text: string, position: number): number {
  if (!NUMBER_PATTERN.test(text)) {
    throw new FilterSyntaxError(
      `'${text}' at position ${position} is not a number, a date-time or a guid.`,
      position,
    );
  }
  const last = text.charAt(text.length - 1);
  const value = Number(isDigit(last) ? text : text.slice(0, -1));
  if (!Number.isFinite(value)) {
    throw new FilterSyntaxError(`The number at position ${position} is too large.`, position);
  }
  return value;
}
