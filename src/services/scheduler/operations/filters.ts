/** `$filter` of jobs and of history. */
import {
  compileFilter,
  FilterError,
  type FilterFields,
  type FilterPredicate,
  parseFilter,
} from "#kernel/odata";
import { errors } from "../errors.ts";

export const TOP_MAX = 100;

/** Fields can be named with or without `properties/`. Undefined without a filter. */
export function predicateOf(text: string | undefined, fields: FilterFields): FilterPredicate | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const offered: Record<string, FilterFields[string]> = {};
  for (const [name, field] of Object.entries(fields)) {
    const path = ["properties", name];
    offered[name] = { ...field, path };
    offered[path.join("/")] = { ...field, path };
  }
  try {
    return compileFilter(parseFilter(text), offered);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw errors.invalidFilter(`$filter: ${error.message}`, { target: "$filter" });
  }
}
