/** Shapes derived from a shape: its merge patch, and its answer. */
import { KindGuard, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { factsOf, withFacts, words } from "./facts.ts";
import { isSecret } from "./secrets.ts";
import { branchOf, wordsOf } from "./settle.ts";

type Members = Readonly<Record<string, TSchema>>;

/** The documentation of a member. */
const wordsAbout = ({ description, examples }: TSchema) => ({
  ...(description !== undefined && { description }),
  ...(examples !== undefined && { examples }),
});
/** Without its default. */
function bare(schema: TSchema): TSchema {
  const { default: _default, ...plain } = schema;
  return withFacts(plain as TSchema, { leftOut: undefined });
}

/**
 * A merge patch of the schema: every member is optional, and null removes it. Rules between members are not
 * checked, because the other members are missing. The shape of the merged result checks them.
 */
export function changesOf(schema: TObject): TObject {
  const { error } = factsOf(schema);
  const changes = Type.Object(membersOf([schema]), wordsAbout(schema));
  return error ? withFacts(changes, { error }) : changes;
}

/** A secret stays a secret. */
function orNull(schema: TSchema): TSchema {
  const about = { ...wordsAbout(schema), ...(isSecret(schema) && { "x-secret": true }) };
  return withFacts(Type.Union([schema, Type.Null()], about), { orNull: true });
}

/** The objects that a schema may be: itself, or its branches by kind. Undefined for anything else. */
function findObjects(schema: TSchema): readonly TObject[] | undefined {
  if (KindGuard.IsObject(schema)) return [schema];
  return factsOf(schema).kind === undefined ? undefined : (schema.anyOf as readonly TObject[]);
}
/** The members of all objects, because a patch does not always name the kind. */
function membersOf(objects: readonly TObject[]): Record<string, TSchema> {
  const all = new Map<string, TSchema[]>();
  for (const { properties } of objects)
    for (const [name, member] of Object.entries(properties as Members))
      all.set(name, [...(all.get(name) ?? []), member]);
  return Object.fromEntries([...all].map(([name, members]) => [name, Type.Optional(changeOf(members))]));
}
/** One member, as its objects declare it. */
function changeOf(members: readonly TSchema[]): TSchema {
  const [first = Type.Unknown()] = members;
  const objects = members.map(findObjects);
  if (objects.every((one) => one !== undefined))
    return orNull(Type.Object(membersOf(objects.flat()), wordsAbout(first)));
  if (members.every((member) => factsOf(member).anyCase)) {
    const list = [...new Set(members.flatMap(wordsOf))] as [string, ...string[]];
    return orNull({ ...words(list), ...wordsAbout(first) });
  }
  return orNull(KindGuard.IsRecord(first) ? recordChanges(first) : bare(first));
}
function recordChanges(schema: TSchema): TSchema {
  const [value = Type.Unknown()] = Object.values(schema.patternProperties as Members);
  const { maxProperties } = schema;
  const changes = Type.Record(Type.String(), orNull(bare(value)), {
    ...wordsAbout(schema),
    ...(maxProperties !== undefined && { maxProperties }),
  });
  return factsOf(schema).writtenOut ? withFacts(changes, { writtenOut: true }) : changes;
}

/** The same for answers: normalised, without secrets, and with declared members only. */
export function shownOf<T extends TSchema>(schema: T): T {
  return shown(schema) as T;
}
function shown(schema: TSchema): TSchema {
  const { default: _default, examples, ...plain } = schema;
  const own = withFacts(
    { ...plain, ...(examples && { examples: examples.map((one: unknown) => withoutSecrets(schema, one)) }) },
    { leftOut: undefined, rules: undefined },
  ) as TSchema;
  if (KindGuard.IsObject(schema)) return { ...own, ...shownMembers(schema) };
  if (KindGuard.IsArray(schema)) return { ...own, items: shown(schema.items) };
  if (factsOf(schema).kind === undefined) return own;
  return { ...own, anyOf: (schema.anyOf as readonly TSchema[]).map(shown) };
}
/** An example of the input as an example of the answer. */
function withoutSecrets(schema: TSchema, example: unknown): unknown {
  if (Array.isArray(example)) return example.map((item) => withoutSecrets(schema.items, item));
  const meant = factsOf(schema).kind === undefined ? schema : branchOf(schema, example);
  const properties = (meant?.properties ?? {}) as Members;
  if (example === null || typeof example !== "object" || KindGuard.IsRecord(schema)) return example;
  return Object.fromEntries(
    Object.entries(example)
      .map(([name, value]) => ({ name, value, member: properties[name] ?? Type.Unknown() }))
      .filter(({ member }) => !isSecret(member))
      .map(({ name, value, member }) => [name, withoutSecrets(member, value)]),
  );
}
function shownMembers({ properties, required = [] }: TObject): Partial<TObject> {
  const open = Object.entries(properties as Members).filter(([, member]) => !isSecret(member));
  return {
    properties: Object.fromEntries(open.map(([name, member]) => [name, shown(member)])),
    required: required.filter((name) => open.some(([one]) => one === name)),
    additionalProperties: false,
  };
}
