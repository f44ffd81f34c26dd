/** Parses the date formats that occur in real feeds. */
import { beginOfDayMs, daysInMonth } from "../calendar.ts";

const MONTHS: Readonly<Record<string, number>> = {
  jan: 1,
  januar: 1,
  janvier: 1,
  janv: 1,
  enero: 1,
  ene: 1,
  gennaio: 1,
  gen: 1,
  januari: 1,
  janeiro: 1,
  feb: 2,
  februar: 2,
  fevrier: 2,
  fevr: 2,
  febrero: 2,
  febbraio: 2,
  fev: 2,
  fevereiro: 2,
  mar: 3,
  marz: 3,
  mars: 3,
  marzo: 3,
  mrz: 3,
  maart: 3,
  marco: 3,
  apr: 4,
  avril: 4,
  avr: 4,
  abril: 4,
  abr: 4,
  aprile: 4,
  may: 5,
  mai: 5,
  mayo: 5,
  maggio: 5,
  mag: 5,
  mei: 5,
  maio: 5,
  jun: 6,
  juni: 6,
  juin: 6,
  junio: 6,
  giugno: 6,
  giu: 6,
  junho: 6,
  jul: 7,
  juli: 7,
  juillet: 7,
  juil: 7,
  julio: 7,
  luglio: 7,
  lug: 7,
  julho: 7,
  aug: 8,
  august: 8,
  aout: 8,
  agosto: 8,
  ago: 8,
  augustus: 8,
  sep: 9,
  sept: 9,
  september: 9,
  septembre: 9,
  septiembre: 9,
  settembre: 9,
  set: 9,
  setembro: 9,
  oct: 10,
  okt: 10,
  oktober: 10,
  octobre: 10,
  octubre: 10,
  ottobre: 10,
  ott: 10,
  outubro: 10,
  out: 10,
  nov: 11,
  november: 11,
  novembre: 11,
  noviembre: 11,
  novembro: 11,
  dec: 12,
  dez: 12,
  dezember: 12,
  decembre: 12,
  diciembre: 12,
  dic: 12,
  dicembre: 12,
  dezembro: 12,
};
/** Offset from UTC in minutes, positive to the east. */
const ZONES: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 60,
  bst: 60,
  ist: 330,
  cet: 60,
  cest: 120,
  mez: 60,
  mesz: 120,
  met: 60,
  mest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  jst: 540,
  kst: 540,
  aest: 600,
  aedt: 660,
  acst: 570,
  awst: 480,
  nzst: 720,
  nzdt: 780,
  at: -240,
  ast: -240,
  adt: -180,
  et: -300,
  est: -300,
  edt: -240,
  ct: -360,
  cst: -360,
  cdt: -300,
  mt: -420,
  mst: -420,
  mdt: -360,
  pt: -480,
  pst: -480,
  pdt: -420,
  akst: -540,
  akdt: -480,
  hst: -600,
  brt: -180,
  art: -180,
  sgt: 480,
  hkt: 480,
  pht: 480,
};
const TEXT_MAX = 100;
const YEAR_MIN = 1990;
const YEAR_MAX = 2100;

type Parts = { year: number; month: number; day: number };

/** Two-digit years up to 69 are in this century. */
const yearOf = (text: string): number => {
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
};

const monthNamed = (word: string): number | undefined => {
  const plain = word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return MONTHS[plain] ?? MONTHS[plain.slice(0, 3)];
};

function namedDate(words: readonly string[]): Parts | undefined {
  const at = words.findIndex(
    (word) =>
      /^\p{L}{3,}\.?$/u.test(word) && monthNamed(word.replace(".", "")) !== undefined && !isWeekday(word),
  );
  if (at < 0) return undefined;
  const month = monthNamed((words[at] ?? "").replace(".", "")) ?? 0;
  const numbers = words
    .filter((word, index) => index !== at && /^\d{1,4}(st|nd|rd|th|\.|er)?$/i.test(word))
    .map((word) => word.replace(/\D/g, ""));
  const year = numbers.find((text) => text.length === 4) ?? numbers[1];
  const day = numbers.find((text) => text.length <= 2);
  return year === undefined || day === undefined
    ? undefined
    : { year: yearOf(year), month, day: Number(day) };
}
/** `Mar` is March, and Tuesday in French. It is a weekday only as the first word before a comma. */
const isWeekday = (word: string): boolean => /,$/.test(word);

function numericDate(text: string): Parts | undefined {
  const iso = /(?:^|\D)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:\D|$)/.exec(text);
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  const compact = /^(\d{4})(\d{2})(\d{2})(?:T|\s|$)/.exec(text);
  if (compact) return { year: Number(compact[1]), month: Number(compact[2]), day: Number(compact[3]) };
  const short = /(?:^|\D)(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})(?:\D|$)/.exec(text);
  if (!short) return monthDate(text);
  const [first, second, year] = [Number(short[1]), Number(short[3]), Number(short[4])];
  // Slashes mean month first, if the number is a month. Dots and dashes mean day first.
  const monthFirst = short[2] === "/" && first <= 12;
  return monthFirst ? { year, month: first, day: second } : { year, month: second, day: first };
}

/** A year and month, or a year alone, is its first day. */
function monthDate(text: string): Parts | undefined {
  const [, year, month] = /^(\d{4})(?:-(\d{2}))?$/.exec(text) ?? [];
  return year === undefined ? undefined : { year: Number(year), month: Number(month ?? 1), day: 1 };
}

type Time = { hours: number; minutes: number; seconds: number; offsetMinutes: number };
function timeIn(text: string): Time | undefined {
  const compact = /^\d{8}T(\d{2})(\d{2})(\d{2})?(Z)?/.exec(text);
  if (compact)
    return {
      hours: Number(compact[1]),
      minutes: Number(compact[2]),
      seconds: Number(compact[3] ?? 0),
      offsetMinutes: 0,
    };
  const found =
    /(?:^|[\sT,])(\d{1,2})[:h](\d{1,2})(?::(\d{1,2})(?:[.,]\d{1,9})?)?\s{0,3}([ap]\.?m\.?)?/i.exec(text);
  if (!found) return { hours: 0, minutes: 0, seconds: 0, offsetMinutes: 0 };
  const half = (found[4] ?? "").toLowerCase().replaceAll(".", "");
  const given = Number(found[1]);
  const hours = half === "" ? given : (given % 12) + (half === "pm" ? 12 : 0);
  const rest = text.slice(found.index + found[0].length);
  return { hours, minutes: Number(found[2]), seconds: Number(found[3] ?? 0), offsetMinutes: offsetIn(rest) };
}
function offsetIn(rest: string): number {
  const signed = /([+-])(\d{1,2}):?(\d{2})?(?!\d)/.exec(rest);
  if (signed) {
    const minutes = Number(signed[2]) * 60 + Number(signed[3] ?? 0);
    return signed[1] === "-" ? -minutes : minutes;
  }
  const [word] = /[a-z]{1,5}/i.exec(rest) ?? [];
  return ZONES[(word ?? "").toLowerCase()] ?? 0;
}

/** Epoch milliseconds; undefined if the text is not a date. */
export function parseFeedDate(raw: string): number | undefined {
  const text = raw.trim().slice(0, TEXT_MAX);
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{12,13}$/.test(text)) return Number(text);
  const words = text
    .split(/\s+|(?<=,)(?=\S)|(?<=\d)-(?=\p{L})|(?<=\p{L})-(?=\d)/u)
    .map((word, index) => (index === 0 ? word : word.replace(/,$/, "")));
  const date = numericDate(text) ?? namedDate(words);
  const time = timeIn(text);
  if (!date || !time) return undefined;
  if (date.year < YEAR_MIN || date.year > YEAR_MAX || date.month < 1 || date.month > 12) return undefined;
  if (date.day < 1 || date.day > daysInMonth(date.year, date.month) || time.hours > 24 || time.minutes > 59)
    return undefined;
  const seconds = time.hours * 3600 + (time.minutes - time.offsetMinutes) * 60 + Math.min(time.seconds, 59);
  return beginOfDayMs(date.year, date.month, date.day) + seconds * 1000;
}
