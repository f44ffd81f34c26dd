/** Diagnostics of an API management instance. */
import { compileFilter, FilterError, parseFilter } from "#kernel/odata";
import { type ManagedResource, resourceType } from "#kernel/resource-provider";
import { filterFields } from "../domain.ts";
import { errors } from "../errors.ts";
import { diagnostic, diagnosticBody, diagnosticFilter, diagnosticPatch } from "../wire.ts";
import { instances } from "./instances.ts";

const PAGE_SIZE_MAX = 1000;

/** What a filter sees of a diagnostic. */
function selectionOf(filter: string | undefined): ((resource: ManagedResource) => boolean) | undefined {
  if (filter === undefined) return undefined;
  try {
    const matches = compileFilter(parseFilter(filter), filterFields);
    return ({ name, properties }) => matches({ name, properties });
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw errors.validation(`The $filter is not valid: ${error.message}`, {
      target: "$filter",
      details: [{ code: "ValidationError", message: error.message, target: "$filter" }],
    });
  }
}

export const diagnostics = resourceType({
  name: "diagnostics",
  title: "diagnostic",
  parent: instances,
  parameter: "diagnosticId",
  idWords: "diagnostics",
  nameRule: {
    pattern: /^[^*#&+:<>?]{1,80}$/,
    says: "it has 1 to 80 characters and none of * # & + : < > ?",
    example: "applicationinsights",
  },
  catalogType: false,
  wire: { put: diagnosticBody, patch: diagnosticPatch, answer: diagnostic },
  head: true,
  etag: { neededBy: ["PATCH", "DELETE"] },
  statuses: { patch: { done: 204, bodySince: "2020-06-01" }, delete: { done: 200, absent: 204 } },
  lists: {
    top: { min: 1, max: PAGE_SIZE_MAX },
    skip: true,
    query: diagnosticFilter,
    select: ({ $filter }: { $filter?: string }) => selectionOf($filter),
    errors: [errors.validation],
  },
});
