/** Checks all rules of a schema on a value of its shape. Compiled once; nothing to do for a schema without rules. */
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { factsOf } from "./facts.ts";
import { besideNull, branchOf } from "./settle.ts";

type Holds = (value: unknown) => boolean;
type Members = Readonly<Record<string, unknown>>;

/** Undefined if there are no rules. */
export function holderOf(schema: TSchema): Holds | undefined {
  const inside = insideOf(schema);
  const own = factsOf(schema).rules ?? [];
  if (own.length === 0) return inside;
  return (value) => own.every((rule) => rule.check(value) === true) && (inside?.(value) ?? true);
}

function insideOf(schema: TSchema): Holds | undefined {
  if (factsOf(schema).kind !== undefined) return branchesHolder(schema);
  if (factsOf(schema).orNull) {
    const holds = holderOf(besideNull(schema));
    return holds && ((value) => value === null || holds(value));
  }
  if (KindGuard.IsObject(schema)) return membersHolder(schema);
  if (KindGuard.IsArray(schema)) {
    const holds = holderOf(schema.items);
    return holds && ((value) => (value as readonly unknown[]).every(holds));
  }
  if (!KindGuard.IsRecord(schema)) return undefined;
  const [shape] = Object.values(schema.patternProperties);
  const holds = shape && holderOf(shape);
  return holds && ((value) => Object.values(value as Members).every(holds));
}
function membersHolder(schema: TSchema): Holds | undefined {
  const members = Object.entries(schema.properties as Record<string, TSchema>).flatMap(([name, member]) => {
    const holds = holderOf(member);
    return holds ? [{ name, holds }] : [];
  });
  if (members.length === 0) return undefined;
  return (value) =>
    members.every(({ name, holds }) => {
      const member = (value as Members)[name];
      return member === undefined || holds(member);
    });
}
function branchesHolder(schema: TSchema): Holds | undefined {
  const holders = new Map((schema.anyOf as readonly TSchema[]).map((branch) => [branch, holderOf(branch)]));
  if ([...holders.values()].every((holds) => holds === undefined)) return undefined;
  return (value) => {
    const branch = branchOf(schema, value);
    return (branch && holders.get(branch)?.(value)) ?? true;
  };
}
