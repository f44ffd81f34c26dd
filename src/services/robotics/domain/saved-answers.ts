/** Parses saved answers of the public service into import lines. */
import type { Finding, Read } from "./archive.ts";
import { type MatchEntry, PLACE_MEMBERS, type TeamEntry } from "./entries.ts";
import { TOURNAMENT_LEVELS, TOURNAMENT_TYPES, type TournamentLevel } from "./game.ts";

type Json = Readonly<Record<string, unknown>>;
/** One import line. */
export type Line = { readonly kind: string; readonly season: number } & Json;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listIn = (value: Json, member: string): Json[] | undefined =>
  Array.isArray(value[member]) ? (value[member] as unknown[]).filter(isObject) : undefined;
const picked = (value: Json, members: readonly string[]): Json =>
  Object.fromEntries(
    members.flatMap((member) => (value[member] === undefined ? [] : [[member, value[member]]])),
  );

/** Season and event from the file path, which mirrors the request path. */
export type SavedPlace = { readonly season: number; readonly eventCode: string | undefined };
/** Path segments that precede an event code. */
const BEFORE_CODE: ReadonlySet<string> = new Set([
  "matches",
  "scores",
  "rankings",
  "schedule",
  "alliances",
  "event",
  "eventteam",
]);
/** `2024/matches/CASJ.json` or `2024_matches_CASJ_Qualification.json`; undefined without a season. */
export function findSavedPlace(path: string): SavedPlace | undefined {
  const words = path
    .replace(/\.json$/i, "")
    .split(/[/\\_?&]+/)
    .filter((word) => word !== "");
  const at = words.findLastIndex((word) => /^(?:19|20)\d{2}$/.test(word));
  if (at < 0) return undefined;
  const after = words.slice(at + 1);
  const code = after[after.findIndex((word) => BEFORE_CODE.has(word.toLowerCase())) + 1];
  const isCode = code !== undefined && BEFORE_CODE.has((after[after.indexOf(code) - 1] ?? "").toLowerCase());
  return {
    season: Number(words[at]),
    eventCode:
      isCode && /^[A-Za-z0-9]{3,20}$/.test(code) && code !== "district" ? code.toUpperCase() : undefined,
  };
}

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?/;
const timeIn = (value: unknown): string | null =>
  typeof value === "string" ? (LOCAL_TIME.exec(value)?.[0] ?? null) : null;
const timesIn = (value: Json, members: readonly string[]): Json =>
  Object.fromEntries(members.flatMap((member) => (member in value ? [[member, timeIn(value[member])]] : [])));
const levelIn = (value: unknown): TournamentLevel | undefined =>
  TOURNAMENT_LEVELS.find((level) => level.toLowerCase() === String(value).toLowerCase()) ??
  (String(value).toLowerCase() === "qual" ? "Qualification" : undefined);

const teamsOfMatch = (value: Json): Json => {
  const teams = (listIn(value, "teams") ?? [])
    .filter(({ teamNumber }) => typeof teamNumber === "number" && teamNumber > 0)
    .map((team) => picked(team, ["teamNumber", "station", "surrogate", "dq"]));
  return teams.length === 0 ? {} : { teams };
};
const SCORES = ["Red", "Blue"].flatMap((colour) =>
  ["Final", "Foul", "Auto"].map((part) => `score${colour}${part}`),
);
function matchIn(value: Json): MatchEntry | undefined {
  const level = levelIn(value.tournamentLevel ?? value.matchLevel);
  if (!level || typeof value.matchNumber !== "number") return undefined;
  return {
    tournamentLevel: level,
    matchNumber: value.matchNumber,
    ...picked(value, ["description", "matchVideoLink", ...SCORES]),
    ...timesIn(value, ["startTime", "actualStartTime", "postResultTime"]),
    ...teamsOfMatch(value),
  };
}
/** A score entry. All other members are score details of the season. */
function scoresIn(value: Json): MatchEntry | undefined {
  const match = matchIn(picked(value, ["matchLevel", "matchNumber"]));
  const { matchLevel: _, matchNumber: __, ...scoreDetails } = value;
  return match && { ...match, scoreDetails };
}

const TEAM_MEMBERS = [
  "teamNumber",
  "nameShort",
  "nameFull",
  "schoolName",
  "city",
  "stateProv",
  "country",
  "website",
  "rookieYear",
  "robotName",
  "districtCode",
  "homeCMP",
  "encodedAvatar",
  "adjustmentPoints",
];
const teamIn = (value: Json): TeamEntry | undefined =>
  typeof value.teamNumber === "number"
    ? ({ ...picked(value, TEAM_MEMBERS), teamNumber: value.teamNumber } as TeamEntry)
    : undefined;

const EVENT_MEMBERS = ["name", "districtCode", "divisionCode", ...PLACE_MEMBERS];
const eventIn = (value: Json): Json => ({
  ...picked(value, EVENT_MEMBERS),
  ...timesIn(value, ["dateStart", "dateEnd"]),
  ...(TOURNAMENT_TYPES.some((type) => type === value.type) && { type: value.type }),
});

class Answers {
  readonly #place: SavedPlace;
  readonly #path: string;
  readonly findings: Finding[] = [];
  readonly lines: Line[] = [];
  count = 0;

  constructor(path: string, place: SavedPlace) {
    this.#path = path;
    this.#place = place;
  }
  note(says: string): void {
    this.findings.push({ file: this.#path, line: 0, says });
  }
  add(kind: string, told: Json): void {
    this.lines.push({ kind, season: this.#place.season, ...told });
  }
  /** Adds to the event in the path. */
  addAtEvent(told: Json): void {
    const { eventCode } = this.#place;
    if (eventCode === undefined) this.note("the path does not say of which event this is");
    else this.add("event", { eventCode, ...told });
  }
  /** Skips and counts entries that cannot be parsed. */
  each<T>(list: readonly Json[], read: (value: Json) => T | undefined): T[] {
    this.count += list.length;
    const known = list.flatMap((value) => read(value) ?? []);
    if (known.length < list.length) this.note(`${list.length - known.length} entries were not understood`);
    return known;
  }
}

/** Parsers by the member that identifies the kind of answer. */
const readers: Readonly<Record<string, (answers: Answers, list: Json[], whole: Json) => void>> = {
  Events(answers, list) {
    for (const event of list) {
      answers.count += 1;
      if (typeof event.code === "string")
        answers.add("event", { eventCode: event.code, event: eventIn(event) });
      else answers.note("an event without a code");
    }
  },
  districts: (answers, list) =>
    answers.add("districts", { districts: answers.each(list, (one) => picked(one, ["code", "name"])) }),
  teams: (answers, list) => answers.add("teams", { teams: answers.each(list, teamIn) }),
  districtRanks: (answers, list) =>
    answers.add("teams", {
      teams: answers.each(list, (one) =>
        teamIn(picked(one, ["teamNumber", "districtCode", "adjustmentPoints"])),
      ),
    }),
  awards: (answers, list) =>
    answers.add("awardKinds", {
      kinds: answers.each(list, (one) => picked(one, ["awardId", "eventType", "description", "forPerson"])),
    }),
  Awards(answers, list) {
    const events = new Map<string, Json[]>();
    for (const award of answers.each(list, (one) => (typeof one.eventCode === "string" ? one : undefined))) {
      const told = picked(award, ["awardId", "series", "name", "teamNumber", "person"]);
      const code = String(award.eventCode);
      events.set(code, [...(events.get(code) ?? []), told]);
    }
    for (const [eventCode, awards] of events) answers.add("event", { eventCode, awards });
  },
  Matches: (answers, list) => answers.addAtEvent({ matches: answers.each(list, matchIn) }),
  Schedule: (answers, list) => answers.addAtEvent({ matches: answers.each(list, matchIn) }),
  MatchScores: (answers, list) => answers.addAtEvent({ matches: answers.each(list, scoresIn) }),
  /** A computed ranking is not imported, because the server computes it again. */
  Rankings(answers, list, { rankingSource }) {
    const rankings = answers.each(list, (one) => one);
    if (rankingSource !== "computed") answers.addAtEvent({ rankings });
  },
  Alliances: (answers, list) =>
    answers.addAtEvent({
      alliances: answers.each(list, (one) =>
        picked(one, ["number", "name", "captain", "round1", "round2", "round3", "backup", "backupReplaced"]),
      ),
    }),
};

export function savedAnswerOf(path: string, value: unknown): Read<readonly Line[]> {
  const place = findSavedPlace(path);
  if (!place) return nothingOf(path, "the path names no season");
  const answers = new Answers(path, place);
  if (!isObject(value)) return nothingOf(path, "no answer of the public service");
  for (const [member, read] of Object.entries(readers)) {
    const list = listIn(value, member);
    if (list) read(answers, list, value);
  }
  if (typeof value.gameName === "string") {
    answers.count += 1;
    answers.add("season", {
      entry: picked(value, ["gameName", "kickoff", "rookieStart", "frcChampionships"]),
    });
  }
  if (answers.count === 0 && answers.lines.length === 0)
    answers.note("no answer of the public service, or an empty one");
  return { value: answers.lines, lines: answers.count, findings: answers.findings };
}
const nothingOf = (path: string, says: string): Read<readonly Line[]> => ({
  value: [],
  lines: 0,
  findings: [{ file: path, line: 0, says }],
});
