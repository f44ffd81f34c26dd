/**
 * Queue of index work: words to learn and podcasts to reindex. Transactions add to it, and a job processes
 * it.
 */
import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { queriesOf } from "#kernel/db";
import { skeletonOf } from "../domain/search/spelling.ts";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;
const { compiledShapes } = queriesOf<Db>();
/** Words with the change of their count. Building an object with thousands of keys is slow. */
export type WordChanges = readonly (readonly [word: string, times: number])[];

/** Queue rows avoid lock contention on the rows of frequent words. */
export async function leaveWork(
  db: Db,
  account: string,
  work: { readonly words: WordChanges } | { readonly podcastId: string },
): Promise<void> {
  if ("words" in work && work.words.length === 0) return;
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

/** Takes a batch. Returns the podcasts to reindex, and whether the queue was empty. */
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
    rows.filter(({ kind }) => kind === "words").map(({ detail }) => wordChangesIn(detail)),
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

/** Earlier versions stored an object of counts by word. */
function wordChangesIn(detail: string): WordChanges {
  const changes: WordChanges | Readonly<Record<string, number>> = JSON.parse(detail);
  return Array.isArray(changes) ? changes : Object.entries(changes);
}

/** A few fixed batch sizes, so that each statement is compiled once. */
const WORDS_AT_ONCE: readonly number[] = [256, 32, 4, 1];
const WORD_COLUMNS = 4;
const addWords = compiledShapes<never, number>((db, count, values) =>
  db
    .insertInto("podcasts_word")
    .values(
      Array.from({ length: count }, (_, row) => {
        const [account, word, skeleton, times] = values.slice(row * WORD_COLUMNS);
        return { account, word, skeleton, count: times };
      }),
    )
    .onConflict((conflict) =>
      conflict.columns(["account", "word"]).doUpdateSet({ count: sql`podcasts_word.count + excluded.count` }),
    ),
);

async function learnWords(db: Db, account: string, changes: readonly WordChanges[]): Promise<void> {
  const sums = new Map<string, number>();
  for (const one of changes) for (const [word, times] of one) sums.set(word, (sums.get(word) ?? 0) + times);
  const changed = [...sums].filter(([, times]) => times !== 0);
  for (let from = 0; from < changed.length; ) {
    const size = WORDS_AT_ONCE.find((one) => from + one <= changed.length) ?? 1;
    const some = changed.slice(from, from + size);
    const values = some.flatMap(([word, times]) => [account, word, skeletonOf(word), times]);
    await addWords(db, String(size), size, values);
    from += size;
  }
  if (changed.some(([, times]) => times < 0))
    await db.deleteFrom("podcasts_word").where("account", "=", account).where("count", "<=", 0).execute();
}
