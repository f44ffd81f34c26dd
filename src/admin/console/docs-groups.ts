/** Groups operations by resource. */
import type { Operation } from "#kernel/operation";

export type OperationGroup = {
  readonly id: string;
  readonly title: string;
  readonly operations: readonly Operation[];
};

/** Larger groups are split by the next part of their paths. */
const DIVIDED_ABOVE = 40;
const GENERAL = "general";

const titleOf = (name: string): string => {
  const words = name.replace(/[-_.]+/g, " ").trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};
const fixedParts = ({ path }: Operation): readonly string[] =>
  path.split("/").filter((part) => part !== "" && !part.includes("{"));
/** `language.entities.list` belongs to the group `entities`. */
const namedGroup = ({ id }: Operation): string | undefined =>
  id.split(".").slice(1, -1).join(".") || undefined;

/** `GetGroupQuery` is about a group query, `dots-json.get` about dots. */
function nounOf({ id }: Operation): string {
  const [first = "", second] = id.split(".").slice(1);
  if (second !== undefined) return first.replace(/-.*/, "");
  const [verb = "", ...nouns] = first.split(/(?=[A-Z])/);
  return (nouns.join(" ") || verb)
    .toLowerCase()
    .replace(/^un(?=[a-z]{3}$)/, "")
    .replace(/s$/, "");
}

function divide(operations: readonly Operation[], depth: number): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  const put = (name: string, operation: Operation) =>
    groups.set(name, [...(groups.get(name) ?? []), operation]);
  for (const operation of operations) {
    const parts = fixedParts(operation);
    put(parts[Math.min(depth, parts.length - 1)] ?? GENERAL, operation);
  }
  const divided = new Map<string, Operation[]>();
  for (const [name, members] of groups) {
    const isDeeper = members.some((one) => fixedParts(one).length > depth + 1);
    const parts =
      members.length > DIVIDED_ABOVE && isDeeper ? divide(members, depth + 1) : new Map([[name, members]]);
    for (const [inner, some] of parts) divided.set(inner, [...(divided.get(inner) ?? []), ...some]);
  }
  return divided;
}

/** How many parts all paths begin with, such as a version: they tell nothing apart. */
function sharedDepth(operations: readonly Operation[]): number {
  const [first = [], ...others] = operations.map(fixedParts);
  const differing = first.findIndex((part, at) => others.some((parts) => parts[at] !== part));
  return Math.max(0, differing);
}

/** In the order of their first operations. */
export function groupsOf(operations: readonly Operation[]): readonly OperationGroup[] {
  const unnamed = operations.filter((one) => namedGroup(one) === undefined);
  const byPath = divide(unnamed, sharedDepth(unnamed));
  const nameOf = new Map([...byPath].flatMap(([name, some]) => some.map((one) => [one, name] as const)));
  return (
    grouped(operations, (one) => namedGroup(one) ?? nameOf.get(one) ?? GENERAL) ??
    grouped(operations, nounOf) ?? [{ id: "group-all", title: "All", operations }]
  );
}
/** Undefined: groups are useless, because most would have one operation. */
function grouped(
  operations: readonly Operation[],
  nameOf: (operation: Operation) => string,
): readonly OperationGroup[] | undefined {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const name = nameOf(operation);
    groups.set(name, [...(groups.get(name) ?? []), operation]);
  }
  if (groups.size === 1 || groups.size * 2 > operations.length) return undefined;
  return [...groups].map(([name, some]) => ({
    id: `group-${name.replace(/[^a-zA-Z0-9]+/g, "-")}`,
    title: titleOf(name),
    operations: some,
  }));
}
