/**
 * Normalises input with several spellings to the one that handlers see, before it is checked. Compiled once per
 * schema. A schema without alternatives has no settler, and unchanged input is not copied.
 */
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { factsOf } from "./facts.ts";

export type Settle = (value: unknown) => unknown;

const isMap = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** The words of a choice of literals. */
export const wordsOf = (schema: TSchema): readonly string[] =>
  KindGuard.IsLiteral(schema)
    ? [String(schema.const)]
    : ((schema.anyOf as readonly TSchema[] | undefined) ?? []).flatMap(wordsOf);

/** The alternative to null of a nullable schema. */
export const besideNull = (schema: TSchema): TSchema => (schema.anyOf as readonly [TSchema])[0];

/** The branch of an object by its kind member; undefined if none matches. */
export function branchOf(schema: TSchema, value: unknown): TSchema | undefined {
  const { kind = "" } = factsOf(schema);
  if (!isMap(value)) return undefined;
  const said = value[kind];
  return (schema.anyOf as readonly TSchema[]).find((branch) => {
    const member = branch.properties[kind] as TSchema;
    if (said === undefined || said === null) return !(branch.required ?? []).includes(kind);
    return typeof said === "string" && findWord(member, said) !== undefined;
  });
}
/** The declared spelling of a word. */
export function findWord(schema: TSchema, said: string): string | undefined {
  const list = wordsOf(schema);
  if (!factsOf(schema).anyCase) return list.includes(said) ? said : undefined;
  const lower = said.toLowerCase();
  return list.find((word) => word.toLowerCase() === lower);
}

function wordSettler(schema: TSchema): Settle {
  const list = wordsOf(schema);
  const { numbered } = factsOf(schema);
  const spellings = new Map(list.map((word) => [word.toLowerCase(), word]));
  return (value) => {
    if (typeof value === "string") return spellings.get(value.toLowerCase()) ?? value;
    return numbered && typeof value === "number" ? (list[value] ?? value) : value;
  };
}
function itemsSettler(settleItem: Settle): Settle {
  return (value) => {
    if (!Array.isArray(value)) return value;
    const settled = value.map(settleItem);
    return settled.some((item, index) => item !== value[index]) ? settled : value;
  };
}
function listSettler(schema: TSchema): Settle | undefined {
  const settleItem = settlerOf(schema.items as TSchema);
  const settleItems = settleItem && itemsSettler(settleItem);
  if (!factsOf(schema).oneOrMore) return settleItems;
  return (value) => {
    const list = Array.isArray(value) ? value : [value];
    return settleItems ? settleItems(list) : list;
  };
}
/** Whether the values of a record may be null. */
export const takesNull = (schema: TSchema): boolean =>
  Object.values(schema.patternProperties as Record<string, TSchema>).some((one) => factsOf(one).orNull);

function writtenOutSettler(schema: TSchema): Settle {
  const keepsNull = takesNull(schema);
  return (value) => {
    if (!isMap(value)) return value;
    const entries = Object.entries(value).filter(([, text]) => keepsNull || text !== null);
    return Object.fromEntries(
      entries.map(([name, text]) => [
        name,
        typeof text === "number" || typeof text === "boolean" ? String(text) : text,
      ]),
    );
  };
}
function orNullSettler(schema: TSchema): Settle | undefined {
  const settle = settlerOf(besideNull(schema));
  return settle && ((value) => (value === null ? null : settle(value)));
}

type Member = {
  readonly name: string;
  /** Undefined leaves the member out. */
  readonly settle: Settle;
};

/** A missing member stays missing, whatever the schema would make of it. */
function memberSettler(member: TSchema): Settle | undefined {
  const settle = settlerOf(member);
  const { leftOut } = factsOf(member);
  if (leftOut === undefined) return settle;
  return (value) => {
    if (value === null || (leftOut === "empty" && value === "")) return undefined;
    return settle ? settle(value) : value;
  };
}
function changed(from: Record<string, unknown>, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _before, ...rest } = from;
  return value === undefined ? rest : { ...from, [name]: value };
}
function membersSettler(schema: TSchema): Settle | undefined {
  const members = Object.entries((schema.properties ?? {}) as Record<string, TSchema>).flatMap(
    ([name, member]): Member[] => {
      const settle = memberSettler(member);
      return settle ? [{ name, settle }] : [];
    },
  );
  if (members.length === 0) return undefined;
  return (value) => {
    if (!isMap(value)) return value;
    let settled = value;
    for (const { name, settle } of members) {
      const before = value[name];
      const after = before === undefined ? undefined : settle(before);
      if (after !== before) settled = changed(settled, name, after);
    }
    return settled;
  };
}
/** A member that is also given in the declared spelling stays unchanged. */
function namesSettler(schema: TSchema): Settle {
  const names = Object.keys((schema.properties ?? {}) as Record<string, TSchema>);
  const declared = new Set(names);
  const spellings = new Map(names.map((name) => [name.toLowerCase(), name]));
  return (value) => {
    if (!isMap(value)) return value;
    let settled = value;
    for (const name of Object.keys(value)) {
      if (declared.has(name)) continue;
      const wanted = spellings.get(name.toLowerCase());
      if (wanted === undefined || Object.hasOwn(value, wanted)) continue;
      const { [name]: content, ...rest } = settled;
      settled = { ...rest, [wanted]: content };
    }
    return settled;
  };
}
function objectSettler(schema: TSchema): Settle | undefined {
  const settleMembers = membersSettler(schema);
  if (!factsOf(schema).membersInAnyCase) return settleMembers;
  const settleNames = namesSettler(schema);
  return settleMembers ? (value) => settleMembers(settleNames(value)) : settleNames;
}
function unionSettler(schema: TSchema): Settle | undefined {
  const objects = (schema.anyOf as readonly TSchema[]).filter((one) => factsOf(one).membersInAnyCase);
  const [only] = objects;
  return objects.length === 1 && only ? settlerOf(only) : undefined;
}
function kindSettler(schema: TSchema): Settle | undefined {
  const branches = schema.anyOf as readonly TSchema[];
  const settlers = new Map(branches.map((branch) => [branch, settlerOf(branch)]));
  if ([...settlers.values()].every((settle) => settle === undefined)) return undefined;
  return (value) => {
    const branch = branchOf(schema, value);
    return (branch && settlers.get(branch)?.(value)) ?? value;
  };
}

const settlers = new WeakMap<TSchema, { readonly settle: Settle | undefined }>();

/** Undefined if there is nothing to normalise. */
export function settlerOf(schema: TSchema): Settle | undefined {
  const known = settlers.get(schema);
  if (known) return known.settle;
  const settle = compile(schema);
  settlers.set(schema, { settle });
  return settle;
}
function compile(schema: TSchema): Settle | undefined {
  const facts = factsOf(schema);
  if (facts.orNull) return orNullSettler(schema);
  if (facts.anyCase) return wordSettler(schema);
  if (facts.writtenOut) return writtenOutSettler(schema);
  if (facts.kind !== undefined) return kindSettler(schema);
  if (KindGuard.IsArray(schema)) return listSettler(schema);
  if (KindGuard.IsUnion(schema)) return unionSettler(schema);
  return KindGuard.IsObject(schema) ? objectSettler(schema) : undefined;
}
