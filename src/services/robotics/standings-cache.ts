/** Districts' standings that were computed, and which of them callers are reading page by page. */
import type { DistrictRankRow } from "./domain/district-rankings.ts";

/** A team's row, and the second of the standings in which it became what it is. */
export type Standing = { readonly rank: DistrictRankRow; readonly modified: number };
export type Standings = { readonly second: number; readonly ranks: readonly Standing[] };

/** So many districts' standings are kept at the most. */
const STANDINGS_MAX = 200;

export class StandingsCache {
  readonly #standings = new Map<string, Standings>();

  find(key: string, second: number): Standings | undefined {
    const kept = this.#standings.get(key);
    return kept?.second === second ? kept : undefined;
  }
  /**
   * What is as it was in the standings before keeps their second. Every answer is of standings that were kept here, so that
   * a caller who has seen one of them misses nothing; where none are known, all is new.
   */
  keep(key: string, second: number, ranks: readonly DistrictRankRow[]): Standings {
    const before = this.#standings.get(key);
    const known = new Map(
      before && before.second < second ? before.ranks.map((one) => [JSON.stringify(one.rank), one]) : [],
    );
    const standings = {
      second,
      ranks: ranks.map((rank) => known.get(JSON.stringify(rank)) ?? { rank, modified: second }),
    };
    if (this.#standings.size >= STANDINGS_MAX) this.#standings.clear();
    this.#standings.set(key, standings);
    return standings;
  }
  clear(): void {
    this.#standings.clear();
  }
}

/** For so long after its first page, the others are of the same standings. */
const READING_MS_MAX = 5 * 60_000;
const READINGS_MAX = 1000;
type Reading = { readonly standings: Standings; readonly begunAtMs: number };

/** Results come in while somebody turns pages: without this, a team could be met twice, or never. */
export class PageReadings {
  readonly #readings = new Map<string, Reading>();

  begin(caller: string, standings: Standings, nowMs: number): void {
    this.#readings.delete(caller);
    this.#readings.set(caller, { standings, begunAtMs: nowMs });
    const [oldest] = this.#readings.keys();
    if (this.#readings.size > READINGS_MAX && oldest !== undefined) this.#readings.delete(oldest);
  }
  find(caller: string, nowMs: number): Standings | undefined {
    const reading = this.#readings.get(caller);
    return reading && nowMs - reading.begunAtMs < READING_MS_MAX ? reading.standings : undefined;
  }
  clear(): void {
    this.#readings.clear();
  }
}
