/** Cache of district standings, and snapshots for callers that page through them. */
import { makeRoom } from "#kernel/memory";
import type { DistrictRankRow } from "./domain/district-rankings.ts";

/** A team's row, and the second in which the row last changed. */
export type Standing = { readonly rank: DistrictRankRow; readonly modified: number };
export type Standings = { readonly second: number; readonly ranks: readonly Standing[] };

/** Limit of cached districts. */
const STANDINGS_MAX = 200;

export class StandingsCache {
  readonly #standings = new Map<string, Standings>();

  find(key: string, second: number): Standings | undefined {
    const kept = this.#standings.get(key);
    return kept?.second === second ? kept : undefined;
  }
  /**
   * Unchanged rows keep their second from the previous standings. Every answer uses cached standings, so a
   * conditional request misses no change. Without previous standings, all rows count as changed.
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
    makeRoom(this.#standings, STANDINGS_MAX);
    this.#standings.set(key, standings);
    return standings;
  }
  clear(): void {
    this.#standings.clear();
  }
}

/** Lifetime of a snapshot after the first page. */
const READING_MS_MAX = 5 * 60_000;
const READINGS_MAX = 1000;
type Reading = { readonly standings: Standings; readonly begunAtMs: number };

/** Snapshots of standings while a caller pages. Without them, new results could repeat or skip a team. */
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
