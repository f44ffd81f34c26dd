/** Words and titles that are found by how they begin or what they resemble. */
import { type Kysely, sql } from "kysely";
import type { KnownWord } from "../domain/search/spelling.ts";
import type { Tables } from "../tables.ts";
import { isOneOf } from "./one-of.ts";

type Db = Kysely<Tables>;
/** Behind everything that begins with the text, by bytes. */
const endOf = (beginning: string): string => `${beginning}\u{10ffff}`;

/** Those of the words that there are. */
export async function findKnown(db: Db, account: string, words: readonly string[]): Promise<KnownWord[]> {
  const rows = await db
    .selectFrom("podcasts_word")
    .select(["word", "count"])
    .where("account", "=", account)
    .where(isOneOf(db, "word", words))
    .execute();
  return rows.map(({ word, count }) => ({ word, count: Number(count) }));
}

/** Words that are among `spellings`, and the most frequent that sound like one of `skeletons`. */
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
/** What begins so, the weightiest first. */
const completion =
  ({ table, column, weight }: Counted) =>
  async (db: Db, account: string, beginning: string, limit: number): Promise<string[]> => {
    const text = sql.ref(column);
    const { rows } = await sql<{ found: string }>`select ${text} as found from ${sql.table(table)}
      where account = ${account} and ${text} >= ${beginning} and ${text} < ${endOf(beginning)}
      order by ${sql.ref(weight)} desc, ${text} limit ${limit}`.execute(db);
    return rows.map(({ found }) => found);
  };
/** Words of the directory. */
export const completeWord = completion({ table: "podcasts_word", column: "word", weight: "count" });
/** Searches. */
export const completeTerm = completion({ table: "podcasts_term", column: "term", weight: "heat" });

export type TitledPodcast = {
  readonly id: string;
  /** The title from the word on that was found. */
  readonly phrase: string;
  readonly title: string;
  readonly publisher: string;
  readonly image: string;
  readonly thumbnail: string;
  readonly isExplicit: boolean;
  readonly listenScore: number;
};
/** Podcasts with that beginning at some word of their titles; of very many, the first by the alphabet are looked at. */
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
