/** Queries for plans and usage. */
import type { Kysely } from "kysely";
import { DEFAULT_PLAN, type Plan } from "../domain/quota.ts";
import type { PlanRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
/** Key name of the default plan. */
export const ANY_KEY = "*";

export async function getPlan(db: Db, account: string, keyName: string): Promise<Plan> {
  const rows = await db
    .selectFrom("podcasts_plan")
    .selectAll()
    .where("account", "=", account)
    .where("key_name", "in", [keyName, ANY_KEY])
    .execute();
  const row = rows.find(({ key_name }) => key_name === keyName) ?? rows[0];
  return row
    ? { monthlyMax: Number(row.monthly_max), perSecondMax: Number(row.per_second_max) }
    : DEFAULT_PLAN;
}

export async function setPlan(db: Db, account: string, keyName: string, plan: Plan): Promise<void> {
  const columns = { monthly_max: plan.monthlyMax, per_second_max: plan.perSecondMax };
  await db
    .insertInto("podcasts_plan")
    .values({ account, key_name: keyName, ...columns })
    .onConflict((conflict) => conflict.columns(["account", "key_name"]).doUpdateSet(columns))
    .execute();
}

export async function listPlans(db: Db, account: string): Promise<PlanRow[]> {
  return db
    .selectFrom("podcasts_plan")
    .selectAll()
    .where("account", "=", account)
    .orderBy("key_name")
    .execute();
}

/** Returns the total usage including this. */
export async function addUsage(
  db: Db,
  account: string,
  { keyName, month, requests }: { keyName: string; month: string; requests: number },
): Promise<number> {
  const row = await db
    .insertInto("podcasts_usage")
    .values({ account, key_name: keyName, month, requests })
    .onConflict((conflict) =>
      conflict.columns(["account", "key_name", "month"]).doUpdateSet(({ eb, ref }) => ({
        requests: eb(ref("podcasts_usage.requests"), "+", requests),
      })),
    )
    .returning("requests")
    .executeTakeFirstOrThrow();
  return Number(row.requests);
}

export async function countUsage(db: Db, account: string, keyName: string, month: string): Promise<number> {
  const row = await db
    .selectFrom("podcasts_usage")
    .select("requests")
    .where("account", "=", account)
    .where("key_name", "=", keyName)
    .where("month", "=", month)
    .executeTakeFirst();
  return Number(row?.requests ?? 0);
}

export async function listUsage(db: Db, account: string, limit: number) {
  return db
    .selectFrom("podcasts_usage")
    .selectAll()
    .where("account", "=", account)
    .orderBy("month", "desc")
    .orderBy("key_name")
    .limit(limit)
    .execute();
}
