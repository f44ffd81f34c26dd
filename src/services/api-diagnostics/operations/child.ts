/**
 * Common behaviour of an instance's child resources: names, entity tags, filtered lists, and the
 * notification of the gateway.
 */
import type { TObject } from "@sinclair/typebox";
import { compileFilter, FilterError, parseFilter } from "#kernel/odata";
import type { Context } from "#kernel/operation";
import {
  countChildren,
  type ManagedResource,
  type Preparation,
  type ResourceTypeSpec,
} from "#kernel/resource-provider";
import { filterFields } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { saveVersion } from "../store.ts";

const PAGE_SIZE_MAX = 1000;

export const invalid = (message: string, target: string) =>
  errors.validation(message, { target, details: [{ code: "ValidationError", message, target }] });

/** Compiles a `$filter` into a predicate. */
function selectionOf(filter: string | undefined): ((resource: ManagedResource) => boolean) | undefined {
  if (filter === undefined) return undefined;
  try {
    const matches = compileFilter(parseFilter(filter), filterFields);
    return ({ name, properties }) => matches({ name, properties });
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw invalid(`The $filter is not valid: ${error.message}`, "$filter");
  }
}
export const listsBy = (query: TObject): NonNullable<ResourceTypeSpec["lists"]> => ({
  top: { min: 1, max: PAGE_SIZE_MAX },
  skip: true,
  query,
  select: ({ $filter }: { $filter?: string }) => selectionOf($filter),
  errors: [errors.validation],
});

const INSTANCE = "/service/";
/** Key of the instance that contains the resource, at any depth. */
export function instanceKeyOf(key: string): string {
  const end = key.indexOf("/", key.indexOf(INSTANCE) + INSTANCE.length);
  return end < 0 ? key : key.slice(0, end);
}
/** Changes the settings version, so that every node reloads the instance at its next call. */
export const gatewayChanged = (
  { key }: Pick<ManagedResource, "key">,
  { db, account, ids }: Context,
): Promise<void> => saveVersion(db, account, instanceKeyOf(key), ids.sortable());

/** `of`: the full type name, the limit, and the noun for the message. */
export async function requireRoom(
  context: Context,
  about: Pick<Preparation, "existing" | "place">,
  of: { readonly type: string; readonly max: number; readonly things: string },
): Promise<void> {
  if (about.existing) return;
  if ((await countChildren(context, of.type, about.place.parentKey)) >= of.max)
    throw invalid(`There are ${of.max} ${of.things} already, and no more can be added.`, "name");
}

type Furniture = "nameRule" | "catalogType" | "head" | "etag" | "statuses" | "written" | "removed";
export const childFurniture = (example: string): Pick<ResourceTypeSpec<never>, Furniture> => ({
  nameRule: {
    pattern: /^[^*#&+:<>?]{1,80}$/,
    says: "it has 1 to 80 characters and none of * # & + : < > ?",
    example,
  },
  catalogType: false,
  head: true,
  etag: { neededBy: ["PATCH", "DELETE"] },
  statuses: { patch: { done: 204, bodySince: "2020-06-01" }, delete: { done: 200, absent: 204 } },
  written: (resource, _previous, context) => gatewayChanged(resource, context),
  removed: (resource, context) => gatewayChanged(resource, context),
});
export const fullTypeBelow = (parent: "instance" | "api", name: string): string =>
  `Vendor.ApiManagement/service/${parent === "api" ? "apis/" : ""}${name}`;
