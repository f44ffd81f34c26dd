/** All SQL of managed resources. */
import { type Kysely, sql } from "kysely";
import { queriesOf } from "../db/compiled-query.ts";
import { groupIdOf, keyOf } from "./identifiers.ts";
import type { ManagedResource } from "./types.ts";

type ResourceRow = {
  account: string;
  service: string;
  key: string;
  id: string;
  type: string;
  type_key: string;
  name: string;
  name_key: string;
  subscription: string;
  subscription_key: string;
  resource_group: string;
  group_key: string;
  parent: string;
  link: string | null;
  location: string | null;
  tags: string;
  envelope: string;
  properties: string;
  secrets: string;
  state: string;
  operation: string | null;
  etag: string;
  created_at: number;
  updated_at: number;
};
type Tables = {
  medley_managed_resource: ResourceRow;
  medley_owner: { kind: string; name: string; account: string; created_at: number };
};
type Db = Kysely<Tables>;
const { compiledInsertAll, compiledQuery, compiledUpdate } = queriesOf<Db>();

/** Most resources have no tags, no secrets, … */
const jsonOf = (text: string) => (text === "{}" ? {} : JSON.parse(text));

/** No index contains them. */
const CHEAP_COLUMNS = [
  "location",
  "tags",
  "envelope",
  "properties",
  "secrets",
  "state",
  "operation",
  "etag",
  "updated_at",
] as const;
const CHANGING_COLUMNS = ["link", ...CHEAP_COLUMNS] as const;
/** The columns of a resource. The others are only for searching. */
const RESOURCE_COLUMNS = [
  "key",
  "id",
  "name",
  "type",
  "subscription",
  "resource_group",
  "parent",
  ...CHANGING_COLUMNS,
  "created_at",
] as const;
type KeptRow = Pick<ResourceRow, (typeof RESOURCE_COLUMNS)[number]>;

const resourceOf = (row: KeptRow): ManagedResource => ({
  key: row.key,
  id: row.id,
  name: row.name,
  type: row.type,
  subscriptionId: row.subscription,
  resourceGroup: row.resource_group,
  parentKey: row.parent,
  link: row.link ?? undefined,
  location: row.location ?? undefined,
  tags: jsonOf(row.tags),
  envelope: jsonOf(row.envelope),
  properties: jsonOf(row.properties),
  secrets: jsonOf(row.secrets),
  state: row.state,
  operation: row.operation ?? undefined,
  etag: row.etag,
  createdAtMs: row.created_at,
  updatedAtMs: row.updated_at,
});
type ChangedRow = Pick<ResourceRow, "account" | "key" | (typeof CHANGING_COLUMNS)[number]>;
/** Faster for the empty objects that most resources have. */
function textOf(members: object): string {
  for (const _ in members) return JSON.stringify(members);
  return "{}";
}
const changedRowOf = (account: string, resource: ManagedResource): ChangedRow => ({
  account,
  key: resource.key,
  link: resource.link ?? null,
  location: resource.location ?? null,
  tags: textOf(resource.tags),
  envelope: textOf(resource.envelope),
  properties: textOf(resource.properties),
  secrets: textOf(resource.secrets),
  state: resource.state,
  operation: resource.operation ?? null,
  etag: resource.etag,
  updated_at: resource.updatedAtMs,
});

const selectResource = compiledQuery<KeptRow, [string, string]>(["", ""], (db: Db, account, key) =>
  db
    .selectFrom("medley_managed_resource")
    .select(RESOURCE_COLUMNS)
    .where("account", "=", account)
    .where("key", "=", key),
);
export async function find(db: Db, account: string, key: string): Promise<ManagedResource | undefined> {
  const [row] = await selectResource(db, account, key);
  return row && resourceOf(row);
}

type State = Pick<ResourceRow, "name" | "type" | "state">;
const selectState = compiledQuery<State, [string, string]>(["", ""], (db: Db, account, key) =>
  db
    .selectFrom("medley_managed_resource")
    .select(["name", "type", "state"])
    .where("account", "=", account)
    .where("key", "=", key),
);
/** Only the state of a resource. */
export async function findState(db: Db, account: string, key: string): Promise<State | undefined> {
  const [row] = await selectState(db, account, key);
  return row;
}

const insertRow = compiledInsertAll<ResourceRow>("medley_managed_resource", [
  "account",
  "service",
  "key",
  "id",
  "type",
  "type_key",
  "name",
  "name_key",
  "subscription",
  "subscription_key",
  "resource_group",
  "group_key",
  "parent",
  "created_at",
  ...CHANGING_COLUMNS,
]);
export const insert = (
  db: Db,
  owner: { readonly account: string; readonly service: string },
  resource: ManagedResource,
): Promise<void> =>
  insertRow(db, [
    {
      ...changedRowOf(owner.account, resource),
      service: owner.service,
      id: resource.id,
      type: resource.type,
      type_key: resource.type.toLowerCase(),
      name: resource.name,
      name_key: resource.name.toLowerCase(),
      subscription: resource.subscriptionId,
      subscription_key: resource.subscriptionId.toLowerCase(),
      resource_group: resource.resourceGroup,
      group_key: keyOf(groupIdOf(resource.subscriptionId, resource.resourceGroup)),
      parent: resource.parentKey,
      created_at: resource.createdAtMs,
    },
  ]);

const updateRowOf = (columns: typeof CHANGING_COLUMNS | typeof CHEAP_COLUMNS) =>
  compiledUpdate<ChangedRow, "account" | "key">("medley_managed_resource", ["account", "key"], columns);
const updateRow = updateRowOf(CHANGING_COLUMNS);
const updateUnindexed = updateRowOf(CHEAP_COLUMNS);
/** `before`: the stored resource. SQLite writes an index even if its columns stay equal, so an equal link is left out. */
export async function update(
  db: Db,
  account: string,
  resource: ManagedResource,
  before: Pick<ManagedResource, "link">,
): Promise<void> {
  const write = resource.link === before.link ? updateUnindexed : updateRow;
  await write(db, changedRowOf(account, resource));
}

export async function remove(db: Db, account: string, keys: readonly string[]): Promise<void> {
  await db
    .deleteFrom("medley_managed_resource")
    .where("account", "=", account)
    .where("key", "in", keys)
    .execute();
}

/** Some resources below a resource or resource group, at any depth; the innermost first. */
export async function listBelow(
  db: Db,
  account: string,
  key: string,
  { limit, before = `${key}0` }: { readonly limit: number; readonly before?: string | undefined },
): Promise<ManagedResource[]> {
  // Keys begin with their parent's, and "0" is the character after "/".
  const rows = await db
    .selectFrom("medley_managed_resource")
    .selectAll()
    .where("account", "=", account)
    .where("key", ">", `${key}/`)
    .where("key", "<", before)
    .orderBy("key", "desc")
    .limit(limit)
    .execute();
  return rows.map(resourceOf);
}

/** One type within a subscription, below a parent, or linked to a resource; in the order of keys. */
export type Range = {
  readonly account: string;
  readonly type?: string;
  readonly after?: string;
  readonly limit: number;
  /** Left out of the list. */
  readonly exceptType?: string;
} & (
  | { readonly subscriptionId: string }
  | { readonly groupKey: string }
  | { readonly parentKey: string }
  | { readonly link: string }
);

export async function list(db: Db, range: Range): Promise<ManagedResource[]> {
  let query = db
    .selectFrom("medley_managed_resource")
    .selectAll()
    .where("account", "=", range.account)
    .where("key", ">", range.after ?? "");
  if ("subscriptionId" in range)
    query = query.where("subscription_key", "=", range.subscriptionId.toLowerCase());
  else if ("groupKey" in range) query = query.where("group_key", "=", range.groupKey);
  else if ("parentKey" in range) query = query.where("parent", "=", range.parentKey);
  else query = query.where("link", "=", range.link);
  if (range.type !== undefined) query = query.where("type_key", "=", range.type.toLowerCase());
  if (range.exceptType !== undefined) query = query.where("type_key", "!=", range.exceptType.toLowerCase());
  const rows = await query.orderBy("key").limit(range.limit).execute();
  return rows.map(resourceOf);
}

type Counted = { readonly account: string; readonly type: string } & (
  | { readonly parentKey: string }
  | { readonly link: string }
);
export async function count(db: Db, { account, type, ...of }: Counted): Promise<number> {
  const [column, key] = "link" in of ? (["link", of.link] as const) : (["parent", of.parentKey] as const);
  const { count } = await db
    .selectFrom("medley_managed_resource")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where(column, "=", key)
    .where("type_key", "=", type.toLowerCase())
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Some of an account's resources of a type, by name. */
export async function listByName(
  db: Db,
  { account, type, limit }: { account: string; type: string; limit: number },
): Promise<ManagedResource[]> {
  const rows = await db
    .selectFrom("medley_managed_resource")
    .selectAll()
    .where("type_key", "=", type.toLowerCase())
    .where("account", "=", account)
    .orderBy("name_key")
    .limit(limit)
    .execute();
  return rows.map(resourceOf);
}

const selectNamed = compiledQuery<Pick<ResourceRow, "key">, [string, string]>(
  ["", ""],
  (db: Db, type, name) =>
    db
      .selectFrom("medley_managed_resource")
      .select("key")
      .where("type_key", "=", type)
      .where("name_key", "=", name)
      .limit(1),
);
/** The oldest of each account, the oldest first. */
export async function listNamed(db: Db, type: string, name: string, limit: number): Promise<OwnedResource[]> {
  const place = sql<number>`row_number() over (partition by account order by created_at, key)`.as("place");
  const named = db
    .selectFrom("medley_managed_resource")
    .selectAll()
    .select(place)
    .where("type_key", "=", type.toLowerCase())
    .where("name_key", "=", name.toLowerCase());
  const rows = await db
    .selectFrom(named.as("named"))
    .selectAll()
    .where("place", "<=", limit)
    .orderBy("created_at")
    .orderBy("account")
    .orderBy("key")
    .execute();
  return rows.map((row) => ({ account: row.account, resource: resourceOf(row) }));
}
export type OwnedResource = { readonly account: string; readonly resource: ManagedResource };
/** Is there a resource of this type and name, in any account? */
export async function isNameTaken(db: Db, type: string, name: string): Promise<boolean> {
  return (await selectNamed(db, type.toLowerCase(), name.toLowerCase())).length > 0;
}

export async function listSubscriptions(
  db: Db,
  account: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("medley_owner")
    .select("name")
    .where("kind", "=", "subscription")
    .where("account", "=", account)
    .where("name", ">", after)
    .orderBy("name")
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}
