/** Numbers as English words. */

const SMALL = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
  "thirteen",
  "fourteen",
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
] as const;
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"] as const;
const SCALES = ["", "thousand", "million", "billion", "trillion", "quadrillion"] as const;
const IRREGULAR_ORDINALS: ReadonlyMap<string, string> = new Map([
  ["one", "first"],
  ["two", "second"],
  ["three", "third"],
  ["five", "fifth"],
  ["eight", "eighth"],
  ["nine", "ninth"],
  ["twelve", "twelfth"],
]);

/** Longer integers are read digit by digit. */
const DIGITS_MAX = 18;

function wordsBelowThousand(value: number): string[] {
  const words: string[] = [];
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  if (hundreds > 0) words.push(SMALL[hundreds] ?? "", "hundred");
  if (rest >= 20) {
    words.push(TENS[Math.floor(rest / 10)] ?? "");
    if (rest % 10 > 0) words.push(SMALL[rest % 10] ?? "");
  } else if (rest > 0) words.push(SMALL[rest] ?? "");
  return words;
}

function wordsOfWhole(digits: string): string {
  const significant = digits.replace(/^0+(?=.)/, "");
  if (significant.length > DIGITS_MAX) return digitWords(digits);
  if (significant === "0") return "zero";
  const groups: string[] = [];
  for (let end = significant.length, scale = 0; end > 0; end -= 3, scale += 1) {
    const value = Number(significant.slice(Math.max(0, end - 3), end));
    if (value > 0) groups.unshift([...wordsBelowThousand(value), SCALES[scale] ?? ""].join(" ").trim());
  }
  return groups.join(" ");
}

/** Reads each digit: "40" is "four zero". */
export function digitWords(digits: string): string {
  return [...digits].map((digit) => SMALL[Number(digit)] ?? digit).join(" ");
}

/** Reads numbers such as "-1,234.50". Undefined if the text is no number. */
export function findCardinalWords(text: string): string | undefined {
  const match = /^([+-]?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole = "", fraction] = match;
  const words = [wordsOfWhole(whole.replaceAll(",", ""))];
  if (sign === "-") words.unshift("minus");
  if (fraction !== undefined) words.push("point", digitWords(fraction));
  return words.join(" ");
}

/** Reads "3", "3rd" or "1,000". Undefined if the text is no integer. */
export function findOrdinalWords(text: string): string | undefined {
  const match = /^(\d{1,3}(?:,\d{3})+|\d+)(?:st|nd|rd|th)?$/i.exec(text.trim());
  if (match === null) return undefined;
  const words = wordsOfWhole((match[1] ?? "").replaceAll(",", "")).split(" ");
  const last = words.pop() ?? "";
  const regular = last.endsWith("y") ? `${last.slice(0, -1)}ieth` : `${last}th`;
  return [...words, IRREGULAR_ORDINALS.get(last) ?? regular].join(" ");
}

/** Spoken form of a year: 1984 is "nineteen eighty four", 2005 is "two thousand five". */
export function yearWords(year: number): string {
  const century = Math.floor(year / 100);
  const rest = year % 100;
  const isSaidWhole = year < 1000 || year > 9999 || (year >= 2000 && year < 2010) || year % 1000 === 0;
  if (isSaidWhole) return wordsOfWhole(String(year));
  const first = wordsBelowThousand(century).join(" ");
  if (rest === 0) return `${first} hundred`;
  return `${first} ${rest < 10 ? "oh " : ""}${wordsBelowThousand(rest).join(" ")}`;
}

/** Cardinal of a non-negative integer. */
export function wholeWords(value: number): string {
  return wordsOfWhole(String(value));
}
