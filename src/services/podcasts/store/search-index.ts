/** Keeps what is searched up to date with what is listed, in the same transaction. */
import type { Kysely } from "kysely";
import type { CuratedRow, EpisodeRow, PodcastRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
export async function indexPodcast(_db: Db, _account: string, _podcast: PodcastRow): Promise<void> {}
export async function indexEpisodes(
  _db: Db,
  _account: string,
  _podcast: PodcastRow,
  _episodes: readonly EpisodeRow[],
): Promise<void> {}
export async function unindexEpisodes(_db: Db, _account: string, _ids: readonly string[]): Promise<void> {}
export async function unindexPodcast(_db: Db, _account: string, _podcastId: string): Promise<void> {}
export async function indexTranscript(
  _db: Db,
  _account: string,
  _episode: EpisodeRow,
  _text: string,
): Promise<void> {}
export async function indexCurated(
  _db: Db,
  _account: string,
  _list: CuratedRow,
  _podcastTitles: readonly string[],
): Promise<void> {}
export async function unindexCurated(_db: Db, _account: string, _id: string): Promise<void> {}
