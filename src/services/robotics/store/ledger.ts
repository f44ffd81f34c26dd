/** Changes of seasons and events in a transaction. Each part gets one new second, written at the end. */
import { queriesOf } from "#kernel/db";
import { nextSecond } from "../domain/conditions.ts";
import { PLACE_MEMBERS } from "../domain/entries.ts";
import { gameNameOf, usualKickoffOf } from "../domain/seasons.ts";
import type { EventRow, SeasonRow } from "../tables.ts";
import type { Db } from "./rows.ts";

const { compiledInsert, compiledQuery, compiledUpdate } = queriesOf<Db>();

type PartOf<Row> = Extract<keyof Row, `${string}modified`>;
export type SeasonPart = PartOf<SeasonRow>;
export type EventPart = PartOf<EventRow>;

const SEASON_COLUMNS = [
  "game_name",
  "kickoff",
  "rookie_start",
  "championships",
  "summary_modified",
  "events_modified",
  "teams_modified",
  "avatars_modified",
  "districts_modified",
  "award_list_modified",
  "awards_modified",
  "standings_modified",
] as const satisfies readonly (keyof SeasonRow)[];
const EVENT_COLUMNS = [
  "number",
  "name",
  "type",
  "district",
  "division",
  ...PLACE_MEMBERS,
  "date_start",
  "date_end",
  "modified",
  "teams_modified",
  "schedule_modified",
  "results_modified",
  "rankings_published",
  "rankings_modified",
  "alliances_modified",
  "awards_modified",
] as const satisfies readonly (keyof EventRow)[];

/** Seconds of the last changes to an event and its play, without awards. */
export const playedChangesOf = (event: EventRow): readonly number[] => [
  event.modified,
  event.teams_modified,
  event.schedule_modified,
  event.results_modified,
  event.rankings_modified,
  event.alliances_modified,
];

const selectSeason = compiledQuery<SeasonRow, [string, number]>(["", 0], (db, account, season) =>
  db.selectFrom("robotics_season").selectAll().where("account", "=", account).where("season", "=", season),
);
const insertSeason = compiledInsert<SeasonRow>("robotics_season", ["account", "season", ...SEASON_COLUMNS]);
const updateSeason = compiledUpdate<SeasonRow, "account" | "season">(
  "robotics_season",
  ["account", "season"],
  SEASON_COLUMNS,
);
const selectEvent = compiledQuery<EventRow, [string, number, string]>(
  ["", 0, ""],
  (db, account, season, code) =>
    db
      .selectFrom("robotics_event")
      .selectAll()
      .where("account", "=", account)
      .where("season", "=", season)
      .where("code", "=", code),
);
const insertEvent = compiledInsert<EventRow>("robotics_event", [
  "account",
  "season",
  "code",
  ...EVENT_COLUMNS,
]);
const updateEvent = compiledUpdate<EventRow, "account" | "season" | "code">(
  "robotics_event",
  ["account", "season", "code"],
  EVENT_COLUMNS,
);
const findHighestNumber = compiledQuery<{ highest: number | null }, [string, number]>(
  ["", 0],
  (db, account, season) =>
    db
      .selectFrom("robotics_event")
      .select(({ fn }) => fn.max("number").as("highest"))
      .where("account", "=", account)
      .where("season", "=", season),
);

const selectRemovedSecond = compiledQuery<{ second: number | null }, [string, number, string]>(
  ["", 0, ""],
  (db, account, season, code) =>
    db
      .selectFrom("robotics_removal")
      .select(({ fn }) => fn.max("second").as("second"))
      .where("account", "=", account)
      .where("season", "=", season)
      .where("kind", "=", "event")
      .where("name", "=", code),
);

export async function findSeason(db: Db, account: string, season: number): Promise<SeasonRow | undefined> {
  return (await selectSeason(db, account, season))[0];
}
/** Columns that identify the version of an event's lists. */
export type EventVersions = Pick<EventRow, "season" | "code" | "rankings_published" | EventPart>;
const selectVersions = compiledQuery<EventVersions, [string, number, string]>(
  ["", 0, ""],
  (db, account, season, code) =>
    db
      .selectFrom("robotics_event")
      .select([
        "season",
        "code",
        "rankings_published",
        "modified",
        "teams_modified",
        "schedule_modified",
        "results_modified",
        "rankings_modified",
        "alliances_modified",
        "awards_modified",
      ])
      .where("account", "=", account)
      .where("season", "=", season)
      .where("code", "=", code),
);
export async function findEventVersions(
  db: Db,
  account: string,
  season: number,
  code: string,
): Promise<EventVersions | undefined> {
  return (await selectVersions(db, account, season, code))[0];
}
/** `code` must be upper case. */
export async function findEvent(
  db: Db,
  account: string,
  season: number,
  code: string,
): Promise<EventRow | undefined> {
  return (await selectEvent(db, account, season, code))[0];
}

type Kept<Row> = {
  row: Row;
  isNew: boolean;
  isChanged: boolean;
  readonly stamps: Map<string, number>;
  /** New seconds must be greater than this. */
  readonly after: number;
};
const newEventNumber = (season: number, highest: number | null): number => (highest ?? season * 10_000) + 1;

const freshSeason = (account: string, season: number): SeasonRow => ({
  account,
  season,
  game_name: gameNameOf(season),
  kickoff: usualKickoffOf(season),
  rookie_start: 0,
  championships: null,
  summary_modified: 0,
  events_modified: 0,
  teams_modified: 0,
  avatars_modified: 0,
  districts_modified: 0,
  award_list_modified: 0,
  awards_modified: 0,
  standings_modified: 0,
});
const freshEvent = (account: string, season: number, code: string, number: number): EventRow => ({
  account,
  season,
  code,
  number,
  name: code,
  type: "None",
  district: null,
  division: null,
  venue: "",
  address: "",
  city: "",
  stateprov: "",
  country: "",
  timezone: "",
  website: "",
  webcasts: "[]",
  date_start: null,
  date_end: null,
  modified: 0,
  teams_modified: 0,
  schedule_modified: 0,
  results_modified: 0,
  rankings_published: 0,
  rankings_modified: 0,
  alliances_modified: 0,
  awards_modified: 0,
});

/** Creates seasons and events on first use. */
export class Ledger {
  readonly db: Db;
  readonly account: string;
  readonly nowMs: number;
  readonly #seasons = new Map<number, Kept<SeasonRow>>();
  readonly #events = new Map<string, Kept<EventRow>>();

  constructor(db: Db, account: string, nowMs: number) {
    this.db = db;
    this.account = account;
    this.nowMs = nowMs;
  }
  async season(season: number): Promise<SeasonRow> {
    return (await this.#season(season)).row;
  }
  async #season(season: number): Promise<Kept<SeasonRow>> {
    let kept = this.#seasons.get(season);
    if (!kept) {
      const row = await findSeason(this.db, this.account, season);
      kept = {
        row: row ?? freshSeason(this.account, season),
        isNew: row === undefined,
        isChanged: row === undefined,
        stamps: new Map(),
        after: 0,
      };
      this.#seasons.set(season, kept);
      if (!row) await this.touchSeason(season, "summary_modified");
    }
    return kept;
  }
  async event(season: number, code: string): Promise<EventRow> {
    return (await this.#event(season, code)).row;
  }
  async #event(season: number, code: string): Promise<Kept<EventRow>> {
    const key = `${season}/${code}`;
    let kept = this.#events.get(key);
    if (!kept) {
      const row = await findEvent(this.db, this.account, season, code);
      kept = {
        row: row ?? freshEvent(this.account, season, code, await this.#nextNumber(season)),
        isNew: row === undefined,
        isChanged: row === undefined,
        stamps: new Map(),
        after: row ? 0 : await this.#removedSecond(season, code),
      };
      this.#events.set(key, kept);
      if (!row) {
        await insertEvent(this.db, kept.row);
        kept.isNew = false;
        await this.touchEvent(season, code, "modified");
        await this.touchSeason(season, "events_modified");
        await this.touchSeason(season, "summary_modified");
      }
    }
    return kept;
  }
  async #nextNumber(season: number): Promise<number> {
    const [row] = await findHighestNumber(this.db, this.account, season);
    return newEventNumber(season, row?.highest ?? null);
  }
  /** Last second of a removed event with this code, so that a new event gets later dates. */
  async #removedSecond(season: number, code: string): Promise<number> {
    const [row] = await selectRemovedSecond(this.db, this.account, season, code);
    return Number(row?.second ?? 0);
  }
  async changeSeason(season: number, change: Partial<SeasonRow>): Promise<void> {
    const kept = await this.#season(season);
    kept.row = { ...kept.row, ...change };
    kept.isChanged = true;
  }
  async changeEvent(season: number, code: string, change: Partial<EventRow>): Promise<void> {
    const kept = await this.#event(season, code);
    kept.row = { ...kept.row, ...change };
    kept.isChanged = true;
  }
  /** The second of this transaction's changes to a part. Repeated calls return the same second. */
  async touchSeason(season: number, part: SeasonPart): Promise<number> {
    const kept = await this.#season(season);
    return this.#touch(kept, part);
  }
  async touchEvent(season: number, code: string, part: EventPart): Promise<number> {
    const kept = await this.#event(season, code);
    return this.#touch(kept, part);
  }
  #touch<Row extends SeasonRow | EventRow>(kept: Kept<Row>, part: PartOf<Row> & string): number {
    const known = kept.stamps.get(part);
    if (known !== undefined) return known;
    const second = nextSecond(Math.max(Number(kept.row[part]), kept.after), this.nowMs);
    kept.stamps.set(part, second);
    kept.row = { ...kept.row, [part]: second };
    kept.isChanged = true;
    return second;
  }
  async close(): Promise<void> {
    for (const kept of this.#seasons.values()) {
      if (kept.isNew) await insertSeason(this.db, kept.row);
      else if (kept.isChanged) await updateSeason(this.db, kept.row);
    }
    for (const kept of this.#events.values()) if (kept.isChanged) await updateEvent(this.db, kept.row);
  }
}
