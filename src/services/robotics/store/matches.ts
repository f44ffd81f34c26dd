/** Queries for matches of an event. */
import { queriesOf } from "#kernel/db";
import { type MatchEntry, mergedMatch } from "../domain/entries.ts";
import type { AllianceScore, Match, MatchTeam, PlayoffRound, TournamentLevel } from "../domain/game.ts";
import type { MatchRow } from "../tables.ts";
import type { Ledger } from "./ledger.ts";
import { type Db, RowWriter } from "./rows.ts";

const { compiledQuery } = queriesOf<Db>();

/** With the seconds of the last changes of schedule and result. */
export type StoredMatch = Match & { readonly scheduleModified: number; readonly resultModified: number };

type Details = {
  readonly match?: Match["details"];
  readonly red?: Match["details"];
  readonly blue?: Match["details"];
};
type Team = readonly [number: number, station: string, surrogate: 0 | 1, dq: 0 | 1];

const scoreOf = (
  final: number | null,
  foul: number | null,
  auto: number | null,
  details: Match["details"] | undefined,
): AllianceScore | null => (final === null ? null : { final, foul, auto, details: details ?? null });

export function matchOf(row: MatchRow): StoredMatch {
  const details: Details = row.details === null ? {} : JSON.parse(row.details);
  return {
    level: row.level as TournamentLevel,
    matchNumber: row.number,
    description: row.description,
    playoff:
      row.playoff_round === null
        ? null
        : {
            round: row.playoff_round as PlayoffRound,
            set: row.playoff_set ?? 1,
            game: row.playoff_game ?? 1,
          },
    startTime: row.start_time,
    actualStartTime: row.actual_start_time,
    postResultTime: row.post_result_time,
    videoLink: row.video,
    teams: (JSON.parse(row.teams) as Team[]).map(([teamNumber, station, surrogate, dq]) => ({
      teamNumber,
      station,
      surrogate: surrogate === 1,
      dq: dq === 1,
    })),
    red: scoreOf(row.red_final, row.red_foul, row.red_auto, details.red),
    blue: scoreOf(row.blue_final, row.blue_foul, row.blue_auto, details.blue),
    details: details.match ?? null,
    scheduleModified: row.schedule_modified,
    resultModified: row.result_modified,
  };
}

const teamOf = ({ teamNumber, station, surrogate, dq }: MatchTeam): Team => [
  teamNumber,
  station,
  surrogate ? 1 : 0,
  dq ? 1 : 0,
];
function detailsTextOf({ details, red, blue }: Match): string | null {
  if (!details && !red?.details && !blue?.details) return null;
  return JSON.stringify({ match: details, red: red?.details ?? null, blue: blue?.details ?? null });
}
type Place = { readonly account: string; readonly season: number; readonly event: string };
const rowOf = ({ account, season, event }: Place, match: StoredMatch): MatchRow => ({
  account,
  season,
  event,
  level: match.level,
  number: match.matchNumber,
  description: match.description,
  playoff_round: match.playoff?.round ?? null,
  playoff_set: match.playoff?.set ?? null,
  playoff_game: match.playoff?.game ?? null,
  start_time: match.startTime,
  actual_start_time: match.actualStartTime,
  post_result_time: match.postResultTime,
  video: match.videoLink,
  teams: JSON.stringify(match.teams.map(teamOf)),
  red_final: match.red?.final ?? null,
  red_foul: match.red?.foul ?? null,
  red_auto: match.red?.auto ?? null,
  blue_final: match.blue?.final ?? null,
  blue_foul: match.blue?.foul ?? null,
  blue_auto: match.blue?.auto ?? null,
  details: detailsTextOf(match),
  schedule_modified: match.scheduleModified,
  result_modified: match.resultModified,
});

const SCHEDULE_COLUMNS = [
  "description",
  "playoff_round",
  "playoff_set",
  "playoff_game",
  "start_time",
] as const satisfies readonly (keyof MatchRow)[];
const RESULT_COLUMNS = [
  "actual_start_time",
  "post_result_time",
  "video",
  "red_final",
  "red_foul",
  "red_auto",
  "blue_final",
  "blue_foul",
  "blue_auto",
  "details",
] as const satisfies readonly (keyof MatchRow)[];
const rows = new RowWriter<MatchRow, "account" | "season" | "event" | "level" | "number">(
  "robotics_match",
  ["account", "season", "event", "level", "number"],
  [...SCHEDULE_COLUMNS, "teams", ...RESULT_COLUMNS, "schedule_modified", "result_modified"],
);

const selectMatches = compiledQuery<MatchRow, [string, number, string]>(
  ["", 0, ""],
  (db, account, season, event) =>
    db
      .selectFrom("robotics_match")
      .selectAll()
      .where("account", "=", account)
      .where("season", "=", season)
      .where("event", "=", event)
      .orderBy("level", "desc")
      .orderBy("number"),
);
/** Qualification before playoffs, each by number. */
export async function listMatches(
  db: Db,
  account: string,
  season: number,
  event: string,
): Promise<StoredMatch[]> {
  const found = (await selectMatches(db, account, season, event)).map(matchOf);
  return found.sort((a, b) => LEVEL_ORDER[a.level] - LEVEL_ORDER[b.level] || a.matchNumber - b.matchNumber);
}
const LEVEL_ORDER: Readonly<Record<TournamentLevel, number>> = { Practice: 0, Qualification: 1, Playoff: 2 };

const keyOf = ({ level, number }: Pick<MatchRow, "level" | "number">): string => `${level}/${number}`;
const differsIn = (columns: readonly (keyof MatchRow)[], a: MatchRow, b: MatchRow): boolean =>
  columns.some((column) => a[column] !== b[column]);

/** All matches of the event after the change, and the kind of change. */
export type EnteredMatches = {
  readonly matches: readonly StoredMatch[];
  readonly isChanged: boolean;
  readonly isRankingAffected: boolean;
};

/** Enters matches. `wholeLevel` deletes the matches of that level without an entry. */
export async function enterMatches(
  db: Db,
  account: string,
  ledger: Ledger,
  {
    season,
    event,
    entries,
    wholeLevel,
  }: { season: number; event: string; entries: readonly MatchEntry[]; wholeLevel?: TournamentLevel },
): Promise<EnteredMatches> {
  const before = await selectMatches(db, account, season, event);
  const known = new Map(before.map((row) => [keyOf(row), row]));
  const place = { account, season, event };
  const added = new Map<string, MatchRow>();
  const changed = new Map<string, MatchRow>();
  let isRankingAffected = false;
  for (const entry of entries) {
    const key = `${entry.tournamentLevel}/${entry.matchNumber}`;
    const old = known.get(key);
    const stored = old && matchOf(old);
    const wanted = rowOf(place, {
      ...mergedMatch(season, stored, entry),
      scheduleModified: stored?.scheduleModified ?? 0,
      resultModified: stored?.resultModified ?? 0,
    });
    const stamped = await stampedRow(ledger, old, wanted);
    if (!stamped) continue;
    isRankingAffected ||= stamped.level === "Qualification" && isResultOther(old, stamped);
    known.set(key, stamped);
    if (!old || added.has(key)) added.set(key, stamped);
    else changed.set(key, stamped);
  }
  await rows.insert(db, [...added.values()]);
  await rows.update(db, [...changed.values()]);
  const removed = wholeLevel === undefined ? [] : othersOf(known, wholeLevel, entries);
  for (const row of removed) known.delete(keyOf(row));
  const isResultRemoved = await removeMatches(db, account, ledger, { season, event, matches: removed });
  return {
    matches: [...known.values()].map(matchOf),
    isChanged: removed.length + added.size + changed.size > 0,
    isRankingAffected: isRankingAffected || isResultRemoved,
  };
}

/** The teams are part of both schedule and result. */
function isResultOther(old: MatchRow | undefined, wanted: MatchRow): boolean {
  if (!old) return wanted.red_final !== null;
  return differsIn(RESULT_COLUMNS, old, wanted) || (old.teams !== wanted.teams && wanted.red_final !== null);
}

/** Undefined if nothing changed. */
async function stampedRow(
  ledger: Ledger,
  old: MatchRow | undefined,
  wanted: MatchRow,
): Promise<MatchRow | undefined> {
  const { season, event } = wanted;
  const hasOtherTeams = !old || old.teams !== wanted.teams;
  const hasOtherPlan = hasOtherTeams || differsIn(SCHEDULE_COLUMNS, old, wanted);
  const hasOtherResult = isResultOther(old, wanted);
  if (!hasOtherPlan && !hasOtherResult) return undefined;
  return {
    ...wanted,
    ...(hasOtherPlan && { schedule_modified: await ledger.touchEvent(season, event, "schedule_modified") }),
    ...(hasOtherResult && { result_modified: await ledger.touchEvent(season, event, "results_modified") }),
  };
}

/** Matches of a level without an entry. */
function othersOf(
  known: ReadonlyMap<string, MatchRow>,
  level: TournamentLevel,
  entries: readonly MatchEntry[],
): MatchRow[] {
  const wanted = new Set(entries.map((entry) => `${entry.tournamentLevel}/${entry.matchNumber}`));
  return [...known.values()].filter((row) => row.level === level && !wanted.has(keyOf(row)));
}
/** Returns whether a qualification result was removed. */
async function removeMatches(
  db: Db,
  account: string,
  ledger: Ledger,
  { season, event, matches }: { season: number; event: string; matches: readonly MatchRow[] },
): Promise<boolean> {
  for (const row of matches)
    await db
      .deleteFrom("robotics_match")
      .where("account", "=", account)
      .where("season", "=", season)
      .where("event", "=", event)
      .where("level", "=", row.level)
      .where("number", "=", row.number)
      .execute();
  if (matches.length === 0) return false;
  const played = matches.filter((row) => row.red_final !== null);
  await ledger.touchEvent(season, event, "schedule_modified");
  if (played.length > 0) await ledger.touchEvent(season, event, "results_modified");
  return played.some(({ level }) => level === "Qualification");
}

/** Returns the same as `enterMatches`; undefined if there is no such match. */
export async function removeMatch(
  db: Db,
  account: string,
  ledger: Ledger,
  { season, event, level, number }: Pick<MatchRow, "season" | "event" | "level" | "number">,
): Promise<EnteredMatches | undefined> {
  const before = await selectMatches(db, account, season, event);
  const removed = before.filter((row) => row.level === level && row.number === number);
  if (removed.length === 0) return undefined;
  const isRankingAffected = await removeMatches(db, account, ledger, { season, event, matches: removed });
  const matches = before.filter((row) => !removed.includes(row)).map(matchOf);
  return { matches, isChanged: true, isRankingAffected };
}

/** Reads several events at once, for standings. */
export async function listMatchesOfEvents(
  db: Db,
  account: string,
  season: number,
  events: readonly string[],
): Promise<Map<string, StoredMatch[]>> {
  const found = new Map<string, StoredMatch[]>();
  for (const event of events) found.set(event, await listMatches(db, account, season, event));
  return found;
}
