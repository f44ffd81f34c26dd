/** District ranking: a team's first two events, its championship, age points and adjustments. */
import { type DistrictEventInput, type EventPoints, eventPointsOf, totalOf } from "./district-events.ts";
import { isDistrictChampionship, teamAgePoints } from "./district-points.ts";

export type DistrictTeamInput = {
  readonly teamNumber: number;
  readonly rookieYear: number;
  readonly adjustmentPoints: number;
};

/** Member names are those of the public API. */
export type DistrictRankRow = {
  readonly districtCode: string;
  readonly teamNumber: number;
  readonly rank: number;
  readonly totalPoints: number;
  readonly event1Code: string | null;
  readonly event1Points: number | null;
  readonly event2Code: string | null;
  readonly event2Points: number | null;
  readonly districtCmpCode: string | null;
  readonly districtCmpPoints: number | null;
  readonly teamAgePoints: number;
  readonly adjustmentPoints: number;
  readonly qualifiedDistrictCmp: boolean;
  readonly qualifiedFirstCmp: boolean;
};

/** Number of teams that qualify. */
export type DistrictPlaces = { readonly districtChampionship: number; readonly championship: number };

type Counted = { readonly code: string; readonly points: EventPoints };
type Entry = {
  readonly team: DistrictTeamInput;
  readonly agePoints: number;
  readonly districtEvents: readonly Counted[];
  readonly championships: readonly Counted[];
};

const EVENTS_COUNTED = 2;

export function districtRankingsOf(
  season: number,
  districtCode: string,
  teams: readonly DistrictTeamInput[],
  events: readonly DistrictEventInput[],
  places: DistrictPlaces,
): DistrictRankRow[] {
  const inTime = [...events].sort(
    (a, b) => compareTexts(a.dateEnd, b.dateEnd) || compareTexts(a.code, b.code),
  );
  const earned = inTime.map((event) => ({ event, points: eventPointsOf(season, event) }));
  const attended = (teamNumber: number, championships: boolean): Counted[] =>
    earned.flatMap(({ event, points }) => {
      const own = points.get(teamNumber);
      return own !== undefined && isDistrictChampionship(event.type) === championships
        ? [{ code: event.code, points: own }]
        : [];
    });
  const entries = teams.map(
    (team): Entry => ({
      team,
      agePoints: teamAgePoints(season, team.rookieYear),
      districtEvents: attended(team.teamNumber, false).slice(0, EVENTS_COUNTED),
      championships: attended(team.teamNumber, true),
    }),
  );
  const isChampionshipPlayed = entries.some(({ championships }) => championships.length > 0);
  const invited = new Set(
    ranked(entries, ({ districtEvents }) => districtEvents)
      .slice(0, places.districtChampionship)
      .filter(({ districtEvents }) => districtEvents.length > 0)
      .map(({ team }) => team.teamNumber),
  );
  return ranked(entries, allOf).map((entry, index) =>
    rowOf(districtCode, entry, index + 1, {
      districtCmp: entry.championships.length > 0 || invited.has(entry.team.teamNumber),
      firstCmp: isChampionshipPlayed && entry.championships.length > 0 && index < places.championship,
    }),
  );
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const allOf = ({ districtEvents, championships }: Entry): Counted[] => [...districtEvents, ...championships];
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** By total, then by the published tie-breakers. The team number replaces the final random choice. */
function ranked(entries: readonly Entry[], counted: (entry: Entry) => readonly Counted[]): Entry[] {
  return entries
    .map((entry) => ({ entry, keys: sortKeysOf(entry, counted(entry)) }))
    .sort((a, b) => {
      for (const [index, key] of a.keys.entries()) {
        const difference = (b.keys[index] ?? 0) - key;
        if (difference !== 0) return difference;
      }
      return a.entry.team.teamNumber - b.entry.team.teamNumber;
    })
    .map(({ entry }) => entry);
}

function sortKeysOf({ team, agePoints }: Entry, counted: readonly Counted[]): number[] {
  const points = counted.map((one) => one.points);
  const playoffs = points.map(({ playoff }) => playoff);
  const selections = points.map(({ selection }) => selection);
  const scores = points.flatMap(({ highestScores }) => highestScores).sort((a, b) => b - a);
  return [
    sum(points.map(totalOf)) + agePoints + team.adjustmentPoints,
    sum(playoffs),
    Math.max(0, ...playoffs),
    sum(selections),
    Math.max(0, ...selections),
    sum(points.map(({ qualification }) => qualification)),
    scores[0] ?? 0,
    scores[1] ?? 0,
    scores[2] ?? 0,
  ];
}

function rowOf(
  districtCode: string,
  entry: Entry,
  rank: number,
  qualified: { districtCmp: boolean; firstCmp: boolean },
): DistrictRankRow {
  const [first, second] = entry.districtEvents;
  const championship = entry.championships.at(-1);
  const points = (counted: Counted | undefined) => (counted ? totalOf(counted.points) : null);
  const { adjustmentPoints, teamNumber } = entry.team;
  return {
    districtCode,
    teamNumber,
    rank,
    totalPoints: sum(allOf(entry).map((one) => totalOf(one.points))) + entry.agePoints + adjustmentPoints,
    event1Code: first?.code ?? null,
    event1Points: points(first),
    event2Code: second?.code ?? null,
    event2Points: points(second),
    districtCmpCode: championship?.code ?? null,
    districtCmpPoints: championship ? sum(entry.championships.map((one) => totalOf(one.points))) : null,
    teamAgePoints: entry.agePoints,
    adjustmentPoints,
    qualifiedDistrictCmp: qualified.districtCmp,
    qualifiedFirstCmp: qualified.firstCmp,
  };
}
