/** What a schema expects and what it got, in words for people. */
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { wordsOf } from "./settle.ts";

const TEXT_SHOWN_MAX = 60;
const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "a date and time such as 2030-01-31T08:00:00Z",
  "date-time-local": "a date and time without a zone, such as 2030-01-31T08:00:00",
  date: "a date such as 2030-01-31",
  uuid: "a UUID",
  uri: "an address with its scheme, such as https://example.org/",
  email: "an e-mail address",
};

/** "1 item", "2 items". */
export const counted = (count: number, unit: "item" | "character"): string =>
  `${count} ${unit}${count === 1 ? "" : "s"}`;

function range(min: number | undefined, max: number | undefined, unit?: "item" | "character"): string {
  const told = (count: number) => (unit === undefined ? String(count) : counted(count, unit));
  if (min !== undefined && max !== undefined)
    return min === max ? ` of ${told(min)}` : ` from ${min} to ${told(max)}`;
  if (min !== undefined) return ` of at least ${told(min)}`;
  return max === undefined ? "" : ` of at most ${told(max)}`;
}
function textExpected({ format, pattern, minLength, maxLength }: TSchema): string {
  if (format !== undefined) return FORMATS[format] ?? `a text of the form ${format}`;
  const least = minLength === 0 ? undefined : minLength;
  const length =
    least !== undefined && maxLength !== undefined && least !== maxLength
      ? ` of ${least} to ${maxLength} characters`
      : range(least, maxLength, "character");
  return `a text${length}${pattern === undefined ? "" : ` that fits ${pattern}`}`;
}
const numberExpected = (schema: TSchema, what: string): string =>
  `${what}${range(schema.minimum ?? schema.exclusiveMinimum, schema.maximum ?? schema.exclusiveMaximum)}`;

/** "a whole number from 1 to 100". */
export function expectationOf(schema: TSchema): string {
  if (KindGuard.IsString(schema)) return textExpected(schema);
  if (KindGuard.IsInteger(schema)) return numberExpected(schema, "a whole number");
  if (KindGuard.IsNumber(schema)) return numberExpected(schema, "a number");
  if (KindGuard.IsBoolean(schema)) return "true or false";
  if (KindGuard.IsNull(schema)) return "null";
  if (KindGuard.IsArray(schema)) return `a list${range(schema.minItems, schema.maxItems, "item")}`;
  if (KindGuard.IsUint8Array(schema)) return "a file";
  if (KindGuard.IsLiteral(schema)) return JSON.stringify(schema.const);
  if (KindGuard.IsUnion(schema)) return choiceExpected(schema.anyOf);
  return "an object";
}
function choiceExpected(choices: readonly TSchema[]): string {
  const list = choices.flatMap(wordsOf);
  if (list.length === choices.length) return `one of ${list.join(", ")}`;
  return [...new Set(choices.map(expectationOf))].join(" or ");
}

/** "not 0", "not a list"; empty if there is nothing to say. */
export function gotInstead(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return `, not ${value}`;
  if (typeof value === "string")
    return value.length > TEXT_SHOWN_MAX
      ? `, not a text of ${value.length} characters`
      : `, not ${JSON.stringify(value)}`;
  if (Array.isArray(value)) return `, not a list of ${value.length}`;
  return typeof value === "object" ? ", not an object" : "";
}
