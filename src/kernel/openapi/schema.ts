/** A declared shape as plain JSON schema: with its rules and kinds, and without internal additions. */
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { factsOf } from "../shape/facts.ts";
import { isSecret } from "../shape/secrets.ts";
import { wordsOf } from "../shape/settle.ts";

export type Json = Record<string, unknown>;
/** Whether callers send it or receive it. */
export type Direction = "request" | "answer";

const isSchema = (value: unknown): value is TSchema =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** A rule as a sentence. The name of a member keeps its spelling. */
function sentenceOf(member: string | undefined, says: string): string {
  const begun = member === undefined ? says.charAt(0).toUpperCase() + says.slice(1) : `${member} ${says}`;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
/** What our additions change in a plain schema. */
function additionsOf(schema: TSchema): Json {
  const { rules = [], anyCase } = factsOf(schema);
  const said = rules.map(({ at, says }) => sentenceOf(at, says));
  const description = [schema.description, anyCase && "In any case.", ...said].filter(Boolean).join(" ");
  return {
    ...(description !== "" && { description }),
    ...(rules.length > 0 && { "x-rules": rules.map(({ name, says }) => ({ name, says })) }),
    ...(isSecret(schema) && { writeOnly: true }),
  };
}

/** A choice of words is an enumeration. */
function choiceOf(schema: TSchema, direction: Direction): Json {
  const choices = schema.anyOf as readonly TSchema[];
  const list = choices.flatMap(wordsOf);
  const isOfWords = choices.every((one) => KindGuard.IsLiteral(one) && typeof one.const === "string");
  const { anyOf: _choices, ...rest } = schema;
  if (isOfWords) return { ...rest, type: "string", enum: list };
  const shapes = choices.map((one) => plainOf(one, direction));
  const { kind } = factsOf(schema);
  if (kind === undefined) return { ...rest, anyOf: shapes };
  // Readers of a discriminator need the member in every shape. Without it, the constants of the shapes decide.
  const isAlwaysThere = choices.every((one) => requiredOf(one, direction).includes(kind));
  return { ...rest, oneOf: shapes, ...(isAlwaysThere && { discriminator: { propertyName: kind } }) };
}
/** What callers must send, or what answers always have. */
export function requiredOf(schema: TSchema, direction: Direction): readonly string[] {
  const always = new Set<string>(schema.required ?? []);
  return Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
    .filter(([name, member]) =>
      direction === "answer"
        ? always.has(name)
        : factsOf(member).demanded || (always.has(name) && member.default === undefined),
    )
    .map(([name]) => name);
}
function membersOf(schema: TSchema, direction: Direction): Json {
  const properties = schema.properties as Record<string, TSchema>;
  const required = requiredOf(schema, direction);
  const { required: _required, ...rest } = schema;
  return {
    ...rest,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, memberOf(member, direction)]),
    ),
  };
}
/** If null means leaving a member out, null may be sent. */
function memberOf(member: TSchema, direction: Direction): Json {
  const plain = plainOf(member, direction);
  return factsOf(member).leftOut === undefined || direction === "answer"
    ? plain
    : { anyOf: [plain, { type: "null" }] };
}

/** In a request, members with a default need not be sent. */
export const schemaOf = (schema: TSchema, direction: Direction): Json =>
  JSON.parse(JSON.stringify(plainOf(schema, direction)));

/** May still contain symbols and values that JSON leaves out. */
function plainOf(schema: TSchema, direction: Direction): Json {
  if (schema.type === "Uint8Array") return { type: "string", format: "binary" };
  const { "x-media-types": _types, "x-json-shape": _shape, ...plain } = schema;
  let made: Json = plain;
  if (isSchema(schema.properties)) made = membersOf(plain as TSchema, direction);
  else if (schema.anyOf) made = choiceOf(schema, direction);
  else if (isSchema(schema.items)) made = { ...plain, items: plainOf(schema.items, direction) };
  else if (isSchema(schema.patternProperties))
    made = {
      ...plain,
      patternProperties: Object.fromEntries(
        Object.entries(schema.patternProperties as Record<string, TSchema>).map(([name, one]) => [
          name,
          plainOf(one, direction),
        ]),
      ),
    };
  return { ...made, ...additionsOf(schema) };
}
