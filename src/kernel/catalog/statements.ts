/** Statements of the catalogue that every change of a resource runs. */
import type { Kysely } from "kysely";
import { queriesOf } from "../db/compiled-query.ts";
import type { KernelTables, ResourceRow, ResourceTagRow, ResourceWatchRow } from "../runtime/tables.ts";

const { compiledInsert, compiledInsertAll, compiledQuery, compiledUpdate } =
  queriesOf<Kysely<KernelTables>>();

/** The columns that may change while a resource keeps its name. */
export const CHANGING_COLUMNS = [
  "region",
  "service",
  "type",
  "name",
  "native_id",
  "stack",
  "tags",
  "details",
  "external",
] as const;
/** The columns that are copied to the rows of its tags. */
export const TAGGED_COLUMNS = ["region", "service", "type", "tags"] as const;

/** Returns false, and changes nothing, if the account has one of that name. */
export const insertResource = compiledInsert<ResourceRow>("medley_resource", [
  "account",
  "arn",
  ...CHANGING_COLUMNS,
  "created_at",
  "updated_at",
]);
export const updateResource = compiledUpdate<ResourceRow, "account" | "arn">(
  "medley_resource",
  ["account", "arn"],
  [...CHANGING_COLUMNS, "updated_at"],
);
export const selectResource = compiledQuery<ResourceRow, [string, string]>(["", ""], (db, account, arn) =>
  db.selectFrom("medley_resource").selectAll().where("account", "=", account).where("arn", "=", arn),
);
export const insertTags = compiledInsertAll<ResourceTagRow>("medley_resource_tag", [
  "account",
  "region",
  "service",
  "key",
  "value",
  "type",
  "arn",
]);
export const selectWatches = compiledQuery<ResourceWatchRow, [string]>([""], (db, account) =>
  db.selectFrom("medley_resource_watch").selectAll().where("account", "=", account),
);
