/**
 * The say-as element: reads dates, amounts and telephone numbers aloud. Content that does not match its kind
 * is read as written.
 */
import { findCardinalWords, findOrdinalWords, wholeWords, yearWords } from "./number-words.ts";

type Reader = (text: string, format: string | undefined) => string;

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

const DATE_FORMATS = ["mdy", "dmy", "ymd", "md", "dm", "ym", "my", "d", "m", "y", "yyyymmdd"] as const;
const TIME_FORMATS = ["hms12", "hms24", "hm12", "hm24"] as const;

/** Singular, plural, and name of the hundredth. */
const CURRENCIES: ReadonlyMap<string, readonly [string, string, string]> = new Map([
  ["$", ["dollar", "dollars", "cent"]],
  ["USD", ["dollar", "dollars", "cent"]],
  ["€", ["euro", "euros", "cent"]],
  ["EUR", ["euro", "euros", "cent"]],
  ["£", ["pound", "pounds", "penny"]],
  ["GBP", ["pound", "pounds", "penny"]],
  ["¥", ["yen", "yen", "sen"]],
  ["JPY", ["yen", "yen", "sen"]],
  ["CHF", ["franc", "francs", "centime"]],
  ["₹", ["rupee", "rupees", "paisa"]],
  ["INR", ["rupee", "rupees", "paisa"]],
  ["CAD", ["Canadian dollar", "Canadian dollars", "cent"]],
  ["AUD", ["Australian dollar", "Australian dollars", "cent"]],
]);

const UNITS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["mm", ["millimetre", "millimetres"]],
  ["cm", ["centimetre", "centimetres"]],
  ["m", ["metre", "metres"]],
  ["meter", ["metre", "metres"]],
  ["km", ["kilometre", "kilometres"]],
  ["in", ["inch", "inches"]],
  ["inch", ["inch", "inches"]],
  ["ft", ["foot", "feet"]],
  ["foot", ["foot", "feet"]],
  ["yd", ["yard", "yards"]],
  ["mi", ["mile", "miles"]],
  ["mg", ["milligram", "milligrams"]],
  ["g", ["gram", "grams"]],
  ["kg", ["kilogram", "kilograms"]],
  ["oz", ["ounce", "ounces"]],
  ["lb", ["pound", "pounds"]],
  ["ml", ["millilitre", "millilitres"]],
  ["l", ["litre", "litres"]],
  ["ms", ["millisecond", "milliseconds"]],
  ["s", ["second", "seconds"]],
  ["sec", ["second", "seconds"]],
  ["min", ["minute", "minutes"]],
  ["h", ["hour", "hours"]],
  ["mph", ["mile per hour", "miles per hour"]],
  ["km/h", ["kilometre per hour", "kilometres per hour"]],
  ["°c", ["degree Celsius", "degrees Celsius"]],
  ["°f", ["degree Fahrenheit", "degrees Fahrenheit"]],
  ["%", ["per cent", "per cent"]],
  ["kb", ["kilobyte", "kilobytes"]],
  ["mb", ["megabyte", "megabytes"]],
  ["gb", ["gigabyte", "gigabytes"]],
]);

const PUNCTUATION_NAMES: ReadonlyMap<string, string> = new Map([
  [".", "dot"],
  [",", "comma"],
  ["-", "dash"],
  ["_", "underscore"],
  ["/", "slash"],
  ["\\", "backslash"],
  ["@", "at"],
  ["#", "hash"],
  ["&", "and"],
  ["+", "plus"],
  ["*", "star"],
  ["=", "equals"],
  ["%", "percent"],
  ["$", "dollar"],
  ["!", "exclamation mark"],
  ["?", "question mark"],
  [":", "colon"],
  [";", "semicolon"],
  ["'", "apostrophe"],
  ['"', "quote"],
  ["(", "open bracket"],
  [")", "close bracket"],
  ["<", "less than"],
  [">", "greater than"],
  ["~", "tilde"],
]);

/** The engine would read a single "a" as the article. */
const LETTER_NAMES: ReadonlyMap<string, string> = new Map([["a", "ay"]]);

function spell(text: string): string {
  const names: string[] = [];
  for (const character of text.normalize("NFC")) {
    const lower = character.toLowerCase();
    if (/\s/u.test(character)) names.push(",");
    else names.push(PUNCTUATION_NAMES.get(character) ?? LETTER_NAMES.get(lower) ?? lower.toUpperCase());
  }
  return names.join(" ").replaceAll(" ,", ",");
}

function readDigits(text: string): string {
  return [...text.replaceAll(/\s+/g, "")].map((character) => (character === "-" ? "," : character)).join(" ");
}

function readTelephone(text: string): string {
  const groups = text.match(/\+|\d+|[A-Za-z]+/g) ?? [];
  return groups
    .map((group) => {
      if (group === "+") return "plus";
      if (/^(?:x|ext|extension)$/i.test(group)) return "extension,";
      if (/^\d/.test(group)) return `${[...group].join(" ")},`;
      return spell(group);
    })
    .join(" ")
    .replace(/,$/, "");
}

function readFraction(text: string): string {
  const match = /^(?:(\d+)[+ ])?(\d{1,9})\/(\d{1,9})$/.exec(text.trim());
  if (match === null) return text;
  const [, whole, top = "", bottom = ""] = match;
  const isOne = Number(top) === 1;
  const part = fractionPart(Number(bottom), isOne);
  const count = isOne && whole !== undefined ? "a" : (findCardinalWords(top) ?? top);
  const words = `${count} ${part}`;
  return whole === undefined ? words : `${findCardinalWords(whole)} and ${words}`;
}

function fractionPart(bottom: number, isOne: boolean): string {
  if (bottom === 2) return isOne ? "half" : "halves";
  if (bottom === 4) return isOne ? "quarter" : "quarters";
  if (bottom === 1) return "over one";
  const ordinal = findOrdinalWords(String(bottom)) ?? String(bottom);
  return isOne ? ordinal : `${ordinal}s`;
}

function readUnit(text: string): string {
  const match = /^([+-]?[\d.,]+)\s*([^\d\s.,][^\d\s]*)$/u.exec(text.trim());
  const unit = match === null ? undefined : UNITS.get((match[2] ?? "").toLowerCase());
  const words = match === null ? undefined : findCardinalWords(match[1] ?? "");
  if (unit === undefined || words === undefined) return text;
  return `${words} ${words === "one" ? unit[0] : unit[1]}`;
}

function readCurrency(text: string): string {
  const trimmed = text.trim();
  const match =
    /^(-?)([^\d\s.,-]{1,3})\s*([\d,]+)(?:\.(\d{1,2}))?$/u.exec(trimmed) ??
    reorder(/^(-?)([\d,]+)(?:\.(\d{1,2}))?\s*([^\d\s.,-]{1,3})$/u.exec(trimmed));
  if (match === null) return text;
  const [, sign, symbol = "", whole = "", hundredths] = match;
  const currency = CURRENCIES.get(symbol.toUpperCase());
  const words = findCardinalWords(whole);
  if (currency === undefined || words === undefined) return text;
  const amount = `${sign === "-" ? "minus " : ""}${words} ${words === "one" ? currency[0] : currency[1]}`;
  const small = Number((hundredths ?? "0").padEnd(2, "0"));
  if (small === 0) return amount;
  return `${amount} and ${wholeWords(small)} ${pluralOfHundredth(currency[2], small)}`;
}

/** Moves a symbol behind the amount to the front. */
function reorder(match: RegExpExecArray | null): (string | undefined)[] | null {
  return match === null ? null : [match[0], match[1], match[4], match[2], match[3]];
}

function pluralOfHundredth(name: string, count: number): string {
  if (count === 1 || name === "sen") return name;
  if (name === "penny") return "pence";
  return name === "paisa" ? "paise" : `${name}s`;
}

type DateParts = {
  year?: number;
  month?: number;
  day?: number;
};

function findDateParts(text: string, format: string): DateParts | undefined {
  if (format === "yyyymmdd") return findCompactDate(text);
  const numbers = text.trim().split(/[\s./-]+/);
  if (numbers.length !== format.length) return undefined;
  const parts: DateParts = {};
  for (const [index, letter] of [...format].entries()) {
    const number = numbers[index] ?? "";
    if (!/^\d{1,4}$/.test(number)) return undefined;
    if (letter === "y") parts.year = number.length === 2 ? 2000 + Number(number) : Number(number);
    if (letter === "m") parts.month = Number(number);
    if (letter === "d") parts.day = Number(number);
  }
  return parts;
}

/** Unknown parts are question marks: "????0925". */
function findCompactDate(text: string): DateParts | undefined {
  const match = /^(\d{4}|\?{4})-?(\d{2}|\?{2})-?(\d{2}|\?{2})$/.exec(text.trim());
  if (match === null) return undefined;
  const known = (part: string | undefined) => (part?.startsWith("?") ? undefined : Number(part));
  return { year: known(match[1]), month: known(match[2]), day: known(match[3]) };
}

function readDate(text: string, format: string | undefined): string {
  const isIso = /^\d{4}-\d{1,2}-\d{1,2}$/.test(text.trim());
  const guessed = /^[\d?]{8}$/.test(text.trim()) ? "yyyymmdd" : "mdy";
  const parts = findDateParts(text, format ?? (isIso ? "ymd" : guessed));
  if (parts === undefined) return text;
  const { year, month, day } = parts;
  const isPossible = (month ?? 1) >= 1 && (month ?? 1) <= 12 && (day ?? 1) >= 1 && (day ?? 1) <= 31;
  if (!isPossible) return text;
  const monthAndDay = [
    month === undefined ? undefined : MONTHS[month - 1],
    day === undefined ? undefined : findOrdinalWords(String(day)),
  ];
  const first = monthAndDay.filter((word) => word !== undefined).join(" ");
  return [first, year === undefined ? "" : yearWords(year)].filter((word) => word !== "").join(", ");
}

function readTime(text: string): string {
  const trimmed = text.trim();
  const duration = /^(?:(\d{1,3})')?\s*(?:(\d{1,2})(?:"|''))?$/.exec(trimmed);
  if (duration !== null && trimmed !== "") return readDuration(duration[1], duration[2]);
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(?:([ap])\.?m\.?)?$/i.exec(trimmed);
  if (clock === null) return text;
  const [, hours, minutes, seconds, half] = clock;
  const words = [wholeWords(Number(hours)), minuteWords(Number(minutes), half === undefined)];
  if (seconds !== undefined) words.push("and", countOf(Number(seconds), "second"));
  if (half !== undefined) words.push(half.toLowerCase() === "a" ? "A M" : "P M");
  return words.filter((word) => word !== "").join(" ");
}

function minuteWords(minutes: number, isSaidAlone: boolean): string {
  if (minutes === 0) return isSaidAlone ? "o'clock" : "";
  return minutes < 10 ? `oh ${wholeWords(minutes)}` : wholeWords(minutes);
}

function readDuration(minutes: string | undefined, seconds: string | undefined): string {
  const parts: string[] = [];
  if (minutes !== undefined) parts.push(countOf(Number(minutes), "minute"));
  if (seconds !== undefined) parts.push(countOf(Number(seconds), "second"));
  return parts.join(" and ");
}

function countOf(count: number, name: string): string {
  return `${wholeWords(count)} ${name}${count === 1 ? "" : "s"}`;
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["characters", spell],
  ["spell-out", spell],
  ["verbatim", spell],
  ["cardinal", (text) => findCardinalWords(text) ?? text],
  ["number", (text) => findCardinalWords(text) ?? text],
  ["ordinal", (text) => findOrdinalWords(text) ?? text],
  ["digits", readDigits],
  ["fraction", readFraction],
  ["unit", readUnit],
  ["date", readDate],
  ["time", readTime],
  ["telephone", readTelephone],
  ["currency", readCurrency],
  ["address", (text) => text],
  ["expletive", () => "beep"],
]);

const FORMATS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["date", DATE_FORMATS],
  ["time", TIME_FORMATS],
]);

/** An error message for the attributes of a say-as element. Undefined if they are valid. */
export function findSayAsFault(kind: string, format: string | undefined): string | undefined {
  if (!READERS.has(kind))
    return `interpret-as cannot be "${kind}"; it is one of ${[...READERS.keys()].join(", ")}`;
  const formats = FORMATS.get(kind);
  if (format === undefined || formats === undefined || formats.includes(format)) return undefined;
  return `format cannot be "${format}" for ${kind}; it is one of ${formats.join(", ")}`;
}

/** Spoken text of a say-as element with valid attributes. */
export function sayAs(text: string, kind: string, format: string | undefined): string {
  return READERS.get(kind)?.(text.trim(), format) ?? text;
}
