/** Entries of a season by part. Omitted members stay unchanged. */
import type {
  Alliance,
  AllianceScore,
  Match,
  MatchTeam,
  PlayoffPlace,
  RankingRow,
  TournamentLevel,
  TournamentType,
} from "./game.ts";
import { findPlayoffPlace } from "./playoff-numbers.ts";

export type Championship = { readonly name: string; readonly startDate: string; readonly location: string };
export type SeasonEntry = {
  readonly gameName?: string;
  readonly kickoff?: string;
  readonly rookieStart?: number;
  readonly frcChampionships?: readonly Championship[];
};
export type DistrictEntry = {
  readonly code: string;
  readonly name?: string;
  readonly districtChampionshipPlaces?: number;
  readonly championshipPlaces?: number;
};
/** Members of an event's location. The columns have the same names. */
export const PLACE_MEMBERS = [
  "venue",
  "address",
  "city",
  "stateprov",
  "country",
  "timezone",
  "website",
  "webcasts",
] as const;
export type EventEntry = {
  readonly name?: string;
  readonly type?: TournamentType;
  readonly districtCode?: string | null;
  readonly divisionCode?: string | null;
  readonly venue?: string | null;
  readonly address?: string | null;
  readonly city?: string | null;
  readonly stateprov?: string | null;
  readonly country?: string | null;
  readonly timezone?: string | null;
  readonly website?: string | null;
  readonly webcasts?: readonly unknown[] | null;
  readonly dateStart?: string | null;
  readonly dateEnd?: string | null;
};
export type TeamEntry = {
  readonly teamNumber: number;
  readonly nameShort?: string | null;
  readonly nameFull?: string | null;
  readonly schoolName?: string | null;
  readonly city?: string | null;
  readonly stateProv?: string | null;
  readonly country?: string | null;
  readonly website?: string | null;
  readonly rookieYear?: number | null;
  readonly robotName?: string | null;
  readonly districtCode?: string | null;
  readonly homeCMP?: string | null;
  readonly adjustmentPoints?: number;
  /** Image as base64; null for none. */
  readonly encodedAvatar?: string | null;
};
export type EnteredTeam = {
  readonly teamNumber: number;
  readonly station: string;
  readonly surrogate?: boolean;
  readonly dq?: boolean;
};
export type MatchEntry = {
  readonly tournamentLevel: TournamentLevel;
  readonly matchNumber: number;
  readonly description?: string;
  readonly playoff?: PlayoffPlace;
  readonly startTime?: string | null;
  readonly actualStartTime?: string | null;
  readonly postResultTime?: string | null;
  readonly matchVideoLink?: string | null;
  readonly teams?: readonly EnteredTeam[];
  /** Null removes a result. */
  readonly scoreRedFinal?: number | null;
  readonly scoreRedFoul?: number | null;
  readonly scoreRedAuto?: number | null;
  readonly scoreBlueFinal?: number | null;
  readonly scoreBlueFoul?: number | null;
  readonly scoreBlueAuto?: number | null;
  /** Score details of the season: members of the match, and `alliances` with members for `Red` and `Blue`. */
  readonly scoreDetails?: Readonly<Record<string, unknown>> | null;
};
export type AwardEntry = {
  readonly awardId: number;
  readonly series: number;
  readonly name: string;
  readonly teamNumber?: number | null;
  readonly person?: string | null;
};
export type AwardKindEntry = {
  readonly awardId: number;
  readonly eventType: string;
  readonly description: string;
  readonly forPerson: boolean;
};
/** All data of one event in one entry. */
export type EventDocument = {
  readonly eventCode: string;
  readonly event?: EventEntry;
  readonly teams?: readonly number[];
  readonly matches?: readonly MatchEntry[];
  readonly alliances?: readonly Alliance[];
  readonly awards?: readonly AwardEntry[];
  /** Published rankings, stored instead of computed ones. */
  readonly rankings?: readonly RankingRow[];
};

const PLAYOFF_WORDS = { ef: "Eighthfinal", qf: "Quarterfinal", sf: "Semifinal", f: "Final" } as const;

export function descriptionOf(
  level: TournamentLevel,
  matchNumber: number,
  playoff: PlayoffPlace | null,
): string {
  if (!playoff) return `${level} ${matchNumber}`;
  const { round, set, game } = playoff;
  return round === "f" ? `Final ${game}` : `${PLAYOFF_WORDS[round]} ${set} Match ${game}`;
}

const or = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);

type Details = {
  readonly match: Match["details"];
  readonly red: Match["details"];
  readonly blue: Match["details"];
};
const NO_DETAILS: Details = { match: null, red: null, blue: null };

function detailsOf(given: MatchEntry["scoreDetails"], before: Match | undefined): Details {
  if (given === null) return NO_DETAILS;
  if (given === undefined)
    return before
      ? { match: before.details, red: before.red?.details ?? null, blue: before.blue?.details ?? null }
      : NO_DETAILS;
  const { alliances, ...match } = given;
  const list = Array.isArray(alliances) ? (alliances as Readonly<Record<string, unknown>>[]) : [];
  const find = (colour: string): Match["details"] => {
    const found = list.find(({ alliance }) => alliance === colour);
    if (!found) return null;
    const { alliance: _, ...rest } = found;
    return rest;
  };
  return { match: Object.keys(match).length === 0 ? null : match, red: find("Red"), blue: find("Blue") };
}

const pointsOf = (details: Match["details"], member: string): number | undefined =>
  typeof details?.[member] === "number" ? (details[member] as number) : undefined;

/** Without a final score, the total in the score details counts. */
function scoreOf(
  [final, foul, auto]: readonly [
    number | null | undefined,
    number | null | undefined,
    number | null | undefined,
  ],
  details: Match["details"],
  before: AllianceScore | null | undefined,
): AllianceScore | null {
  const total = or(final, before?.final ?? pointsOf(details, "totalPoints") ?? null);
  if (total === null || total === undefined) return null;
  return {
    final: total,
    foul: or(foul, before?.foul ?? pointsOf(details, "foulPoints") ?? null),
    auto: or(auto, before?.auto ?? pointsOf(details, "autoPoints") ?? null),
    details,
  };
}

function teamsOf(
  given: readonly EnteredTeam[] | undefined,
  before: readonly MatchTeam[],
): readonly MatchTeam[] {
  if (!given) return before;
  return given.map(({ teamNumber, station, surrogate, dq }) => {
    const known = before.find((team) => team.teamNumber === teamNumber);
    return {
      teamNumber,
      station,
      surrogate: surrogate ?? known?.surrogate ?? false,
      dq: dq ?? known?.dq ?? false,
    };
  });
}

/** The match after an entry. It has a result if both alliances have a score. */
export function mergedMatch(season: number, before: Match | undefined, entry: MatchEntry): Match {
  const { tournamentLevel: level, matchNumber } = entry;
  const playoff =
    entry.playoff ?? before?.playoff ?? (level === "Playoff" ? findPlayoffPlace(season, matchNumber) : null);
  const details = detailsOf(entry.scoreDetails, before);
  const isTakenBack = entry.scoreRedFinal === null || entry.scoreBlueFinal === null;
  const red = scoreOf(
    [entry.scoreRedFinal, entry.scoreRedFoul, entry.scoreRedAuto],
    details.red,
    before?.red,
  );
  const blue = scoreOf(
    [entry.scoreBlueFinal, entry.scoreBlueFoul, entry.scoreBlueAuto],
    details.blue,
    before?.blue,
  );
  const isPlayed = !isTakenBack && red !== null && blue !== null;
  return {
    level,
    matchNumber,
    description: entry.description ?? before?.description ?? descriptionOf(level, matchNumber, playoff),
    playoff,
    startTime: or(entry.startTime, before?.startTime ?? null),
    actualStartTime: or(entry.actualStartTime, before?.actualStartTime ?? null),
    postResultTime: isTakenBack ? null : or(entry.postResultTime, before?.postResultTime ?? null),
    videoLink: or(entry.matchVideoLink, before?.videoLink ?? null),
    teams: teamsOf(entry.teams, before?.teams ?? []),
    red: isPlayed ? red : null,
    blue: isPlayed ? blue : null,
    details: isPlayed ? details.match : null,
  };
}
