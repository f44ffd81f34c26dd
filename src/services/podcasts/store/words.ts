/** Queries for words and titles by prefix or similarity. */
import { type Kysely, sql } from "kysely";
import type { KnownWord } from "../domain/search/spelling.ts";
import type { Tables } from "../tables.ts";
import { isOneOf } from "./one-of.ts";

type Db = Kysely<Tables>;
/** Upper bound of all texts with this prefix, in byte order. */
const endOf = (beginning: string): string => `${beginning}\u{10ffff}`;

/** Filters the words that are in the dictionary. */
export async function findKnown(db: Db, account: string, words: readonly string[]): Promise<KnownWord[]> {
  const rows = await db
    .selectFrom("podcasts_word")
    .select(["word", "count"])
    .where("account", "=", account)
    .where(isOneOf(db, "word", words))
    .execute();
  return rows.map(({ word, count }) => ({ word, count: Number(count) }));
}

/** Words among `spellings`, and the most frequent words with one of the phonetic keys `skeletons`. */
export async function findWords(
  db: Db,
  account: string,
  {
    spellings,
    skeletons,
    limit,
  }: { readonly spellings: readonly string[]; readonly skeletons: readonly string[]; readonly limit: number },
): Promise<KnownWord[]> {
  const spelt = await findKnown(db, account, spellings);
  const sounding =
    skeletons.length === 0
      ? []
      : await db
          .selectFrom("podcasts_word")
          .select(["word", "count"])
          .where("account", "=", account)
          .where(isOneOf(db, "skeleton", skeletons))
          .orderBy("count", "desc")
          .orderBy("word")
          .limit(limit)
          .execute();
  const all = new Map([...spelt, ...sounding].map(({ word, count }) => [word, Number(count)]));
  return [...all].map(([word, count]) => ({ word, count }));
}

type Counted = { readonly table: string; readonly column: string; readonly weight: string };
/** Texts with this prefix, highest weight first. */
const completion =
  ({ table, column, weight }: Counted) =>
  async (db: Db, account: string, beginning: string, limit: number): Promise<string[]> => {
    const text = sql.ref(column);
    const { rows } = await sql<{ found: string }>`select ${text} as found from ${sql.table(table)}
      where account = ${account} and ${text} >= ${beginning} and ${text} < ${endOf(beginning)}
      order by ${sql.ref(weight)} desc, ${text} limit ${limit}`.execute(db);
    return rows.map(({ found }) => found);
  };
/** Words of the dictionary. */
export const completeWord = completion({ table: "podcasts_word", column: "word", weight: "count" });
/** Recorded searches. */
export const completeTerm = completion({ table: "podcasts_term", column: "term", weight: "heat" });

export type TitledPodcast = {
  readonly id: string;
  /** The title from the matched word on. */
  readonly phrase: string;
  readonly title: string;
  readonly publisher: string;
  readonly image: string;
  readonly thumbnail: string;
  readonly isExplicit: boolean;
  readonly listenScore: number;
};
/**
 * Podcasts with this prefix at any word of the title. Only the first `looked` in alphabetical order are
 * considered.
 */
export async function completeTitle(
  db: Db,
  account: string,
  beginning: string,
  { isSafe, looked, limit }: { isSafe: boolean; looked: number; limit: number },
): Promise<TitledPodcast[]> {
  const { rows } = await sql<{
    id: string;
    phrase: string;
    title: string;
    publisher: string;
    image: string;
    thumbnail: string;
    explicit_content: number;
    listen_score: number;
  }>`select p.id, m.phrase, p.title, p.publisher, p.image, p.thumbnail, p.explicit_content, p.listen_score
    from (select phrase, podcast_id from podcasts_phrase
      where account = ${account} and phrase >= ${beginning} and phrase < ${endOf(beginning)}
      order by phrase, podcast_id limit ${looked}) m
    join podcasts_podcast p on p.account = ${account} and p.id = m.podcast_id
    where (${isSafe ? 1 : 0} = 0 or p.explicit_content = 0)
    order by p.listen_score desc, m.phrase, p.id limit ${limit}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    phrase: row.phrase,
    title: row.title,
    publisher: row.publisher,
    image: row.image,
    thumbnail: row.thumbnail,
    isExplicit: Number(row.explicit_content) === 1,
    listenScore: Number(row.listen_score),
  }));
}
