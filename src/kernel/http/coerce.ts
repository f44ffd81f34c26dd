/** Queries, paths and forms are text: this turns them into what a schema's members ask for. */
import type { TSchema } from "@sinclair/typebox";

export type Coerce = (given: Record<string, unknown>) => Record<string, unknown>;
type Wanted = "integer" | "number" | "boolean" | "array" | "string" | "other";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

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

function coerceOne(value: unknown, wanted: Wanted): unknown {
  if (typeof value !== "string") return value;
  if ((wanted === "integer" || wanted === "number") && NUMBER.test(value)) return Number(value);
  if (wanted === "boolean" && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return value;
}

/** Undefined when there is nothing to turn. A parameter sent empty counts as not sent, unless text is wanted. */
export function coercionsOf(schema: TSchema): Coerce | undefined {
  const members = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
    .map(
      ([name, member]) =>
        ({
          name,
          wanted: wantedOf(member),
          item: member.items ? wantedOf(member.items as TSchema) : "other",
        }) as const,
    )
    .filter(({ wanted }) => wanted !== "other");
  if (members.length === 0) return undefined;
  return (given) => {
    const result = { ...given };
    for (const { name, wanted, item } of members) {
      const value = result[name];
      if (value === undefined) continue;
      if (wanted === "array")
        result[name] = (Array.isArray(value) ? value : [value]).map((one) => coerceOne(one, item as Wanted));
      else if (value === "" && wanted !== "string") delete result[name];
      // A key given twice where one value is wanted: the first counts.
      else result[name] = coerceOne(Array.isArray(value) && wanted !== "string" ? value[0] : value, wanted);
    }
    return result;
  };
}
