/** Subscriptions. */
import { type Kysely, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import type { SubscriptionRow, Tables } from "../tables/index.ts";

type Db = Kysely<Tables>;
const { compiledQuery } = queriesOf<Db>();

export const insertSubscription = (db: Db, row: SubscriptionRow) =>
  db.insertInto("contributions_subscription").values(row).execute();

export const listSubscriptions = (db: Db, account: string, userId: string): Promise<SubscriptionRow[]> =>
  db
    .selectFrom("contributions_subscription")
    .selectAll()
    .where("account", "=", account)
    .where("user_id", "=", userId)
    .where(
      // Subscriptions of a deleted assignment are removed in the background.
      sql<boolean>`(assignment_id is null or exists (select 1 from contributions_assignment a
        where a.account = contributions_subscription.account and a.id = contributions_subscription.assignment_id
        and a.deleted_at is null))`,
    )
    .orderBy("id")
    .execute();

export async function deleteSubscription(
  db: Db,
  account: string,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("contributions_subscription")
    .where("account", "=", account)
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const removeSubscriptionsOf = (db: Db, account: string, assignmentId: string) =>
  db
    .deleteFrom("contributions_subscription")
    .where("account", "=", account)
    .where("assignment_id", "=", assignmentId)
    .execute();

/** Types are quoted names, so that one does not match inside of another. */
const quotedType = (type: string): string => `"${type}"`;
/** No LIKE pattern, and below a literal limit: with these as parameters SQLite plans the query at each run. */
const isAmongTypes = (quoted: string) => sql<boolean>`replace(types, ${quoted}, '') <> types`;

const firstOfType = compiledQuery<{ id: string }, [string, string]>(["", ""], (db, account, quoted) =>
  db
    .selectFrom("contributions_subscription")
    .select("id")
    .where("account", "=", account)
    .where(isAmongTypes(quoted))
    .limit(sql.lit(1)),
);
export async function hasSubscribers(db: Db, account: string, type: string): Promise<boolean> {
  return (await firstOfType(db, account, quotedType(type))).length > 0;
}
/** Subscribers to all assignments, or to this one. */
export const listSubscribers = (
  db: Db,
  account: string,
  type: string,
  assignmentId: string | null,
): Promise<SubscriptionRow[]> =>
  db
    .selectFrom("contributions_subscription")
    .selectAll()
    .where("account", "=", account)
    .where(isAmongTypes(quotedType(type)))
    .where((is) => is.or([is("assignment_id", "is", null), is("assignment_id", "=", assignmentId)]))
    .orderBy("id")
    .execute();

export async function countSubscriptions(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("contributions_subscription")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
