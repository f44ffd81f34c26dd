/** Collects queries and writes them once a second, so that a prediction does not wait for the disk. */
import type { Instance } from "#kernel/operation";
import { QUERIES_KEPT_MAX, type Query } from "./domain/queries.ts";
import { addHits, type Hits, insertQueries, trimQueries } from "./store/queries.ts";

const EVERY_MS = 1_000;
/** More than this in one second are counted, but not written down. */
const WAITING_MAX = 5_000;

export class QueryCollector {
  readonly #instance: Instance;
  #waiting = new Map<string, Query[]>();
  #hits = new Map<string, Map<string, Hits>>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(instance: Instance) {
    this.#instance = instance;
  }
  /** The account is the application's. */
  note(account: string, query: Omit<Query, "id">, isLogged: boolean): void {
    const hits = this.#hits.get(account) ?? new Map<string, Hits>();
    this.#hits.set(account, hits);
    const { application, versionUid } = query;
    hits.set(versionUid, { application, versionUid, count: (hits.get(versionUid)?.count ?? 0) + 1 });
    if (isLogged) {
      const waiting = this.#waiting.get(account) ?? [];
      this.#waiting.set(account, waiting);
      if (waiting.length < WAITING_MAX) waiting.push({ ...query, id: this.#instance.ids.sortable() });
    }
    // biome-ignore lint/style/noRestrictedGlobals: gathers what real time brings, where a durable job would cost more than what it writes
    this.#timer ??= setTimeout(() => void this.flush(), EVERY_MS).unref();
  }
  /** Resolves when all that was noted before is written down. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [hits, waiting] = [this.#hits, this.#waiting];
    this.#hits = new Map();
    this.#waiting = new Map();
    this.#writing = this.#writing.then(() => this.#write(hits, waiting));
    return this.#writing;
  }
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hits.clear();
    this.#waiting.clear();
  }
  close(): Promise<void> {
    return this.flush();
  }

  async #write(
    hits: ReadonlyMap<string, ReadonlyMap<string, Hits>>,
    waiting: ReadonlyMap<string, readonly Query[]>,
  ): Promise<void> {
    for (const [account, counted] of hits) {
      const queries = waiting.get(account) ?? [];
      try {
        await this.#instance.transactAs("language", account, async ({ db }) => {
          await addHits(db, account, [...counted.values()]);
          await insertQueries(db, account, queries);
          for (const application of new Set(queries.map((query) => query.application)))
            await trimQueries(db, account, application, QUERIES_KEPT_MAX);
        });
      } catch (error) {
        this.#instance.log.error("queries could not be written down", { account, error: String(error) });
      }
    }
  }
}
