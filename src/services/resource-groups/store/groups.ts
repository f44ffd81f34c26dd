/** Queries for groups. */

import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import {
  ALL_SUPPORTED,
  type Configuration,
  type ConfigurationStatus,
  type Group,
  groupArnOf,
  parseQuery,
  type QueryKind,
  type WrittenQuery,
  watchKeyOf,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { GroupRow, GroupTypeRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledInsertAll, compiledQuery } = queriesOf<Db>();

export function groupOf(row: GroupRow): Group {
  const group: { -readonly [Member in keyof Group]: Group[Member] } = {
    region: row.region,
    name: row.name,
    arn: groupArnOf(row.account, row.region, row.name),
    uniqueId: row.unique_id,
  };
  if (row.description !== null) group.description = row.description;
  if (row.query_kind !== null)
    group.query = { kind: row.query_kind as QueryKind, text: row.query_text ?? "" };
  if (row.configuration !== null) group.configuration = JSON.parse(row.configuration) as Configuration;
  if (row.proposed !== null) group.proposed = JSON.parse(row.proposed) as Configuration;
  if (row.configuration_status !== null)
    group.configurationStatus = row.configuration_status as ConfigurationStatus;
  if (row.failure_reason !== null) group.failureReason = row.failure_reason;
  return group;
}

const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
const queryColumns = (query: WrittenQuery | undefined) => ({
  query_kind: query?.kind ?? null,
  query_text: query?.text ?? null,
  watch_key: query ? watchKeyOf(parseQuery(query)) : null,
});

const selectGroup = compiledQuery<GroupRow, [string, string, string]>(
  ["", "", ""],
  (db: Db, account, region, name) =>
    db
      .selectFrom("resource_groups_group")
      .selectAll()
      .where("account", "=", account)
      .where("region", "=", region)
      .where("name", "=", name),
);
export async function findGroup(
  db: Db,
  account: string,
  region: string,
  name: string,
): Promise<Group | undefined> {
  const [row] = await selectGroup(db, account, region, name);
  return row && groupOf(row);
}
export async function getGroup(db: Db, account: string, region: string, name: string): Promise<Group> {
  const group = await findGroup(db, account, region, name);
  if (!group) throw errors.notFound(`There is no group ${name} in this account and region.`);
  return group;
}

const insertGroupRow = compiledInsert<GroupRow>("resource_groups_group", [
  "account",
  "region",
  "name",
  "unique_id",
  "description",
  "query_kind",
  "query_text",
  "watch_key",
  "configuration",
  "proposed",
  "configuration_status",
  "failure_reason",
  "event_sequence",
  "created_at",
  "updated_at",
]);
/** Returns false if the name exists. */
export async function insertGroup(db: Db, account: string, group: Group, nowMs: number): Promise<boolean> {
  const isNew = await insertGroupRow(db, {
    account,
    region: group.region,
    name: group.name,
    unique_id: group.uniqueId,
    description: group.description ?? null,
    ...queryColumns(group.query),
    configuration: jsonOrNull(group.configuration),
    proposed: null,
    configuration_status: group.configurationStatus ?? null,
    failure_reason: null,
    event_sequence: 0,
    created_at: nowMs,
    updated_at: nowMs,
  });
  if (isNew) await insertTypes(db, account, group);
  return isNew;
}
const insertTypeRows = compiledInsertAll<GroupTypeRow>("resource_groups_group_type", [
  "account",
  "region",
  "filter",
  "type",
  "name",
]);
function insertTypes(db: Db, account: string, group: Group): Promise<void> {
  const { region, name, query, configuration = [] } = group;
  const queried = query ? (parseQuery(query).types ?? [ALL_SUPPORTED]) : [];
  const rows = [
    ...queried.map((type) => ({ filter: "resource-type", type })),
    ...configuration.map(({ type }) => ({ filter: "configuration-type", type })),
  ].map((row) => ({ account, region, name, ...row }));
  return insertTypeRows(db, rows);
}
async function deleteTypes(db: Db, account: string, { region, name }: Group): Promise<void> {
  await db
    .deleteFrom("resource_groups_group_type")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .execute();
}

export async function saveGroup(db: Db, account: string, group: Group, nowMs: number): Promise<void> {
  await db
    .updateTable("resource_groups_group")
    .set({
      description: group.description ?? null,
      ...queryColumns(group.query),
      configuration: jsonOrNull(group.configuration),
      proposed: jsonOrNull(group.proposed),
      configuration_status: group.configurationStatus ?? null,
      failure_reason: group.failureReason ?? null,
      updated_at: nowMs,
    })
    .where("account", "=", account)
    .where("region", "=", group.region)
    .where("name", "=", group.name)
    .execute();
  await deleteTypes(db, account, group);
  await insertTypes(db, account, group);
}

/** Also deletes its members and published members. */
export async function deleteGroup(db: Db, account: string, group: Group): Promise<void> {
  await deleteTypes(db, account, group);
  for (const table of ["resource_groups_member", "resource_groups_told", "resource_groups_group"] as const)
    await db
      .deleteFrom(table)
      .where("account", "=", account)
      .where("region", "=", group.region)
      .where("name", "=", group.name)
      .execute();
}

/** The next event number of the group; undefined if the group was deleted. */
export async function takeEventSequence(
  db: Db,
  account: string,
  { region, name, uniqueId }: Group,
): Promise<number | undefined> {
  const row = await db
    .updateTable("resource_groups_group")
    .set((expression) => ({ event_sequence: expression("event_sequence", "+", 1) }))
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .where("unique_id", "=", uniqueId)
    .returning("event_sequence")
    .executeTakeFirst();
  return row?.event_sequence;
}

const KEYS_AT_ONCE = 200;
/** Groups whose query can be affected by a change, found by watch keys. */
export async function listWatching(
  db: Db,
  account: string,
  region: string,
  keys: readonly string[],
): Promise<Group[]> {
  const rows: GroupRow[] = [];
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE)
    rows.push(
      ...(await db
        .selectFrom("resource_groups_group")
        .selectAll()
        .where("account", "=", account)
        .where("region", "=", region)
        .where("watch_key", "in", keys.slice(start, start + KEYS_AT_ONCE))
        .orderBy("name")
        .execute()),
    );
  return rows.map(groupOf);
}
