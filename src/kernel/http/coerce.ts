/** Queries, paths and forms are text. This converts them to the types of the schema. */
import type { TSchema } from "@sinclair/typebox";

export type Coerce = (given: Record<string, unknown>) => Record<string, unknown>;
type Wanted = "integer" | "number" | "boolean" | "array" | "string" | "other";

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

function wantedOf(schema: TSchema): Wanted {
  if (Array.isArray(schema.anyOf)) {
    const kinds = new Set(schema.anyOf.map((one: TSchema) => wantedOf(one)));
    return kinds.size === 1 ? ([...kinds][0] as Wanted) : kinds.has("string") ? "string" : "other";
  }
  if ("const" in schema)
    return typeof schema.const === "number"
      ? "number"
      : typeof schema.const === "boolean"
        ? "boolean"
        : "string";
  return ["integer", "number", "boolean", "array", "string"].includes(schema.type)
    ? (schema.type as Wanted)
    : "other";
}

/** Larger numbers have no exact value, and databases refuse some of them. So they are clamped. */
const within = (value: number): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));

function coerceOne(value: unknown, wanted: Wanted): unknown {
  if (typeof value !== "string") return value;
  if (wanted === "integer" && NUMBER.test(value)) return within(Number(value));
  if (wanted === "number" && NUMBER.test(value)) return Number(value);
  if (wanted === "boolean" && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return value;
}

type Member = {
  readonly name: string;
  readonly wanted: Wanted;
  readonly item: Wanted;
  /** What a maker's own program sends at the end of a value by mistake (`x-strays`): it is cut off. */
  readonly strays: readonly string[];
};

/**
 * Undefined: the member counts as not sent. A key given twice stays a list, which is refused if one value is
 * wanted.
 */
function coerceMember(given: unknown, { wanted, item, strays }: Member): unknown {
  if (wanted === "array") return (Array.isArray(given) ? given : [given]).map((one) => coerceOne(one, item));
  const stray = typeof given === "string" ? strays.find((one) => given.endsWith(one)) : undefined;
  const value = stray === undefined ? given : (given as string).slice(0, -stray.length);
  if (value === "") return undefined;
  return coerceOne(value, wanted);
}

/** Undefined if there is nothing to convert. An empty parameter counts as not sent, unless text is wanted. */
export function coercionsOf(schema: TSchema): Coerce | undefined {
  const members = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
    .map(
      ([name, member]): Member => ({
        name,
        wanted: wantedOf(member),
        item: member.items ? wantedOf(member.items as TSchema) : "other",
        strays: member["x-strays"] ?? [],
      }),
    )
    // Text needs no conversion.
    .filter(({ wanted }) => wanted !== "other" && wanted !== "string");
  if (members.length === 0) return undefined;
  return (given) => {
    const result = { ...given };
    for (const member of members) {
      if (result[member.name] === undefined) continue;
      const value = coerceMember(result[member.name], member);
      if (value === undefined) delete result[member.name];
      else result[member.name] = value;
    }
    return result;
  };
}
