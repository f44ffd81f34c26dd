/**
 * Fills in the defaults of a schema as TypeBox's `Value.Default` does. Compiled once per schema: only members that
 * have defaults are visited. The value is changed in place.
 */
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

export type Fill = (value: unknown) => unknown;

const says = (schema: unknown, word: string): boolean => JSON.stringify(schema).includes(`"${word}":`);
const isPrimitive = (value: unknown): boolean => value === null || typeof value !== "object";

/** Undefined if there are no defaults. */
export function fillerOf(schema: TSchema): Fill | undefined {
  if (!says(schema, "default")) return undefined;
  return says(schema, "$ref") ? (value) => Value.Default(schema, value) : compile(schema);
}
function compile(schema: TSchema): Fill {
  if (isLeaf(schema)) return (value) => (value === undefined ? schema.default : value);
  if (isPlainObject(schema)) return membersFiller(schema);
  return (value) => Value.Default(schema, value);
}
/** The default is a primitive of the schema itself, and nothing inside has one. */
function isLeaf(schema: TSchema): boolean {
  const { default: own, ...rest } = schema;
  const isSimple =
    KindGuard.IsString(schema) ||
    KindGuard.IsNumber(schema) ||
    KindGuard.IsInteger(schema) ||
    KindGuard.IsBoolean(schema) ||
    KindGuard.IsLiteral(schema) ||
    KindGuard.IsUnion(schema);
  return isSimple && own !== undefined && isPrimitive(own) && !says(rest, "default");
}
const isPlainObject = (schema: TSchema): boolean =>
  KindGuard.IsObject(schema) &&
  schema.default === undefined &&
  (schema.additionalProperties === undefined || typeof schema.additionalProperties === "boolean");

function membersFiller(schema: TSchema): Fill {
  const members = Object.entries(schema.properties as Record<string, TSchema>)
    .filter(([, member]) => says(member, "default"))
    .map(([name, member]) => ({ name, fill: compile(member) }));
  return (value) => {
    if (isPrimitive(value)) return value;
    const filled = value as Record<string, unknown>;
    for (const { name, fill } of members) {
      const before = filled[name];
      const after = fill(before);
      if (after !== before) filled[name] = after;
    }
    return filled;
  };
}
