/** Telephone numbers: lenient parsing, stored as E.164. */
import { packageOnUse } from "#kernel/packages";
import { errors } from "../errors.ts";

const numberingPlans = packageOnUse<typeof import("libphonenumber-js/max")>("libphonenumber-js/max");

export type Telephone = {
  /** `+` and digits only. */
  readonly e164: string;
  /** ISO 3166-1 alpha-2. Absent for numbers without a country, such as international toll-free numbers. */
  readonly country?: string;
};

const LENGTH_MAX = 40;

/** The plus sign is optional. Spaces, dashes, dots and brackets are ignored. */
export function parseTelephone(text: string, member: string): Telephone {
  const written = text
    .trim()
    .replace(/^tel:/i, "")
    .replace(/^(?=[1-9])/, "+");
  const number =
    written.length <= LENGTH_MAX
      ? numberingPlans().parsePhoneNumberFromString(written, { extract: false })
      : undefined;
  if (number?.ext !== undefined)
    throw errors.badRequest(`${member} has an extension, which cannot be dialled.`);
  if (!number?.isValid())
    throw errors.badRequest(`${member} is not a valid telephone number in E.164 format.`);
  if (number.getType() === "PREMIUM_RATE")
    throw errors.badRequest(`${member} is a premium-rate number, which is blocked.`);
  return { e164: number.number, ...(number.country && { country: number.country }) };
}
