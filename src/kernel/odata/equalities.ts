/** Recognises the simple filters that a store can answer by an index instead of reading every record. */
import type { FilterNode, LiteralNode } from "./ast.ts";

export type FilterEquality = {
  /** The field's path with slashes, as the caller spelt it. */
  readonly field: string;
  readonly value: LiteralNode["value"];
};

function equalityOf(node: FilterNode): FilterEquality | undefined {
  if (node.kind !== "comparison" || node.operator !== "eq") return undefined;
  const [property, literal] =
    node.left.kind === "property" ? [node.left, node.right] : [node.right, node.left];
  if (property.kind !== "property" || literal.kind !== "literal") return undefined;
  return { field: property.path.join("/"), value: literal.value };
}

/** The equalities that all must hold, when the filter says nothing else; otherwise undefined. */
export function findEqualities(node: FilterNode): readonly FilterEquality[] | undefined {
  const parts = node.kind === "and" ? node.operands : [node];
  const equalities: FilterEquality[] = [];
  for (const part of parts) {
    const equality = equalityOf(part);
    if (equality === undefined) return undefined;
    equalities.push(equality);
  }
  return equalities;
}
