/** Finds the secrets of a declared shape. */
import type { TSchema } from "@sinclair/typebox";

/** Marked by `secret` in a declaration. */
export const isSecret = (schema: TSchema): boolean => schema["x-secret"] === true;

/** Member names from the outside in; `*` for each item of a list and each member of a record. */
export type SecretPath = readonly string[];

const inside = (schema: TSchema): readonly (readonly [name: string | undefined, part: TSchema])[] => [
  ...Object.entries((schema.properties ?? {}) as Record<string, TSchema>),
  ...Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>).map(
    (part) => ["*", part] as const,
  ),
  ...(schema.items ? [["*", schema.items as TSchema] as const] : []),
  ...((schema.anyOf ?? schema.allOf ?? []) as readonly TSchema[]).map((part) => [undefined, part] as const),
];

/** The texts at a path of a value. */
export function secretsAt(value: unknown, [name, ...below]: SecretPath): readonly string[] {
  if (name === undefined) return typeof value === "string" ? [value] : [];
  if (value === null || typeof value !== "object") return [];
  const members = name === "*" ? Object.values(value) : [(value as Record<string, unknown>)[name]];
  return members.flatMap((member) => secretsAt(member, below));
}

export function secretPathsOf(schema: TSchema): readonly SecretPath[] {
  const paths = new Map<string, SecretPath>();
  const walk = (part: TSchema, path: SecretPath): void => {
    if (isSecret(part)) paths.set(path.join("."), path);
    else for (const [name, below] of inside(part)) walk(below, name === undefined ? path : [...path, name]);
  };
  walk(schema, []);
  return [...paths.values()];
}
