/** Exchange rates as decimal text for one euro. Amounts are converted without rounding twice. */
import { digitsOf, type Money } from "./money.ts";

/** Built-in rates. An operator can set others. */
export const RATES: Readonly<Record<string, string>> = {
  EUR: "1",
  AED: "4.21",
  AUD: "1.77",
  BGN: "1.95583",
  BHD: "0.432",
  BRL: "6.19",
  CAD: "1.61",
  CHF: "0.93",
  CNY: "8.19",
  CZK: "24.2",
  DKK: "7.46",
  GBP: "0.88",
  HKD: "9.02",
  HUF: "384",
  IDR: "19350",
  ILS: "3.73",
  INR: "103.1",
  ISK: "146",
  JPY: "178",
  KRW: "1690",
  KWD: "0.355",
  MXN: "21.3",
  NOK: "11.7",
  NZD: "2.04",
  PLN: "4.24",
  RON: "5.09",
  SEK: "10.96",
  SGD: "1.51",
  THB: "37.5",
  TND: "3.42",
  TRY: "49.1",
  USD: "1.16",
  ZAR: "19.9",
};

const SCALE_DIGITS = 12;
const SCALE = 10n ** BigInt(SCALE_DIGITS);
const RATE = /^(\d{1,9})(?:\.(\d{1,12}))?$/;
/** Returns undefined unless the text is a rate above zero. */
export function readRate(text: string): bigint | undefined {
  const [, whole, fraction = ""] = RATE.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const scaled = BigInt(whole) * SCALE + BigInt(fraction.padEnd(SCALE_DIGITS, "0"));
  return scaled > 0n ? scaled : undefined;
}
const scaledOf = (rate: string): bigint => readRate(rate) ?? SCALE;

/** The price of one unit of the first currency in the second, as text with eight digits. */
export function crossRate(fromRate: string, toRate: string): string {
  const scaled = (scaledOf(toRate) * 10n ** 8n) / scaledOf(fromRate);
  const text = String(scaled).padStart(9, "0");
  return `${text.slice(0, -8)}.${text.slice(-8)}`;
}
/** Rounds down amounts that a user receives, and rounds up amounts that a user pays. */
export function convert(
  { minor, currency }: Money,
  to: string,
  rates: { readonly from: string; readonly to: string },
  rounding: "down" | "up",
): Money {
  const numerator = BigInt(minor) * scaledOf(rates.to) * 10n ** BigInt(digitsOf(to));
  const denominator = scaledOf(rates.from) * 10n ** BigInt(digitsOf(currency));
  const quotient = numerator / denominator;
  const isExact = quotient * denominator === numerator;
  return { minor: Number(rounding === "up" && !isExact ? quotient + 1n : quotient), currency: to };
}
