/** Queue of accepted messages that are not evaluated yet. */
import type { Kysely } from "kysely";
import { deleteSome, queriesOf } from "#kernel/db";
import type { MessageRow, Tables } from "../tables.ts";
import { inSizes } from "./sizes.ts";

type Db = Kysely<Tables>;
const { compiledInsertAll, compiledQuery } = queriesOf<Db>();
/** The database sets `accepted_at`. */
export type NewMessage = Omit<MessageRow, "accepted_at">;

const insertRows = compiledInsertAll<NewMessage>("events_message", [
  "account",
  "shard",
  "id",
  "model_id",
  "key",
  "input",
  "message_id",
  "payload",
  "sent_at",
  "depth",
]);
export async function insertMessages(db: Db, rows: readonly NewMessage[]): Promise<void> {
  for (const some of inSizes(rows)) await insertRows(db, some);
}

const insertSeen = compiledQuery<{ message_id: string }, [string, string, string, string, number, number]>(
  ["", "", "", "", 0, 0],
  (db: Db, account, region, input, messageId, nowMs, forgottenMs) =>
    db
      .insertInto("events_seen")
      .values({ account, region, input, message_id: messageId, seen_at: nowMs })
      .onConflict((conflict) =>
        conflict
          .columns(["account", "region", "input", "message_id"])
          .doUpdateSet(({ ref }) => ({ seen_at: ref("excluded.seen_at") }))
          .where("events_seen.seen_at", "<=", forgottenMs),
      )
      .returning("message_id"),
);
type Seen = {
  readonly account: string;
  readonly region: string;
  readonly input: string;
  readonly messageId: string;
};
/** Records a message id. Returns false if it was seen for this input within `keptMs`. */
export async function noteSeen(
  db: Db,
  { account, region, input, messageId }: Seen,
  nowMs: number,
  keptMs: number,
): Promise<boolean> {
  const rows = await insertSeen(db, account, region, input, messageId, nowMs, nowMs - keptMs);
  return rows.length > 0;
}
/** Deletes some. Returns whether there may be more. */
export const deleteSeenBefore = (db: Db, beforeMs: number): Promise<boolean> =>
  deleteSome(db, "events_seen", (seen) => seen.where("seen_at", "<", beforeMs));

const selectHead = compiledQuery<MessageRow, [string, number, number]>(
  ["", 0, 0],
  (db: Db, account, shard, limit) =>
    db
      .selectFrom("events_message")
      .selectAll()
      .where("account", "=", account)
      .where("shard", "=", shard)
      .orderBy("accepted_at")
      .orderBy("id")
      .limit(limit),
);
/** First messages of a shard, in the order of acceptance. */
export const headOfQueue = (db: Db, account: string, shard: number, limit: number): Promise<MessageRow[]> =>
  selectHead(db, account, shard, limit);

const deleteHead = compiledQuery<never, [string, number, number, number, string]>(
  ["", 0, 0, 0, ""],
  (db: Db, account, shard, before, at, upTo) =>
    db
      .deleteFrom("events_message")
      .where("account", "=", account)
      .where("shard", "=", shard)
      .where(({ and, eb, or }) =>
        or([eb("accepted_at", "<", before), and([eb("accepted_at", "=", at), eb("id", "<=", upTo)])]),
      ),
);
/** Deletes the messages that `headOfQueue` returned in the same transaction. */
export async function deleteUpTo(db: Db, account: string, last: MessageRow): Promise<void> {
  await deleteHead(db, account, last.shard, last.accepted_at, last.accepted_at, last.id);
}

export async function countWaiting(db: Db, account: string, max: number): Promise<number> {
  const { count } = await db
    .selectFrom(
      db.selectFrom("events_message").select("id").where("account", "=", account).limit(max).as("waiting"),
    )
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}
/** Microseconds of the database clock. */
export async function findOldestWaiting(db: Db, account: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("events_message")
    .select(({ fn }) => fn.min<number | null>("accepted_at").as("oldest"))
    .where("account", "=", account)
    .executeTakeFirst();
  return row?.oldest ?? undefined;
}
