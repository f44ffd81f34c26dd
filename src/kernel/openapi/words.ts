/** Descriptions and examples of members: their own, else derived from the declaration, else shared by name. */
import type { SharedWords } from "../operation/shared-words.ts";
import type { Json } from "./schema.ts";

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const listAt = (schema: Json, name: string): readonly unknown[] => {
  const list = schema[name];
  return Array.isArray(list) ? list : [];
};
const branchesOf = (schema: Json): readonly Json[] =>
  [...listAt(schema, "oneOf"), ...listAt(schema, "anyOf")].filter(isObject);

/** An example from the schema: its own, its default, its first word, or one built from its parts. */
export function findExample(schema: Json): unknown {
  const [own] = [
    ...listAt(schema, "examples"),
    schema.default,
    schema.const,
    ...listAt(schema, "enum"),
  ].filter((one) => one !== undefined);
  if (own !== undefined) return own;
  if (schema.type === "boolean") return true;
  if (isObject(schema.properties)) return findExampleOfMembers(schema, schema.properties);
  if (isObject(schema.items)) {
    const item = findExample(schema.items);
    return item === undefined ? undefined : [item];
  }
  return branchesOf(schema)
    .map(findExample)
    .find((one) => one !== undefined);
}
function findExampleOfMembers(schema: Json, properties: Json): Json | undefined {
  const examples = Object.entries(properties).flatMap(([name, member]): [string, unknown][] => {
    const example = findExample(member as Json);
    return example === undefined ? [] : [[name, example]];
  });
  const made = Object.fromEntries(examples);
  const isWhole = listAt(schema, "required").every((name) => String(name) in made);
  return isWhole && examples.length > 0 ? made : undefined;
}
/** Its own, or that of its only alternative to null. */
function findDescription(schema: Json): unknown {
  if (schema.description !== undefined) return schema.description;
  const [only, ...others] = branchesOf(schema).filter(({ type }) => type !== "null");
  return others.length === 0 ? only?.description : undefined;
}

/** Whether a value is of the type that a schema names, if it names one. */
function isOfType(value: unknown, schema: Json): boolean {
  const types = branchesOf(schema).map(({ type }) => type);
  const named = schema.type === undefined ? types : [schema.type].flat();
  if (named.length === 0 || named.includes(undefined)) return true;
  if (Array.isArray(value)) return named.includes("array");
  if (value === null) return named.includes("null");
  if (Number.isInteger(value) && named.includes("integer")) return true;
  return named.includes(typeof value);
}
/** The shared example of a name, if it fits this schema. */
export const sharedExampleOf = (schema: Json, shared: SharedWords[string] | undefined): unknown =>
  isOfType(shared?.example, schema) ? shared?.example : undefined;

/** The description and example of a parameter. */
export function wordsOf(schema: Json, shared: SharedWords[string] | undefined, chosen?: unknown): Json {
  const description = findDescription(schema) ?? shared?.description;
  const example = chosen ?? findExample(schema) ?? sharedExampleOf(schema, shared);
  return { ...(description !== undefined && { description }), ...(example !== undefined && { example }) };
}

/** Adds shared descriptions to every member, at any depth, that has none. */
export function withSharedWords(schema: Json, shared: SharedWords): Json {
  return withParts(
    schema,
    (part) => withSharedWords(part, shared),
    (name, member) => {
      const inside = withSharedWords(member, shared);
      const isSilent = findDescription(inside) === undefined && shared[name] !== undefined;
      const example = findExample(inside) === undefined ? sharedExampleOf(inside, shared[name]) : undefined;
      return {
        ...inside,
        ...(isSilent && { description: shared[name]?.description }),
        ...(example !== undefined && { examples: [example] }),
      };
    },
  );
}
/** A schema with changed parts: its members, and the content of its lists, maps and choices. */
function withParts(
  schema: Json,
  changed: (part: Json) => Json,
  changedMember: (name: string, member: Json) => Json,
): Json {
  const made: Json = { ...schema };
  if (isObject(schema.properties))
    made.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [name, changedMember(name, member as Json)]),
    );
  if (isObject(schema.items)) made.items = changed(schema.items);
  if (isObject(schema.patternProperties))
    made.patternProperties = Object.fromEntries(
      Object.entries(schema.patternProperties).map(([pattern, part]) => [pattern, changed(part as Json)]),
    );
  for (const name of ["oneOf", "anyOf", "allOf"])
    if (Array.isArray(schema[name])) made[name] = schema[name].map((part) => changed(part as Json));
  return made;
}

/** A body with an example at each of its first members, if there are any. */
export function withWords(schema: Json, shared: SharedWords, chosen?: unknown): Json {
  if (isObject(schema.properties)) {
    const properties = Object.entries(schema.properties).map(([name, member]) => {
      const chosenHere = isObject(chosen) ? chosen[name] : undefined;
      const { example, ...description } = wordsOf(member as Json, shared[name], chosenHere);
      return [
        name,
        { ...(member as Json), ...description, ...(example !== undefined && { examples: [example] }) },
      ];
    });
    return { ...schema, properties: Object.fromEntries(properties) };
  }
  const name = ["oneOf", "anyOf"].find((one) => listAt(schema, one).length > 0);
  if (name === undefined) return schema;
  return { ...schema, [name]: branchesOf(schema).map((branch) => withWords(branch, shared)) };
}
