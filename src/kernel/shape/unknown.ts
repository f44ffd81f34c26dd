/**
 * Finds members that no schema declares: most likely typing errors. Compiled once per schema; a schema that accepts
 * anything has no finder.
 */
import type { TSchema } from "@sinclair/typebox";

export type UnknownFinder = {
  /** Whether everything is known: the fast check of nearly every request, without paths. */
  isClean(value: unknown): boolean;
  /** Adds the paths of unknown members. */
  find(value: unknown, path: string, found: string[]): void;
};

const UNKNOWN_NAMED_MAX = 10;
const DEPTH_MAX = 20;

const isMap = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);

/** The alternatives of a schema. */
const branchesOf = (schema: TSchema): readonly TSchema[] => {
  const inner = (schema.anyOf ?? schema.allOf) as readonly TSchema[] | undefined;
  return inner ? inner.flatMap(branchesOf) : [schema];
};
const isPlain = ({ type, const: constant }: TSchema): boolean =>
  constant !== undefined || ["string", "number", "integer", "boolean", "null"].includes(type);
const isOpen = (schema: TSchema): boolean =>
  schema.type !== "object" ||
  schema.properties === undefined ||
  schema.patternProperties !== undefined ||
  (schema.additionalProperties !== undefined && schema.additionalProperties !== false);

/** Undefined if every member is accepted, or if there are no members. */
export function unknownFinderOf(schemas: readonly TSchema[], depth = 0): UnknownFinder | undefined {
  const shapes = schemas.flatMap(branchesOf).filter((schema) => !isPlain(schema));
  if (shapes.length === 0 || depth > DEPTH_MAX) return undefined;
  if (shapes.every(({ type, items }) => type === "array" && items !== undefined))
    return inItems(
      shapes.map(({ items }) => items as TSchema),
      depth,
    );
  const objects = shapes.filter(({ type }) => type !== "array");
  return objects.some(isOpen) ? undefined : inMembers(objects, depth);
}
function inItems(items: readonly TSchema[], depth: number): UnknownFinder | undefined {
  const item = unknownFinderOf(items, depth + 1);
  return (
    item && {
      isClean: (value) => !Array.isArray(value) || value.every(item.isClean),
      find(value, path, found) {
        if (!Array.isArray(value)) return;
        for (let at = 0; at < value.length && found.length < UNKNOWN_NAMED_MAX; at += 1)
          item.find(value[at], `${path}[${at}]`, found);
      },
    }
  );
}
const ANYTHING: UnknownFinder = { isClean: () => true, find: () => {} };
function inMembers(objects: readonly TSchema[], depth: number): UnknownFinder {
  const declared = new Map<string, TSchema[]>();
  for (const { properties } of objects)
    for (const [name, member] of Object.entries(properties as Record<string, TSchema>))
      declared.set(name, [...(declared.get(name) ?? []), member]);
  const members = new Map(
    [...declared].map(([name, some]) => [name, unknownFinderOf(some, depth + 1) ?? ANYTHING]),
  );
  return {
    isClean(value) {
      if (!isMap(value)) return true;
      for (const name in value) {
        const member = members.get(name);
        if (member === undefined || (member !== ANYTHING && !member.isClean(value[name]))) return false;
      }
      return true;
    },
    find(value, path, found) {
      if (!isMap(value)) return;
      for (const name in value) {
        if (found.length >= UNKNOWN_NAMED_MAX) return;
        const inner = path === "" ? name : `${path}.${name}`;
        const member = members.get(name);
        if (member) member.find(value[name], inner, found);
        else found.push(inner);
      }
    },
  };
}
