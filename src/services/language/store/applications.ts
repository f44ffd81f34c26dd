/** Applications. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { Application, PublishSettings } from "../domain/application.ts";
import { keyOf } from "../domain/limits.ts";
import { APPLICATION_PARTS, type ApplicationRow, type AssignedRow, type Tables } from "../tables.ts";
import type { Page } from "./version-part.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledQuery, compiledUpdate } = queriesOf<Db>();

export const applicationOf = (row: ApplicationRow): Application => ({
  id: row.id,
  name: row.name,
  culture: row.culture,
  tokenizerVersion: row.tokenizer_version,
  description: row.description,
  domain: row.domain,
  usageScenario: row.usage_scenario,
  activeVersion: row.active_version,
  isPublic: Number(row.is_public) === 1,
  publishSettings: JSON.parse(row.publish_settings) as PublishSettings,
  hits: Number(row.hits),
  createdAtMs: Number(row.created_at),
});
const rowOf = (account: string, application: Application): ApplicationRow => ({
  account,
  id: application.id,
  name: application.name,
  name_key: keyOf(application.name),
  culture: application.culture,
  tokenizer_version: application.tokenizerVersion,
  description: application.description,
  domain: application.domain,
  usage_scenario: application.usageScenario,
  active_version: application.activeVersion,
  is_public: application.isPublic ? 1 : 0,
  publish_settings: JSON.stringify(application.publishSettings),
  hits: application.hits,
  created_at: application.createdAtMs,
});

const selectOne = compiledQuery<ApplicationRow, [string, string]>(["", ""], (db, account, id) =>
  db.selectFrom("language_application").selectAll().where("account", "=", account).where("id", "=", id),
);
export async function findApplication(db: Db, account: string, id: string): Promise<Application | undefined> {
  const [row] = await selectOne(db, account, id);
  return row && applicationOf(row);
}

const selectByName = compiledQuery<ApplicationRow, [string, string]>(["", ""], (db, account, key) =>
  db
    .selectFrom("language_application")
    .selectAll()
    .where("account", "=", account)
    .where("name_key", "=", key),
);
export async function findApplicationByName(
  db: Db,
  account: string,
  name: string,
): Promise<Application | undefined> {
  const [row] = await selectByName(db, account, keyOf(name));
  return row && applicationOf(row);
}

/** The owner of a public application. */
export async function findOwnerOfPublic(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("language_application")
    .select("account")
    .where("id", "=", id)
    .where("is_public", "=", 1)
    .executeTakeFirst();
  return row?.account;
}

const CHANGING = [
  "name",
  "name_key",
  "culture",
  "tokenizer_version",
  "description",
  "domain",
  "usage_scenario",
  "active_version",
  "is_public",
  "publish_settings",
] as const satisfies readonly (keyof ApplicationRow)[];
const insertRow = compiledInsert<ApplicationRow>("language_application", [
  "account",
  "id",
  "hits",
  "created_at",
  ...CHANGING,
]);
export async function insertApplication(db: Db, account: string, application: Application): Promise<void> {
  await insertRow(db, rowOf(account, application));
}

const updateRow = compiledUpdate<ApplicationRow, "account" | "id">(
  "language_application",
  ["account", "id"],
  CHANGING,
);
export async function updateApplication(db: Db, account: string, application: Application): Promise<void> {
  await updateRow(db, rowOf(account, application));
}

export async function deleteApplication(db: Db, account: string, id: string): Promise<void> {
  for (const table of APPLICATION_PARTS)
    await db.deleteFrom(table).where("account", "=", account).where("application", "=", id).execute();
  await db.deleteFrom("language_application").where("account", "=", account).where("id", "=", id).execute();
}

export async function countApplications(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("language_application")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export const pageOfRows = (db: Db, account: string, { skip, take }: Page) =>
  db
    .selectFrom("language_application")
    .selectAll()
    .where("account", "=", account)
    .orderBy("created_at")
    .orderBy("id")
    .limit(take)
    .offset(skip);
const selectPage = compiledQuery<ApplicationRow, [string, number, number]>(
  ["", 0, 0],
  (db, account, skip, take) => pageOfRows(db, account, { skip, take }),
);
export async function listApplications(
  db: Db,
  account: string,
  { skip, take }: Page,
): Promise<Application[]> {
  return (await selectPage(db, account, skip, take)).map(applicationOf);
}

/** Accounts of the maker's cloud that an application is assigned to. */
export type Assigned = {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly name: string;
};
export async function listAssigned(db: Db, account: string, application?: string): Promise<Assigned[]> {
  const rows = await db
    .selectFrom("language_assigned")
    .select(["subscription", "resource_group", "name"])
    .distinct()
    .where("account", "=", account)
    .$if(application !== undefined, (query) => query.where("application", "=", application ?? ""))
    .orderBy("subscription")
    .orderBy("resource_group")
    .orderBy("name")
    .execute();
  return rows.map((row) => ({
    subscription: row.subscription,
    resourceGroup: row.resource_group,
    name: row.name,
  }));
}
const insertAssignedRow = compiledInsert<AssignedRow>("language_assigned", [
  "account",
  "application",
  "subscription",
  "resource_group",
  "name",
]);
/** Answers false when it is assigned already. */
export const insertAssigned = (
  db: Db,
  account: string,
  application: string,
  { subscription, resourceGroup, name }: Assigned,
): Promise<boolean> =>
  insertAssignedRow(db, { account, application, subscription, resource_group: resourceGroup, name });
/** Answers false when it is not assigned. */
export async function deleteAssigned(
  db: Db,
  account: string,
  application: string,
  { subscription, resourceGroup, name }: Assigned,
): Promise<boolean> {
  const result = await db
    .deleteFrom("language_assigned")
    .where("account", "=", account)
    .where("application", "=", application)
    .where("subscription", "=", subscription)
    .where("resource_group", "=", resourceGroup)
    .where("name", "=", name)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
