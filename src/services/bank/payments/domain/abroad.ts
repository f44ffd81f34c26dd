/** Requirements for recipients abroad: by currency, the kinds of accounts and their fields. */
import { isCurrency, RATES } from "../../money/index.ts";

export type Field = {
  readonly key: string;
  readonly name: string;
  readonly example: string;
  readonly minLength: number;
  readonly maxLength: number;
  readonly pattern: RegExp;
};
export type RecipientType = {
  readonly type: string;
  readonly label: string;
  readonly fields: readonly Field[];
};

const digits = (key: string, name: string, pattern: RegExp, example: string): Field => ({
  key,
  name,
  example,
  minLength: example.length,
  maxLength: example.length,
  pattern,
});
const accountNumber: Field = {
  key: "accountNumber",
  name: "Account number",
  example: "12345678",
  minLength: 4,
  maxLength: 34,
  pattern: /^[0-9A-Za-z]{4,34}$/,
};
const TYPES: readonly (RecipientType & { readonly currencies: readonly string[] })[] = [
  {
    type: "sort_code",
    label: "Local bank account",
    currencies: ["GBP"],
    fields: [
      digits("sortCode", "Sort code", /^\d{6}$/, "231470"),
      digits("accountNumber", "Account number", /^\d{8}$/, "28821822"),
    ],
  },
  {
    type: "aba",
    label: "ACH",
    currencies: ["USD"],
    fields: [digits("abartn", "Routing number", /^\d{9}$/, "111000025"), accountNumber],
  },
  {
    type: "iban",
    label: "IBAN",
    currencies: ["EUR", "CHF", "PLN", "DKK", "SEK", "NOK", "CZK", "RON", "BGN", "HUF"],
    fields: [
      {
        key: "IBAN",
        name: "IBAN",
        example: "DE89370400440532013000",
        minLength: 15,
        maxLength: 34,
        pattern: /^[A-Z]{2}[0-9A-Z]{13,32}$/,
      },
    ],
  },
  {
    type: "swift_code",
    label: "SWIFT",
    currencies: [],
    fields: [
      {
        key: "swiftCode",
        name: "SWIFT code",
        example: "BUKBGB22",
        minLength: 8,
        maxLength: 11,
        pattern: /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/,
      },
      accountNumber,
    ],
  },
];
/** Any bank can be reached by its BIC. A country's own account format comes first. */
export const recipientTypes = (currency: string): readonly RecipientType[] =>
  TYPES.filter(({ currencies, type }) => currencies.includes(currency) || type === "swift_code");

type Detail = { readonly key: string; readonly value: string };
/** The reason why an account does not match this type, or undefined. */
export function whyNoRecipient(
  currency: string,
  type: string,
  details: readonly Detail[],
): string | undefined {
  const wanted = recipientTypes(currency).find((one) => one.type === type);
  if (!wanted)
    return `type must be one of ${recipientTypes(currency)
      .map((one) => one.type)
      .join(", ")}.`;
  for (const { key, name, pattern, example } of wanted.fields) {
    const value = details.find((detail) => detail.key === key)?.value ?? "";
    if (!pattern.test(value)) return `${name} (${key}) must be like ${example}.`;
  }
  return undefined;
}

type CurrencyAbroad = { readonly currency: string; readonly name: string; readonly country: string };
let abroad: CurrencyAbroad[] | undefined;
/**
 * The currencies that money can be sent in. Computed on first use, because loading the currency names takes
 * 25 ms.
 */
export function currenciesAbroad(): CurrencyAbroad[] {
  if (abroad) return abroad;
  const names = new Intl.DisplayNames("en", { type: "currency" });
  abroad = Object.keys(RATES)
    .filter(isCurrency)
    .map((currency) => ({ currency, name: names.of(currency) ?? currency, country: currency.slice(0, 2) }));
  return abroad;
}
