/** What the index still has to do: words to learn, and episodes whose podcast has changed. Left in the transaction, done by a job. */
import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { skeletonOf } from "../domain/search/spelling.ts";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;
export type WordChanges = Readonly<Record<string, number>>;

/** Rows of their own, because everybody would wait for everybody else at the rows of frequent words. */
export async function leaveWork(
  db: Db,
  account: string,
  work: { readonly words: WordChanges } | { readonly podcastId: string },
): Promise<void> {
  if ("words" in work && Object.keys(work.words).length === 0) return;
  await db
    .insertInto("podcasts_index_work")
    .values({
      account,
      id: "words" in work ? randomUUID() : `podcast ${work.podcastId}`,
      kind: "words" in work ? "words" : "podcast",
      detail: "words" in work ? JSON.stringify(work.words) : work.podcastId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function accountsWithIndexWork(db: Db, limit: number): Promise<string[]> {
  const rows = await db.selectFrom("podcasts_index_work").select("account").distinct().limit(limit).execute();
  return rows.map(({ account }) => account);
}

/** Takes some of it: answers the podcasts whose episodes are to be indexed anew, and whether there was anything. */
export async function takeIndexWork(
  db: Db,
  account: string,
  limit: number,
): Promise<{ readonly podcastIds: readonly string[]; readonly isEmpty: boolean }> {
  const rows = await db
    .selectFrom("podcasts_index_work")
    .selectAll()
    .where("account", "=", account)
    .orderBy("id")
    .limit(limit)
    .execute();
  if (rows.length === 0) return { podcastIds: [], isEmpty: true };
  await learnWords(
    db,
    account,
    rows.filter(({ kind }) => kind === "words").map(({ detail }) => JSON.parse(detail) as WordChanges),
  );
  await db
    .deleteFrom("podcasts_index_work")
    .where("account", "=", account)
    .where(
      "id",
      "in",
      rows.map(({ id }) => id),
    )
    .execute();
  return {
    podcastIds: rows.filter(({ kind }) => kind === "podcast").map(({ detail }) => detail),
    isEmpty: false,
  };
}

const WORDS_AT_ONCE = 1_000;

async function learnWords(db: Db, account: string, changes: readonly WordChanges[]): Promise<void> {
  const sums = new Map<string, number>();
  for (const one of changes)
    for (const [word, times] of Object.entries(one)) sums.set(word, (sums.get(word) ?? 0) + times);
  const rows = [...sums]
    .filter(([, count]) => count !== 0)
    .map(([word, count]) => ({ account, word, skeleton: skeletonOf(word), count }));
  for (let from = 0; from < rows.length; from += WORDS_AT_ONCE)
    await db
      .insertInto("podcasts_word")
      .values(rows.slice(from, from + WORDS_AT_ONCE))
      .onConflict((conflict) =>
        conflict
          .columns(["account", "word"])
          .doUpdateSet({ count: sql`podcasts_word.count + excluded.count` }),
      )
      .execute();
  if (rows.some(({ count }) => count < 0))
    await db.deleteFrom("podcasts_word").where("account", "=", account).where("count", "<=", 0).execute();
}
