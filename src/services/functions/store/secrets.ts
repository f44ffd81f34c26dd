/** Secrets that functions get, sealed. */
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;
type SecretName = { readonly project: string; readonly secret: string };

/** Answers the number of the new version. */
export async function addSecretVersion(
  db: Db,
  account: string,
  { project, secret }: SecretName,
  sealed: string,
  nowMs: number,
): Promise<number> {
  const newest = await db
    .selectFrom("functions_secret")
    .select(({ fn }) => fn.max("version").as("version"))
    .where("account", "=", account)
    .where("project", "=", project)
    .where("secret", "=", secret)
    .executeTakeFirst();
  const version = Number(newest?.version ?? 0) + 1;
  await db
    .insertInto("functions_secret")
    .values({ account, project, secret, version, value: sealed, created_at: nowMs })
    .execute();
  return version;
}
/** Sealed; `latest` or a number. */
export async function findSecretVersion(
  db: Db,
  account: string,
  { project, secret }: SecretName,
  version: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("functions_secret")
    .select("value")
    .where("account", "=", account)
    .where("project", "=", project)
    .where("secret", "=", secret)
    .$if(version !== "latest", (query) => query.where("version", "=", Number(version)))
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.value;
}
export async function countSecretVersions(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("functions_secret")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
