/** Layout of the public archive: five CSV files per event, and one file of all teams. */
import { rankingsIn } from "./archive-rankings.ts";
import { type CsvLine, csvLinesOf } from "./csv.ts";
import type { AwardEntry, EnteredTeam, EventDocument, MatchEntry, TeamEntry } from "./entries.ts";
import { descriptionOf } from "./entries.ts";
import type { Alliance, Match, PlayoffPlace, PlayoffRound, TournamentLevel, TournamentType } from "./game.ts";
import { playoffNumberOf } from "./playoff-numbers.ts";
import { markSurrogates } from "./surrogates.ts";

/** A line that was not understood, or was changed while it was read. */
export type Finding = { readonly file: string; readonly line: number; readonly says: string };
/**
 * Base of placeholder numbers for robots with a letter, such as 254B. The offset is the index in `labels`.
 */
export const LABELS_FROM = 1_000_000;
export type ArchivedEvent = EventDocument & {
  readonly season: number;
  readonly labels: readonly string[];
};
/** Source line of each entry by part, to report entries that the server rejects. */
export type Rows = Readonly<Record<string, { readonly file: string; readonly lines: readonly number[] }>>;
/** The result, the number of lines read, and the findings. */
export type Read<T> = {
  readonly value: T;
  readonly lines: number;
  readonly findings: readonly Finding[];
  readonly rows?: Rows;
};

export const EVENT_FILES = ["teams", "matches", "alliances", "rankings", "awards"] as const;
export type EventFile = (typeof EVENT_FILES)[number];
/** Name (for findings) and text of each file. */
export type EventFiles = Partial<Record<EventFile, { readonly name: string; readonly text: string }>>;

const EVENT_KEY = /^(\d{4})([a-z0-9]{2,20})$/i;
export const findEventKey = (key: string): { season: number; code: string } | undefined => {
  const [, year, code] = EVENT_KEY.exec(key) ?? [];
  return year === undefined || code === undefined
    ? undefined
    : { season: Number(year), code: code.toUpperCase() };
};

/** `frc254` or `frc254B`. The suffix `*` marks a surrogate, `(DQ)` a disqualification. */
const TEAM_KEY = /^(?:frc)?(\d{1,5})([A-Z])?(\*)?(\(dq\))?$/i;

class Reader {
  readonly findings: Finding[] = [];
  readonly labels: string[] = [];
  readonly rows: Record<string, { file: string; lines: number[] }> = {};
  lines = 0;
  #file = "";

  linesOf(file: EventFiles[EventFile]): CsvLine[] {
    if (!file) return [];
    this.#file = file.name;
    const lines = csvLinesOf(file.text);
    this.lines += lines.length;
    return lines;
  }
  /** Merges the findings of one row. */
  note(line: number, says: string): void {
    const file = this.#file;
    const last = this.findings.at(-1);
    const isSameRow = last?.file === file && last.line === line;
    if (isSameRow) this.findings.pop();
    this.findings.push({ file, line, says: isSameRow ? `${last.says}; ${says}` : says });
  }
  /** Records the source lines of a part, in the order of its entries. */
  keepLines(part: string, lines: number[]): void {
    this.rows[part] = { file: this.#file, lines };
  }
  findTeam(key: string): { teamNumber: number; surrogate: boolean; dq: boolean } | undefined {
    const [, digits, letter, surrogate, dq] = TEAM_KEY.exec(key) ?? [];
    if (digits === undefined || Number(digits) === 0) return undefined;
    const teamNumber =
      letter === undefined ? Number(digits) : this.#labelled(`${Number(digits)}${letter.toUpperCase()}`);
    return { teamNumber, surrogate: surrogate !== undefined, dq: dq !== undefined };
  }
  #labelled(label: string): number {
    const known = this.labels.indexOf(label);
    return LABELS_FROM + (known < 0 ? this.labels.push(label) - 1 : known);
  }
  /** Returns undefined and adds a finding if the key is invalid. */
  teamAt(line: number, key: string): number | undefined {
    const team = this.findTeam(key);
    if (!team) this.note(line, `"${key.slice(0, 40)}" is no team`);
    return team?.teamNumber;
  }
}

function teamsIn(reader: Reader, lines: readonly CsvLine[]): number[] {
  const teams = new Set<number>();
  for (const { number, fields } of lines)
    for (const key of fields) {
      if (key === "") continue;
      const team = reader.teamAt(number, key);
      if (team !== undefined) teams.add(team);
    }
  return [...teams];
}

type MatchKey = {
  readonly level: TournamentLevel;
  readonly matchNumber: number;
  readonly playoff: PlayoffPlace | null;
};
const MATCH_KEY = /^(?:[a-z0-9]+_)?(p|pm|qm|q|ef|qf|sf|f)(\d{1,3})(?:m(\d{1,3}))?$/i;
/** `qm12` or `qf2m1`. A final without a set number is in set 1. */
function findMatchKey(season: number, key: string): MatchKey | undefined {
  const [, word = "", first, second] = MATCH_KEY.exec(key) ?? [];
  if (first === undefined) return undefined;
  const round = word.toLowerCase();
  if (round === "qm" || round === "q")
    return { level: "Qualification", matchNumber: Number(first), playoff: null };
  if (round === "p" || round === "pm")
    return { level: "Practice", matchNumber: Number(first), playoff: null };
  const playoff = {
    round: round as PlayoffRound,
    set: second === undefined ? 1 : Number(first),
    game: Number(second ?? first),
  };
  return { level: "Playoff", matchNumber: playoffNumberOf(season, playoff), playoff };
}

/** Null if the score is missing or -1. */
const scoreIn = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null;

/** The first half of the stations is red. Alliances have had two to four robots. */
function stationsIn(reader: Reader, line: number, keys: readonly string[]): EnteredTeam[] {
  const half = Math.ceil(keys.length / 2);
  const found: EnteredTeam[] = [];
  const places = { Red: 0, Blue: 0 };
  for (const [at, key] of keys.entries()) {
    const colour = at < half ? "Red" : "Blue";
    places[colour] += 1;
    if (key === "") continue;
    const team = reader.findTeam(key);
    if (team) found.push({ ...team, station: `${colour}${places[colour]}` });
    else reader.note(line, `"${key.slice(0, 40)}" is no team`);
  }
  return found;
}

const SCORES = 2;
const STATIONS_MIN = 1;
const STATIONS_MAX = 8;
function matchIn(reader: Reader, season: number, { number: line, fields }: CsvLine): MatchEntry | undefined {
  const [key = "", ...rest] = fields;
  const found = findMatchKey(season, key);
  const keys = rest.slice(0, -SCORES);
  if (!found || rest.length < SCORES + STATIONS_MIN || keys.length > STATIONS_MAX) {
    reader.note(line, found ? `a match of ${fields.length} fields` : `"${key.slice(0, 60)}" is no match`);
    return undefined;
  }
  const [red, blue] = rest.slice(-SCORES).map(scoreIn);
  const isPlayed = red !== null && blue !== null;
  return {
    tournamentLevel: found.level,
    matchNumber: found.matchNumber,
    description: descriptionOf(found.level, found.matchNumber, found.playoff),
    ...(found.playoff && { playoff: found.playoff }),
    teams: stationsIn(reader, line, keys),
    ...(isPlayed && { scoreRedFinal: red, scoreBlueFinal: blue }),
  };
}
/** A repeated match was replayed. The later result counts. */
function matchesIn(reader: Reader, season: number, lines: readonly CsvLine[]): MatchEntry[] {
  const matches = new Map<string, { match: MatchEntry; line: number }>();
  for (const line of lines) {
    const match = matchIn(reader, season, line);
    if (!match) continue;
    const key = `${match.tournamentLevel}/${match.matchNumber}`;
    if (matches.has(key))
      reader.note(line.number, `${match.description} was played before: this result counts`);
    matches.set(key, { match, line: line.number });
  }
  const counted = [...matches.values()];
  reader.keepLines(
    "matches",
    counted.map(({ line }) => line),
  );
  return withSurrogates(counted.map(({ match }) => match));
}
/** The archive does not mark surrogates, so they are derived from match counts. */
function withSurrogates(entries: readonly MatchEntry[]): MatchEntry[] {
  const marked = markSurrogates(entries.map(matchFor));
  return entries.map((entry, at) => {
    const teams = marked[at]?.teams;
    return teams ? { ...entry, teams } : entry;
  });
}
const score = (final: number | null | undefined): Match["red"] =>
  final === null || final === undefined ? null : { final, foul: null, auto: null, details: null };
const matchFor = (entry: MatchEntry): Match => ({
  level: entry.tournamentLevel,
  matchNumber: entry.matchNumber,
  description: entry.description ?? "",
  playoff: entry.playoff ?? null,
  startTime: null,
  actualStartTime: null,
  postResultTime: null,
  videoLink: null,
  teams: (entry.teams ?? []).map((team) => ({
    ...team,
    surrogate: team.surrogate ?? false,
    dq: team.dq ?? false,
  })),
  red: score(entry.scoreRedFinal),
  blue: score(entry.scoreBlueFinal),
  details: null,
});

function alliancesIn(reader: Reader, lines: readonly CsvLine[]): Alliance[] {
  const alliances: Alliance[] = [];
  const taken: number[] = [];
  for (const { number: line, fields } of lines) {
    const [captain, round1 = null, round2 = null, round3 = null, ...more] = fields
      .filter((key) => key !== "")
      .flatMap((key) => reader.teamAt(line, key) ?? []);
    if (more.length > 0) reader.note(line, "an alliance of more than four teams: the others are left out");
    const number = alliances.length + 1;
    if (captain === undefined) continue;
    taken.push(line);
    alliances.push({
      number,
      name: `Alliance ${number}`,
      captain,
      round1,
      round2,
      round3,
      backup: null,
      backupReplaced: null,
    });
  }
  reader.keepLines("alliances", taken);
  return alliances;
}

const AWARD_KEY = /^(?:[a-z0-9]+_)?(\d{1,5})$/i;
function awardsIn(reader: Reader, lines: readonly CsvLine[]): AwardEntry[] {
  const awards: AwardEntry[] = [];
  const taken: number[] = [];
  const given = new Map<number, number>();
  for (const { number: line, fields } of lines) {
    const [key = "", name = "", teamKey = "", ...person] = fields;
    const [, digits] = AWARD_KEY.exec(key) ?? [];
    if (digits === undefined || name === "") {
      reader.note(line, `"${key.slice(0, 60)}" is no award`);
      continue;
    }
    const awardId = Number(digits);
    const series = (given.get(awardId) ?? 0) + 1;
    given.set(awardId, series);
    const who = person.filter((part) => part !== "").join(", ");
    taken.push(line);
    awards.push({
      awardId,
      series,
      name,
      teamNumber: teamKey === "" ? null : (reader.teamAt(line, teamKey) ?? null),
      person: who === "" ? null : who,
    });
  }
  reader.keepLines("awards", taken);
  return awards;
}

/** Codes of championship divisions, current and former. */
const DIVISIONS: ReadonlySet<string> = new Set(
  "ARC CUR GAL NEW CARV CARS HOP ROE TES DAL DAR TUR JOH MIL ARCHIMEDES CURIE GALILEO NEWTON".split(" "),
);
/** The archive has no event type, so it is derived from the code and the awards. */
export function guessedTypeOf(code: string, awards: readonly AwardEntry[]): TournamentType {
  if (DIVISIONS.has(code)) return "ChampionshipDivision";
  if (/^CMP/.test(code)) return "Championship";
  if (/CMP$/.test(code)) return "DistrictChampionship";
  const isNamed = (word: RegExp) => awards.some(({ name }) => word.test(name));
  if (isNamed(/\bregional\b/i)) return "Regional";
  if (isNamed(/\bdistrict\b/i)) return "DistrictEvent";
  return "OffSeason";
}

/** Parses the files of one event. Missing files are not reported. */
export function archivedEventOf(key: string, files: EventFiles): Read<ArchivedEvent | undefined> {
  const reader = new Reader();
  const place = findEventKey(key);
  if (!place)
    return { value: undefined, lines: 0, findings: [{ file: key, line: 0, says: "no season and code" }] };
  const { season, code } = place;
  const teams = teamsIn(reader, reader.linesOf(files.teams));
  const matches = matchesIn(reader, season, reader.linesOf(files.matches));
  const alliances = alliancesIn(reader, reader.linesOf(files.alliances));
  const rankings = rankingsIn(reader, reader.linesOf(files.rankings));
  const awards = awardsIn(reader, reader.linesOf(files.awards));
  const value = {
    season,
    eventCode: code,
    event: { type: guessedTypeOf(code, awards) },
    labels: reader.labels,
    ...(files.teams && { teams }),
    ...(files.matches && { matches }),
    ...(files.alliances && { alliances }),
    ...(files.rankings && { rankings }),
    ...(files.awards && { awards }),
  };
  return { value, lines: reader.lines, findings: reader.findings, rows: reader.rows };
}

/** Columns: key, short name, full name, city, state, country, website, first season, and further URLs. */
export function archivedTeamsOf(name: string, text: string): Read<TeamEntry[]> {
  const reader = new Reader();
  const teams: TeamEntry[] = [];
  const taken: number[] = [];
  for (const { number: line, fields } of reader.linesOf({ name, text })) {
    const [key = "", nameShort = "", nameFull = "", city, stateProv, country, website, rookie = ""] = fields;
    const team = /^frc\d{1,5}$/i.test(key) ? reader.findTeam(key) : undefined;
    if (!team) {
      reader.note(line, `"${key.slice(0, 40)}" is no team`);
      continue;
    }
    taken.push(line);
    const rookieYear = /^\d{4}$/.test(rookie) ? Number(rookie) : undefined;
    teams.push({
      teamNumber: team.teamNumber,
      nameShort: nameShort === "" ? `Team ${team.teamNumber}` : nameShort,
      nameFull,
      schoolName: schoolIn(nameFull),
      ...(city !== undefined && { city }),
      ...(stateProv !== undefined && { stateProv }),
      ...(country !== undefined && { country }),
      ...(website !== undefined && { website }),
      ...(rookieYear !== undefined && { rookieYear }),
    });
  }
  reader.keepLines("teams", taken);
  return { value: teams, lines: reader.lines, findings: reader.findings, rows: reader.rows };
}
/** A full name lists sponsors, and the school after the last `&`. */
const schoolIn = (nameFull: string): string => nameFull.slice(nameFull.lastIndexOf("&") + 1).trim();
