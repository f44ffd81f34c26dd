/** Operations for rankings of events and districts, and for statistics from results. */
import { operationsFor } from "#kernel/operation";
import { bracketOf } from "../domain/bracket.ts";
import { teamStatisticsOf } from "../domain/statistics.ts";
import { errors } from "../errors.ts";
import type { Standing, Standings } from "../standings-cache.ts";
import type { RoboticsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { SeasonRow, Tables } from "../tables.ts";
import * as shapes from "../wire/answers.ts";
import * as parameters from "../wire/parameters.ts";
import { allianceViewOf, bracketViewOf } from "../wire/views.ts";
import { PAGE_SIZE, pageOf } from "./paging.ts";
import * as reading from "./reading.ts";
import { standingsOf } from "./standings.ts";

const operation = operationsFor<Tables, State>();

const listRankings = operation({
  id: "robotics.rankings.list",
  summary: "Returns the ranking of an event",
  description:
    "Computed from the entered results, unless a published ranking was imported. `top` cannot be combined with `teamNumber`.",
  ...reading.conditionally(shapes.EventRankings),
  path: "/v3.0/{season}/rankings/{eventCode}",
  permission: "robotics:ReadRankings",
  params: parameters.atEvent,
  query: parameters.rankingsQuery,
  errors: [errors.invalidSeason, errors.malformedParameter, errors.forbiddenCombination, errors.invalidEvent],
  async handle({ params: { season, eventCode }, query, headers }, context) {
    reading.refuseTogether(query, "top", "teamNumber");
    reading.checkTeamNumber(season, query.teamNumber);
    const event = await reading.getEvent(context, season, eventCode);
    const { teamNumber, top = Number.POSITIVE_INFINITY } = query;
    return reading.answerChanges(context, headers, {
      root: "EventRankings",
      key: `rankings/${season}/${event.code}/${JSON.stringify(query)}`,
      second: event.rankings_modified,
      async build(since) {
        const all = await store.listRankings(context.db, context.account, season, event.code);
        const rankings = all
          .slice(0, top)
          .filter(
            ({ ranking, modified }) =>
              (teamNumber === undefined || ranking.teamNumber === teamNumber) && modified > since,
          );
        return {
          body: {
            Rankings: rankings.map(({ ranking }) => ranking),
            rankingSource: event.rankings_published === 1 ? "published" : "computed",
          },
          isEmpty: rankings.length === 0,
        };
      },
    });
  },
});

type DistrictQuery = {
  readonly districtCode?: string;
  readonly teamNumber?: number;
  readonly top?: number;
  readonly page?: number;
};
/** Standings of one district; of all districts if the query has no district code. */
async function standingsFor(
  context: RoboticsContext,
  row: SeasonRow | undefined,
  { districtCode }: DistrictQuery,
): Promise<Standings> {
  if (!row) return { second: 0, ranks: [] };
  const all = await store.listDistricts(context.db, context.account, row.season);
  const asked = all.filter(({ code }) => districtCode === undefined || code === districtCode.toUpperCase());
  const ranks: Standing[] = [];
  for (const district of asked) ranks.push(...(await standingsOf(context, row, district)).ranks);
  return { second: row.standings_modified, ranks };
}
/** Later pages use the standings of the caller's first page. */
async function readStandings(
  context: RoboticsContext,
  row: SeasonRow | undefined,
  query: DistrictQuery,
): Promise<Standings> {
  const { principal, account, clock, state } = context;
  const caller = [account, principal.credentialKind, principal.name, row?.season, query.districtCode].join(
    "/",
  );
  const { page = 1 } = query;
  const begun = page > 1 ? state.readings.find(caller, clock.nowMs()) : undefined;
  if (begun) return begun;
  const standings = await standingsFor(context, row, query);
  if (page === 1 && standings.ranks.length > PAGE_SIZE)
    state.readings.begin(caller, standings, clock.nowMs());
  return standings;
}

const listDistrictRankings = operation({
  id: "robotics.rankings.list-of-district",
  summary: "Returns the ranking of a district",
  description:
    "Pages have 65 teams. Needs a `districtCode` or a `teamNumber`, which cannot be combined; neither can `top` and `page`.",
  ...reading.conditionally(shapes.DistrictRankings),
  path: "/v3.0/{season}/rankings/district",
  permission: "robotics:ReadRankings",
  params: parameters.inSeason,
  query: parameters.districtRankingsQuery,
  errors: [
    errors.invalidSeason,
    errors.malformedParameter,
    errors.missingParameter,
    errors.forbiddenCombination,
  ],
  async handle({ params: { season }, query, headers }, context) {
    reading.refuseTogether(query, "teamNumber", "districtCode", "top", "page");
    reading.refuseTogether(query, "page", "top");
    if (query.districtCode === undefined && query.teamNumber === undefined)
      throw errors.missingParameter("A districtCode or a teamNumber is needed.");
    reading.checkTeamNumber(season, query.teamNumber);
    const { teamNumber, top = Number.POSITIVE_INFINITY, page = 1 } = query;
    const { second, ranks } = await readStandings(context, await reading.findSeason(context, season), query);
    return reading.answerChanges(context, headers, {
      root: "DistrictRankings",
      key: `standings/${season}/${JSON.stringify(query)}`,
      second,
      build(since) {
        const asked = ranks
          .filter(({ rank }) => teamNumber === undefined || rank.teamNumber === teamNumber)
          .slice(0, top)
          .filter(({ modified }) => modified > since);
        const { rows, total, ...pages } = pageOf(asked, page);
        return {
          body: {
            districtRanks: rows.map(({ rank }) => rank),
            rankingCountTotal: total,
            rankingCountPage: rows.length,
            ...pages,
          },
          isEmpty: rows.length === 0,
        };
      },
    });
  },
});

const listAlliances = operation({
  id: "robotics.alliances.list",
  summary: "Lists the playoff alliances of an event",
  description: "Empty before the alliance selection.",
  ...reading.plainly(shapes.AllianceList),
  path: "/v3.0/{season}/alliances/{eventCode}",
  permission: "robotics:ReadAlliances",
  ...reading.ofOneEvent,
  async handle({ params: { season, eventCode }, headers }, context) {
    const event = await reading.getEvent(context, season, eventCode);
    return reading.answerList(context, headers, {
      root: "AllianceList",
      key: `alliances/${season}/${event.code}`,
      second: event.alliances_modified,
      async build() {
        const alliances = await store.listAlliances(context.db, context.account, season, event.code);
        return {
          body: { Alliances: alliances.map(allianceViewOf), count: alliances.length },
          isEmpty: alliances.length === 0,
        };
      },
    });
  },
});

const getBracket = operation({
  id: "robotics.bracket.get",
  summary: "Returns the playoffs of an event as a bracket",
  description:
    "Computed from alliances and results; includes the matches that come next. Enter those with `robotics.schedule.generate`.",
  ...reading.conditionally(shapes.BracketView),
  path: "/v3.0/{season}/bracket/{eventCode}",
  permission: "robotics:ReadAlliances",
  ...reading.ofOneEvent,
  tags: ["addition"],
  async handle({ params: { season, eventCode }, headers }, context) {
    const event = await reading.getEvent(context, season, eventCode);
    return reading.answerChanges(context, headers, {
      root: "Bracket",
      key: `bracket/${season}/${event.code}`,
      second: Math.max(event.alliances_modified, event.schedule_modified, event.results_modified),
      async build() {
        const { db, account } = context;
        const alliances = await store.listAlliances(db, account, season, event.code);
        const playoffs = (await store.listMatches(db, account, season, event.code)).filter(
          ({ level }) => level === "Playoff",
        );
        const bracket = bracketOf(season, alliances, playoffs);
        return { body: bracketViewOf(bracket), isEmpty: alliances.length === 0 };
      },
    });
  },
});

const listStatistics = operation({
  id: "robotics.statistics.list",
  summary: "Returns records, average and highest scores of the teams at an event",
  description: "Computed from the entered results.",
  ...reading.conditionally(shapes.Statistics),
  path: "/v3.0/{season}/statistics/{eventCode}",
  permission: "robotics:ReadMatches",
  ...reading.ofOneEvent,
  tags: ["addition"],
  async handle({ params: { season, eventCode }, headers }, context) {
    const event = await reading.getEvent(context, season, eventCode);
    return reading.answerChanges(context, headers, {
      root: "Statistics",
      key: `statistics/${season}/${event.code}`,
      second: event.results_modified,
      async build() {
        const matches = await store.listMatches(context.db, context.account, season, event.code);
        const statistics = teamStatisticsOf(matches);
        return { body: { statistics }, isEmpty: statistics.length === 0 };
      },
    });
  },
});

export const rankingOperations = [
  listRankings,
  listDistrictRankings,
  listAlliances,
  getBracket,
  listStatistics,
];
