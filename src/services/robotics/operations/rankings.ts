/** Rankings of events and districts, the points that make the latter, and what else follows from results. */
import { finishedJson, noBody, operationsFor } from "#kernel/operation";
import { bracketOf } from "../domain/bracket.ts";
import {
  ALLIANCE_SIZES,
  allianceSelectionPoints,
  playoffAdvancementPoints,
  qualificationPoints,
} from "../domain/district-points.ts";
import type { DistrictRankRow } from "../domain/district-rankings.ts";
import { teamStatisticsOf } from "../domain/statistics.ts";
import { errors, inputError } from "../errors.ts";
import type { RoboticsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { SeasonRow, Tables } from "../tables.ts";
import * as shapes from "../wire/answers.ts";
import * as parameters from "../wire/parameters.ts";
import { allianceViewOf, bracketViewOf } from "../wire/views.ts";
import { pageOf } from "./paging.ts";
import {
  answerChanges,
  answerList,
  answerValue,
  checkTeamNumber,
  findSeason,
  getEvent,
  refuseTogether,
} from "./reading.ts";
import { standingsOf } from "./standings.ts";

const operation = operationsFor<Tables, State>();
const XML = "application/xml";

const listRankings = operation({
  id: "robotics.rankings.list",
  summary: "The ranking of an event, as its results have it",
  description: "top cannot be sent together with teamNumber.",
  method: "GET",
  path: "/v3.0/{season}/rankings/{eventCode}",
  permission: "robotics:ReadRankings",
  params: parameters.atEvent,
  query: parameters.rankingsQuery,
  headers: parameters.conditionalHeaders,
  answers: { 200: finishedJson(shapes.EventRankings, XML), 304: noBody },
  errors: [errors.invalidSeason, errors.malformedParameter, errors.forbiddenCombination, errors.invalidEvent],
  inputError,
  async handle({ params: { season, eventCode }, query, headers }, context) {
    refuseTogether(query, "top", "teamNumber");
    checkTeamNumber(season, query.teamNumber);
    const event = await getEvent(context, season, eventCode);
    const { teamNumber, top = Number.POSITIVE_INFINITY } = query;
    return answerChanges(context, headers, {
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
          body: { Rankings: rankings.map(({ ranking }) => ranking) },
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
};
/** A team is looked for in every district. */
async function ranksFor(
  context: RoboticsContext,
  row: SeasonRow | undefined,
  { districtCode, teamNumber, top = Number.POSITIVE_INFINITY }: DistrictQuery,
): Promise<readonly DistrictRankRow[]> {
  if (!row) return [];
  const all = await store.listDistricts(context.db, context.account, row.season);
  const asked = all.filter(({ code }) => districtCode === undefined || code === districtCode.toUpperCase());
  const ranks: DistrictRankRow[] = [];
  for (const district of asked) ranks.push(...(await standingsOf(context, row, district)));
  return ranks.filter((rank) => teamNumber === undefined || rank.teamNumber === teamNumber).slice(0, top);
}

const listDistrictRankings = operation({
  id: "robotics.rankings.list-of-district",
  summary: "The ranking of a district, in pages of 65",
  description:
    "Needs a districtCode unless a teamNumber is given, which stands alone; top and page cannot be sent together.",
  method: "GET",
  path: "/v3.0/{season}/rankings/district",
  permission: "robotics:ReadRankings",
  params: parameters.inSeason,
  query: parameters.districtRankingsQuery,
  headers: parameters.conditionalHeaders,
  answers: { 200: finishedJson(shapes.DistrictRankings, XML), 304: noBody },
  errors: [
    errors.invalidSeason,
    errors.malformedParameter,
    errors.missingParameter,
    errors.forbiddenCombination,
  ],
  inputError,
  async handle({ params: { season }, query, headers }, context) {
    refuseTogether(query, "teamNumber", "districtCode", "top", "page");
    refuseTogether(query, "page", "top");
    if (query.districtCode === undefined && query.teamNumber === undefined)
      throw errors.missingParameter("A districtCode or a teamNumber is needed.");
    checkTeamNumber(season, query.teamNumber);
    const row = await findSeason(context, season);
    return answerChanges(context, headers, {
      root: "DistrictRankings",
      key: `standings/${season}/${JSON.stringify(query)}`,
      second: row?.standings_modified ?? 0,
      async build() {
        const ranks = await ranksFor(context, row, query);
        const { rows, total, ...pages } = pageOf(ranks, query.page ?? 1);
        return {
          body: { districtRanks: rows, rankingCountTotal: total, rankingCountPage: rows.length, ...pages },
          isEmpty: rows.length === 0,
        };
      },
    });
  },
});

const calculateQualification = operation({
  id: "robotics.points.qualification",
  summary: "District points for a rank after the qualification matches",
  method: "GET",
  path: "/v3.0/{season}/rankings/district/qualPerformanceCalculation",
  permission: "robotics:ReadRankings",
  params: parameters.inSeason,
  query: parameters.qualificationQuery,
  headers: parameters.acceptHeader,
  answers: { 200: finishedJson(shapes.Points, XML) },
  errors: [errors.invalidSeason, errors.malformedParameter, errors.missingParameter],
  inputError,
  async handle({ params: { season }, query, headers }, context) {
    await findSeason(context, season);
    const { tournamentType, qualificationRank, teamsAtEvent } = query;
    if (qualificationRank > teamsAtEvent)
      throw errors.malformedParameter("qualificationRank is higher than teamsAtEvent.");
    return answerValue(
      headers,
      "points",
      qualificationPoints(season, tournamentType, qualificationRank, teamsAtEvent),
    );
  },
});

const calculateSelection = operation({
  id: "robotics.points.alliance-selection",
  summary: "District points for a place in an alliance",
  method: "GET",
  path: "/v3.0/{season}/rankings/district/allianceSelectionCalculation",
  permission: "robotics:ReadRankings",
  params: parameters.inSeason,
  query: parameters.selectionQuery,
  headers: parameters.acceptHeader,
  answers: { 200: finishedJson(shapes.Points, XML) },
  errors: [errors.invalidSeason, errors.malformedParameter, errors.missingParameter],
  inputError,
  async handle({ params: { season }, query, headers }, context) {
    await findSeason(context, season);
    const { tournamentType, sizeType, allianceNumber, allianceRole } = query;
    const alliances = ALLIANCE_SIZES[sizeType];
    if (allianceNumber > alliances)
      throw errors.malformedParameter(`allianceNumber is higher than ${sizeType} has alliances.`);
    return answerValue(
      headers,
      "points",
      allianceSelectionPoints(season, tournamentType, alliances, allianceNumber, allianceRole),
    );
  },
});

const calculateAdvancement = operation({
  id: "robotics.points.playoff-advancement",
  summary: "District points for matches won in the playoffs",
  method: "GET",
  path: "/v3.0/{season}/rankings/district/playoffAdvancementCalculation",
  permission: "robotics:ReadRankings",
  params: parameters.inSeason,
  query: parameters.advancementQuery,
  headers: parameters.acceptHeader,
  answers: { 200: finishedJson(shapes.Points, XML) },
  errors: [errors.invalidSeason, errors.malformedParameter, errors.missingParameter],
  inputError,
  async handle({ params: { season }, query, headers }, context) {
    await findSeason(context, season);
    const { tournamentType, quarterFinalWins, semiFinalWins, finalWins } = query;
    return answerValue(
      headers,
      "points",
      playoffAdvancementPoints(season, tournamentType, quarterFinalWins, semiFinalWins, finalWins),
    );
  },
});

const listAlliances = operation({
  id: "robotics.alliances.list",
  summary: "The alliances of an event's playoffs",
  method: "GET",
  path: "/v3.0/{season}/alliances/{eventCode}",
  permission: "robotics:ReadAlliances",
  params: parameters.atEvent,
  headers: parameters.acceptHeader,
  answers: { 200: finishedJson(shapes.AllianceList, XML) },
  errors: [errors.invalidSeason, errors.malformedParameter, errors.invalidEvent],
  inputError,
  async handle({ params: { season, eventCode }, headers }, context) {
    const event = await getEvent(context, season, eventCode);
    return answerList(context, headers, {
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
  summary: "An event's playoffs as a bracket, and which matches come next",
  method: "GET",
  path: "/v3.0/{season}/bracket/{eventCode}",
  permission: "robotics:ReadAlliances",
  params: parameters.atEvent,
  headers: parameters.conditionalHeaders,
  answers: { 200: finishedJson(shapes.BracketView, XML), 304: noBody },
  errors: [errors.invalidSeason, errors.malformedParameter, errors.invalidEvent],
  inputError,
  tags: ["addition"],
  async handle({ params: { season, eventCode }, headers }, context) {
    const event = await getEvent(context, season, eventCode);
    return answerChanges(context, headers, {
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
  summary: "Records, average and highest scores of the teams at an event",
  method: "GET",
  path: "/v3.0/{season}/statistics/{eventCode}",
  permission: "robotics:ReadMatches",
  params: parameters.atEvent,
  headers: parameters.conditionalHeaders,
  answers: { 200: finishedJson(shapes.Statistics, XML), 304: noBody },
  errors: [errors.invalidSeason, errors.malformedParameter, errors.invalidEvent],
  inputError,
  tags: ["addition"],
  async handle({ params: { season, eventCode }, headers }, context) {
    const event = await getEvent(context, season, eventCode);
    return answerChanges(context, headers, {
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
  calculateQualification,
  calculateSelection,
  calculateAdvancement,
  listRankings,
  listDistrictRankings,
  listAlliances,
  getBracket,
  listStatistics,
];
