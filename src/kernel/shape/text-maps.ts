/** Members that are maps of texts, such as tags: keys and values belong to the user. */
import type { TSchema } from "@sinclair/typebox";

type Schemas = Readonly<Record<string, TSchema>>;
const alternativesOf = (schema: TSchema): readonly TSchema[] =>
  (schema.anyOf ?? schema.allOf ?? schema.oneOf ?? []) as readonly TSchema[];
const isText = (schema: TSchema): boolean =>
  schema.type === "string" || (alternativesOf(schema).length > 0 && alternativesOf(schema).every(isText));
const isTextMap = ({ type, properties, patternProperties, ...schema }: TSchema): boolean => {
  const values = Object.values((patternProperties ?? {}) as Schemas);
  if (type === "object" && !properties && values.length > 0) return values.every(isText);
  return alternativesOf(schema as TSchema).some(isTextMap);
};

const membersOf = ({ properties }: TSchema): Schemas => (properties ?? {}) as Schemas;
/** Shapes inside another one, besides its members. */
const partsOf = (schema: TSchema): readonly TSchema[] => [
  ...Object.values((schema.patternProperties ?? {}) as Schemas),
  ...(schema.items ? ([schema.items].flat() as TSchema[]) : []),
  ...alternativesOf(schema),
];

/** Their names, anywhere in the shapes. */
export function textMapsOf(shapes: readonly TSchema[]): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (schema: TSchema): void => {
    for (const [name, member] of Object.entries(membersOf(schema))) {
      if (isTextMap(member)) found.add(name);
      walk(member);
    }
    for (const part of partsOf(schema)) walk(part);
  };
  for (const shape of shapes) walk(shape);
  return found;
}
