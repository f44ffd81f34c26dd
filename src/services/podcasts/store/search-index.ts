/** Updates the search index in the same transaction as the listed rows. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import { plainTextOf } from "../domain/search/highlight.ts";
import { nextOrder } from "../domain/search/order.ts";
import { phrasesOf, spellingWordsOf, termWeightsOf } from "../domain/search/phrases.ts";
import type { CuratedRow, DocumentRow, EpisodeRow, PodcastRow, Tables } from "../tables.ts";
import type { EpisodeText } from "./episodes.ts";
import { leaveWork, type WordChanges } from "./index-work.ts";
import { isOneOf } from "./one-of.ts";
import { findPodcast } from "./podcasts.ts";
import { documentOfCurated, documentOfPodcast, episodeDocuments } from "./search-documents.ts";

type Db = Kysely<Tables>;
const { compiledInsertAll } = queriesOf<Db>();
/** A list has no language. Most list titles are English. */
const LIST_LANGUAGE = "English";

const insertDocuments = compiledInsertAll<DocumentRow>("podcasts_document", [
  "account",
  "search_id",
  "kind",
  "id",
  "podcast_id",
  "language",
  "pub_date_ms",
  "title",
  "author",
  "description",
  "audio",
  "facets",
  "is_description_learnt",
]);

type Place = Pick<DocumentRow, "id" | "search_id" | "is_description_learnt">;
async function findPlaces(db: Db, account: string, kind: string, ids: Iterable<string>): Promise<Place[]> {
  const wanted = [...ids];
  if (wanted.length === 0) return [];
  return db
    .selectFrom("podcasts_document")
    .select(["id", "search_id", "is_description_learnt"])
    .where("account", "=", account)
    .where("kind", "=", kind)
    .where(isOneOf(db, "id", wanted))
    .execute();
}

/** Deletes and inserts in batches, so that the index is written once for each. */
async function replaceDocuments(
  db: Db,
  replaced: readonly Place[],
  documents: readonly DocumentRow[],
): Promise<void> {
  if (replaced.length > 0)
    await db
      .deleteFrom("podcasts_document")
      .where(
        "search_id",
        "in",
        replaced.map((row) => row.search_id),
      )
      .execute();
  if (documents.length > 0) await insertDocuments(db, await placed(db, documents));
}

/**
 * Documents of one second can collide; the later one takes the next free id. Rows are sorted by id, because
 * FTS5 starts a new segment for every document with a smaller id.
 */
async function placed(db: Db, documents: readonly DocumentRow[]): Promise<DocumentRow[]> {
  const taken = new Set(
    (
      await db
        .selectFrom("podcasts_document")
        .select("search_id")
        .where(
          "search_id",
          "in",
          documents.map((one) => one.search_id),
        )
        .execute()
    ).map((row) => Number(row.search_id)),
  );
  const rows: DocumentRow[] = [];
  for (const document of documents) {
    let order = document.search_id;
    while (taken.has(order) || (order !== document.search_id && (await isTaken(db, order))))
      order = nextOrder(order);
    taken.add(order);
    rows.push({ ...document, search_id: order });
  }
  return rows.sort((one, other) => one.search_id - other.search_id);
}
async function isTaken(db: Db, order: number): Promise<boolean> {
  const row = await db
    .selectFrom("podcasts_document")
    .select("search_id")
    .where("search_id", "=", order)
    .executeTakeFirst();
  return row !== undefined;
}

/** Earlier texts of replaced episodes by id. */
type Replaced = ReadonlyMap<string, EpisodeText>;
type Listing = {
  /** New or changed, at most a hundred. */
  readonly episodes: readonly EpisodeRow[];
  readonly replaced: Replaced;
  /** Other episodes may be indexed with earlier data of the podcast. */
  readonly hasEarlier: boolean;
  /** Earlier batches of this read were indexed with podcast data that has changed since. */
  readonly hasOutdated: boolean;
};
/**
 * Indexes a podcast with some of its episodes. If shared data changed, a job reindexes the other episodes.
 */
export async function indexListing(
  db: Db,
  account: string,
  podcast: PodcastRow,
  { episodes, replaced, hasEarlier, hasOutdated }: Listing,
): Promise<void> {
  const before = await findDocument(db, account, "p", podcast.id);
  const after = documentOfPodcast(account, podcast);
  const { places, documents, words } = await documentsOf(db, account, podcast, episodes, replaced);
  await replaceDocuments(db, before ? [before, ...places] : places, [after, ...documents]);
  const isRenamed = !before || before.title !== after.title || before.author !== after.author;
  const isNewlyTold = !before || before.title !== after.title || before.description !== after.description;
  if (isRenamed) await indexPhrases(db, account, podcast);
  if (isNewlyTold) await indexVector(db, account, podcast);
  await leaveWork(db, account, { words });
  if (hasOutdated || (hasEarlier && (!before || sharedPart(before) !== sharedPart(after))))
    await leaveWork(db, account, { podcastId: podcast.id });
}
/**
 * Replaces the podcast's words in the spelling dictionary. Call it in the transaction that writes the
 * podcast.
 */
export async function learnPodcast(
  db: Db,
  account: string,
  podcast: PodcastRow,
  before: PodcastRow | undefined,
): Promise<void> {
  const forgotten = before ? [wordsOfPodcast(before)] : [];
  await leaveWork(db, account, { words: wordChanges([wordsOfPodcast(podcast)], forgotten) });
}
const wordsOfPodcast = ({ title, publisher, description }: PodcastRow): string[] => [
  title,
  publisher,
  plainTextOf(description),
];
/** The end of a long description is usually links and credits, so only its start is learnt. */
const DESCRIPTION_LETTERS_LEARNT = 1_000;
const wordsOfEpisode = ({ title, description }: EpisodeText): string[] => [
  title,
  plainTextOf(description).slice(0, DESCRIPTION_LETTERS_LEARNT),
];
/** The words that the dictionary learnt from a document. */
const learntOf = ({ is_description_learnt: isLearnt }: Place, text: EpisodeText | undefined): string[] => {
  if (!text) return [];
  return Number(isLearnt) === 1 ? wordsOfEpisode(text) : [text.title];
};
const LENGTHS = / _m\S+/g;
/**
 * Interview and sponsor facets belong to each episode. Episodes inherit the other facets from the podcast.
 */
const OWN = / _[is](?= |$)/g;
const sharedPart = ({ title, author, language, facets }: DocumentRow): string =>
  [title, author, language, facets.replace(LENGTHS, "").replace(OWN, "")].join("\n");

const findDocument = (db: Db, account: string, kind: string, id: string): Promise<DocumentRow | undefined> =>
  db
    .selectFrom("podcasts_document")
    .selectAll()
    .where("account", "=", account)
    .where("kind", "=", kind)
    .where("id", "=", id)
    .executeTakeFirst();

const insertPhrases = compiledInsertAll<Tables["podcasts_phrase"]>("podcasts_phrase", [
  "account",
  "phrase",
  "podcast_id",
]);
const insertVector = compiledInsertAll<Tables["podcasts_vector"]>("podcasts_vector", [
  "account",
  "term",
  "podcast_id",
  "weight",
]);
async function indexPhrases(db: Db, account: string, podcast: PodcastRow): Promise<void> {
  await deleteOfPodcast(db, account, "podcasts_phrase", podcast.id);
  const rows = phrasesOf(podcast.title).map((phrase) => ({ account, phrase, podcast_id: podcast.id }));
  await insertPhrases(db, rows);
}
async function indexVector(db: Db, account: string, podcast: PodcastRow): Promise<void> {
  await deleteOfPodcast(db, account, "podcasts_vector", podcast.id);
  const rows = termWeightsOf(podcast.title, plainTextOf(podcast.description), podcast.language).map(
    (one) => ({
      account,
      podcast_id: podcast.id,
      ...one,
    }),
  );
  await insertVector(db, rows);
}
const deleteOfPodcast = (
  db: Db,
  account: string,
  table: "podcasts_phrase" | "podcasts_vector" | "podcasts_interest" | "podcasts_document",
  podcastId: string,
) => db.deleteFrom(table).where("account", "=", account).where("podcast_id", "=", podcastId).execute();

type Names = readonly (readonly string[])[];
function wordChanges(learnt: Names, forgotten: Names): WordChanges {
  const changes = new Map<string, number>();
  for (const [names, times] of [[learnt, 1] as const, [forgotten, -1] as const])
    for (const texts of names)
      for (const word of spellingWordsOf(...texts)) changes.set(word, (changes.get(word) ?? 0) + times);
  return [...changes].filter(([, times]) => times !== 0);
}

/** Indexes new or changed episodes, at most a hundred at a time. */
export async function indexEpisodes(
  db: Db,
  account: string,
  podcast: PodcastRow,
  episodes: readonly EpisodeRow[],
  replaced: Replaced,
): Promise<void> {
  const { places, documents, words } = await documentsOf(db, account, podcast, episodes, replaced);
  await replaceDocuments(db, places, documents);
  await leaveWork(db, account, { words });
}

/** Documents to insert and delete, with the changes of the dictionary. */
async function documentsOf(
  db: Db,
  account: string,
  podcast: PodcastRow,
  episodes: readonly EpisodeRow[],
  replaced: Replaced,
) {
  const audio = await transcriptsOf(db, account, episodes);
  const places = await findPlaces(db, account, "e", replaced.keys());
  return {
    places,
    documents: episodes.map(episodeDocuments(account, podcast, audio)),
    words: wordChanges(
      episodes.map(wordsOfEpisode),
      places.map((place) => learntOf(place, replaced.get(place.id))),
    ),
  };
}

async function transcriptsOf(
  db: Db,
  account: string,
  episodes: readonly EpisodeRow[],
): Promise<Map<string, string>> {
  const ids = episodes.filter((episode) => episode.transcript_url !== "").map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("podcasts_transcript")
    .select(["episode_id", "text"])
    .where("account", "=", account)
    .where("episode_id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.episode_id, row.text]));
}

/** Listed episodes of a podcast by id. */
export const listEpisodesToIndex = (
  db: Db,
  account: string,
  podcastId: string,
  { after, limit }: { after: string; limit: number },
): Promise<EpisodeRow[]> =>
  db
    .selectFrom("podcasts_episode")
    .selectAll()
    .where("account", "=", account)
    .where("podcast_id", "=", podcastId)
    .where("is_listed", "=", 1)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();

/** For withdrawn or removed episodes. */
export async function unindexEpisodes(db: Db, account: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const removed = await db
    .deleteFrom("podcasts_document")
    .where("account", "=", account)
    .where("kind", "=", "e")
    .where("id", "in", ids)
    .returning(["id", "search_id", "is_description_learnt"])
    .execute();
  if (removed.length === 0) return;
  const rows = await db
    .selectFrom("podcasts_episode")
    .select(["id", "title", "description"])
    .where("account", "=", account)
    .where(
      "id",
      "in",
      removed.map(({ id }) => id),
    )
    .execute();
  const text = new Map(rows.map((row) => [row.id, row]));
  await leaveWork(db, account, {
    words: wordChanges(
      [],
      removed.map((place) => learntOf(place, text.get(place.id))),
    ),
  });
}

/** Removes the podcast, its episodes and their words from the index. */
export async function unindexPodcast(db: Db, account: string, podcastId: string): Promise<void> {
  const podcast = await findPodcast(db, account, podcastId);
  const rows = await db
    .selectFrom("podcasts_episode as e")
    .innerJoin("podcasts_document as d", (join) =>
      join.onRef("d.account", "=", "e.account").on("d.kind", "=", "e").onRef("d.id", "=", "e.id"),
    )
    .select(["e.id", "e.title", "e.description", "d.search_id", "d.is_description_learnt"])
    .where("e.account", "=", account)
    .where("e.podcast_id", "=", podcastId)
    .where("e.is_listed", "=", 1)
    .execute();
  const names = rows.map((row) => learntOf(row, row));
  await leaveWork(db, account, {
    words: wordChanges([], [...names, ...(podcast ? [wordsOfPodcast(podcast)] : [])]),
  });
  for (const table of [
    "podcasts_document",
    "podcasts_phrase",
    "podcasts_vector",
    "podcasts_interest",
  ] as const)
    await deleteOfPodcast(db, account, table, podcastId);
}

/** Reindexes an episode after its transcript was fetched. */
export async function indexTranscript(
  db: Db,
  account: string,
  episode: EpisodeRow,
  text: string,
): Promise<void> {
  const podcast = await findPodcast(db, account, episode.podcast_id);
  if (!podcast || Number(episode.is_listed) !== 1) return;
  const document = episodeDocuments(account, podcast, new Map([[episode.id, text]]))(episode);
  const places = await findPlaces(db, account, "e", [episode.id]);
  const isLearnt = places[0]?.is_description_learnt ?? 0;
  await replaceDocuments(db, places, [{ ...document, is_description_learnt: isLearnt }]);
}

export async function indexCurated(
  db: Db,
  account: string,
  list: CuratedRow,
  podcastTitles: readonly string[],
): Promise<void> {
  const document = documentOfCurated(account, list, podcastTitles, LIST_LANGUAGE);
  await replaceDocuments(db, await findPlaces(db, account, "c", [list.id]), [document]);
}
export async function unindexCurated(db: Db, account: string, id: string): Promise<void> {
  await db
    .deleteFrom("podcasts_document")
    .where("account", "=", account)
    .where("kind", "=", "c")
    .where("id", "=", id)
    .execute();
}
