/** The query log of applications. Suggestions come from it. */
import { type Kysely, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import { textKeyOf } from "../domain/limits.ts";
import type { Query } from "../domain/queries.ts";
import type { QueryRow, Tables } from "../tables.ts";
import { inChunks } from "./in-chunks.ts";

type Db = Kysely<Tables>;
const { compiledInsertAll } = queriesOf<Db>();

const queryOf = (row: QueryRow): Query => ({
  id: row.id,
  application: row.application,
  versionUid: row.version_uid,
  slot: row.slot,
  text: row.text,
  intent: row.intent,
  score: Number(row.score),
  answer: row.answer,
  askedAtMs: Number(row.asked_at),
});

const insertRows = inChunks(
  compiledInsertAll<QueryRow>("language_query", [
    "account",
    "id",
    "application",
    "version_uid",
    "slot",
    "text",
    "text_key",
    "intent",
    "score",
    "answer",
    "is_hidden",
    "asked_at",
  ]),
);
export async function insertQueries(db: Db, account: string, queries: readonly Query[]): Promise<void> {
  await insertRows(
    db,
    queries.map((query) => ({
      account,
      id: query.id,
      application: query.application,
      version_uid: query.versionUid,
      slot: query.slot,
      text: query.text,
      text_key: textKeyOf(query.text),
      intent: query.intent,
      score: query.score,
      answer: query.answer,
      is_hidden: 0,
      asked_at: query.askedAtMs,
    })),
  );
}

export type Hits = { readonly application: string; readonly versionUid: string; readonly count: number };
export async function addHits(db: Db, account: string, hits: readonly Hits[]): Promise<void> {
  for (const { application, versionUid, count } of hits) {
    await db
      .updateTable("language_application")
      .set({ hits: sql`hits + ${sql.lit(count)}` })
      .where("account", "=", account)
      .where("id", "=", application)
      .execute();
    await db
      .updateTable("language_version")
      .set({ hits: sql`hits + ${sql.lit(count)}` })
      .where("account", "=", account)
      .where("uid", "=", versionUid)
      .execute();
  }
}

/** The newest first. */
export async function listQueries(
  db: Db,
  account: string,
  application: string,
  { before, take, shownOnly = false }: { before?: string | undefined; take: number; shownOnly?: boolean },
): Promise<Query[]> {
  const rows = await db
    .selectFrom("language_query")
    .selectAll()
    .where("account", "=", account)
    .where("application", "=", application)
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .$if(shownOnly, (query) => query.where("is_hidden", "=", 0))
    .orderBy("id", "desc")
    .limit(take)
    .execute();
  return rows.map(queryOf);
}

/** No longer suggested; the log keeps them. Answers how many there were. */
export async function hideQueries(
  db: Db,
  account: string,
  application: string,
  text: string,
): Promise<number> {
  const result = await db
    .updateTable("language_query")
    .set({ is_hidden: 1 })
    .where("account", "=", account)
    .where("application", "=", application)
    .where("text_key", "=", textKeyOf(text))
    .where("is_hidden", "=", 0)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Keeps the newest of an application. */
export async function trimQueries(db: Db, account: string, application: string, kept: number): Promise<void> {
  const last = await db
    .selectFrom("language_query")
    .select("id")
    .where("account", "=", account)
    .where("application", "=", application)
    .orderBy("id", "desc")
    .limit(1)
    .offset(kept)
    .executeTakeFirst();
  if (!last) return;
  await db
    .deleteFrom("language_query")
    .where("account", "=", account)
    .where("application", "=", application)
    .where("id", "<=", last.id)
    .execute();
}
