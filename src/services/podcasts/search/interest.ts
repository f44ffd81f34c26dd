/** Records searches and requests in memory and writes them once a second, so that reads need no write. */
import { makeRoom } from "#kernel/memory";
import type { Context, Instance } from "#kernel/operation";
import { isRegion } from "../domain/places.ts";
import { phraseOf } from "../domain/search/phrases.ts";
import { addInterest, addSearch, type NotedSearch } from "../store/interest.ts";

const WRITTEN_AFTER_MS = 1_000;
/** Events beyond this number between two writes are dropped. */
const NOTED_MAX = 5_000;
const TERM_LETTERS_MAX = 60;
/** Searches of one key within this time are related. */
const TOGETHER_MS = 10 * 60_000;
/** Repeated requests of a key for a podcast count once in this time. */
const AGAIN_MS = 3_600_000;
const RECENT_MAX = 50_000;
const REGION_OF_LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z]{4})?-([A-Za-z]{2})(?![A-Za-z])/;

type NotedRequest = { readonly podcastId: string; readonly region: string; readonly atMs: number };
type Noted = { readonly searches: NotedSearch[]; readonly requests: NotedRequest[] };

/** Region from the Accept-Language header; empty if it has none. */
export function regionOf(acceptLanguage: string | string[] | undefined): string {
  const region = REGION_OF_LANGUAGE.exec(String(acceptLanguage ?? ""))?.[1]?.toLowerCase() ?? "";
  return isRegion(region) ? region : "";
}

export class Interest {
  readonly #instance: Instance;
  #noted = new Map<string, Noted>();
  #size = 0;
  readonly #lastSearches = new Map<string, { term: string; atMs: number }>();
  readonly #asked = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(instance: Instance) {
    this.#instance = instance;
  }
  /** Records a request for a podcast or one of its episodes. */
  note({ account, principal, clock, request }: Context, podcastId: string): void {
    const atMs = clock.nowMs();
    const name = `${account} ${principal.name} ${podcastId}`;
    const before = this.#asked.get(name);
    if (before !== undefined && atMs - before < AGAIN_MS && atMs >= before) return;
    remember(this.#asked, name, atMs);
    this.#of(account)?.requests.push({
      podcastId,
      region: regionOf(request.headers["accept-language"]),
      atMs,
    });
  }
  /** Records a search with results. */
  noteSearch({ account, principal, clock }: Context, text: string): void {
    const term = phraseOf(text);
    if (term === "" || text.length > TERM_LETTERS_MAX) return;
    const atMs = clock.nowMs();
    const name = `${account} ${principal.name}`;
    const last = this.#lastSearches.get(name);
    remember(this.#lastSearches, name, { term, atMs });
    const before = last && Math.abs(atMs - last.atMs) <= TOGETHER_MS ? last.term : undefined;
    this.#of(account)?.searches.push({ keyName: principal.name, term, shown: text.trim(), before, atMs });
  }
  #of(account: string): Noted | undefined {
    if (this.#size >= NOTED_MAX) return undefined;
    this.#size += 1;
    let noted = this.#noted.get(account);
    if (!noted) {
      noted = { searches: [], requests: [] };
      this.#noted.set(account, noted);
    }
    // biome-ignore lint/style/noRestrictedGlobals: on machine time, however the kernel clock stands.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.write();
    }, WRITTEN_AFTER_MS).unref();
    return noted;
  }
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }
  async #writeAll(): Promise<void> {
    const all = this.#noted;
    this.#noted = new Map();
    this.#size = 0;
    for (const [account, { searches, requests }] of all)
      try {
        await this.#instance.transactAs("podcasts", account, async ({ db }) => {
          for (const search of searches) await addSearch(db, account, search);
          for (const request of added(requests)) await addInterest(db, account, request);
        });
      } catch (error) {
        this.#instance.log.error("podcasts: what was asked for was not written down", {
          error: String(error),
        });
      }
  }
  /** State was cleared or loaded. */
  forget(): void {
    this.#noted.clear();
    this.#size = 0;
    this.#lastSearches.clear();
    this.#asked.clear();
  }
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.write();
  }
}

function remember<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name);
  makeRoom(map, RECENT_MAX);
  map.set(name, value);
}

function added(requests: readonly NotedRequest[]): (NotedRequest & { readonly points: number })[] {
  const sums = new Map<string, NotedRequest & { points: number }>();
  for (const request of requests) {
    const name = `${request.podcastId} ${request.region}`;
    const known = sums.get(name);
    if (known) known.points += 1;
    else sums.set(name, { ...request, points: 1 });
  }
  return [...sums.values()];
}
