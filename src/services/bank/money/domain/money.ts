/** Money: integers of the smallest unit inside, decimal text on the wire. */

import { type Static, Type } from "@sinclair/typebox";
import type { Unchanging } from "../../book/index.ts";
export const Money = Type.Object({
  minor: Type.Number(),
  currency: Type.String(),
});
export type Money = Unchanging<Static<typeof Money>>;

/** Digits behind the point, where they are not two. */
const DIGITS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
};
/** With this maximum, sums stay exact in a JavaScript number. */
export const AMOUNT_MAX_MINOR = 1_000_000_000_000;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
export const isCurrency = (name: string): boolean => CURRENCIES.has(name);
export const digitsOf = (currency: string): number => DIGITS[currency] ?? 2;

const DECIMAL = /^(-?)(\d{1,13})(?:\.(\d{1,6}))?$/;
/** Undefined where the text is no amount of this currency: too many digits behind the point, or too large. */
export function readAmount(value: string, currency: string): number | undefined {
  const [, sign, whole = "", fraction = ""] = DECIMAL.exec(value) ?? [];
  if (sign === undefined) return undefined;
  const digits = digitsOf(currency);
  if (/[1-9]/.test(fraction.slice(digits))) return undefined;
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, "0"));
  if (minor > AMOUNT_MAX_MINOR) return undefined;
  return sign && minor !== 0 ? -minor : minor;
}

export function amountText(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return minor < 0 ? `-${whole}` : whole;
}
export const amountOf = ({ minor, currency }: Money): { value: string; currency: string } => ({
  value: amountText(minor, currency),
  currency,
});
