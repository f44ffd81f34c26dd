/** Account numbers (IBAN) that pass every check of their country. */
import { packageOnUse } from "#kernel/packages";

const registry = packageOnUse<typeof import("ibantools")>("ibantools");

const BANK_LETTERS = "MDLY";

const mod97 = (digits: string): number => {
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
};
const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0);

const spanishCheck = (digits: string): string => {
  const check = 11 - (weighted(digits, [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11);
  return String(check === 10 ? 1 : check % 11);
};
/**
 * The last digit makes the weighted sum of a Dutch number a multiple of eleven. Some prefixes have no such
 * digit.
 */
function dutchNumber(seed: string): string {
  for (let start = Number(seed.slice(0, 9)); ; start = (start + 1) % 1_000_000_000) {
    const digits = String(start).padStart(9, "0");
    const last = (11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
    if (last < 10) return digits + String(last);
  }
}

/** `digits`: the ten digits of the account number. */
const numberers: Readonly<Record<string, (digits: string) => string>> = {
  NL: (digits) => BANK_LETTERS + dutchNumber(digits),
  DE: (digits) => `10010001${digits}`,
  IE: (digits) => `${BANK_LETTERS}990051${digits.slice(0, 8)}`,
  FR: (digits) => {
    const bban = `2763300001${digits.padStart(11, "0")}`;
    return bban + String(97 - mod97(`${bban}00`)).padStart(2, "0");
  },
  ES: (digits) => `15630001${spanishCheck("0015630001")}${spanishCheck(digits)}${digits}`,
};
export const COUNTRIES: readonly string[] = Object.keys(numberers);

export function makeIban(country: string, digits: string): string {
  const bban = numberers[country]?.(digits);
  const iban = bban === undefined ? null : registry().composeIBAN({ countryCode: country, bban });
  if (iban === null) throw new Error(`no account number can be made for ${country} of ${digits}`);
  return iban;
}

/** Removes the spaces without a check: known numbers need not be checked again. */
export const plainIban = (text: string): string => text.replaceAll(" ", "").replaceAll("-", "").toUpperCase();
/** Removes the spaces. Returns undefined if the number is invalid. */
export function readIban(text: string): string | undefined {
  if (text.length > 60) return undefined;
  const { electronicFormatIBAN, isValidIBAN } = registry();
  const iban = electronicFormatIBAN(text);
  return iban !== null && isValidIBAN(iban) ? iban : undefined;
}
