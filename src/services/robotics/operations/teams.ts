/** Operations for teams and avatars. */
import { operationsFor } from "#kernel/operation";
import { AVATAR_SEASON_MIN } from "../domain/seasons.ts";
import { errors } from "../errors.ts";
import type { RoboticsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { Tables, TeamRow } from "../tables.ts";
import * as shapes from "../wire/answers.ts";
import * as parameters from "../wire/parameters.ts";
import { teamViewOf } from "../wire/views.ts";
import { pageOf } from "./paging.ts";
import * as reading from "./reading.ts";

const operation = operationsFor<Tables, State>();

type TeamsQuery = {
  readonly teamNumber?: number;
  readonly eventCode?: string;
  readonly districtCode?: string;
  readonly state?: string;
};
/** Sorted by number, so that only new teams shift pages. */
async function teamsFor(
  { db, account }: RoboticsContext,
  season: number,
  query: TeamsQuery,
): Promise<TeamRow[]> {
  const { teamNumber, eventCode } = query;
  if (teamNumber !== undefined) {
    const team = await store.findTeam(db, account, season, teamNumber);
    return team ? [team] : [];
  }
  const present =
    eventCode === undefined
      ? undefined
      : new Set(await store.listEventTeams(db, account, season, eventCode.toUpperCase()));
  const district = query.districtCode?.toUpperCase();
  const state = query.state?.toLowerCase();
  return (await store.listTeams(db, account, season)).filter(
    (team) =>
      (present === undefined || present.has(team.number)) &&
      (district === undefined || team.district === district) &&
      (state === undefined || team.stateprov.toLowerCase() === state),
  );
}

const listTeams = operation({
  id: "robotics.teams.list",
  summary: "Lists the teams of a season",
  description:
    "Pages have 65 teams. `teamNumber` cannot be combined with `eventCode`, `districtCode` or `state`.",
  ...reading.conditionally(shapes.TeamList),
  path: "/v3.0/{season}/teams",
  permission: "robotics:ReadTeams",
  params: parameters.inSeason,
  query: parameters.teamsQuery,
  errors: [errors.invalidSeason, errors.malformedParameter, errors.forbiddenCombination],
  async handle({ params: { season }, query, headers }, context) {
    reading.refuseTogether(query, "teamNumber", "eventCode", "districtCode", "state");
    const row = await reading.findSeasonFor(context, season, query);
    return reading.answerChanges(context, headers, {
      root: "TeamList",
      key: `teams/${season}/${JSON.stringify(query)}`,
      second: row?.teams_modified ?? 0,
      async build(since) {
        const all = (await teamsFor(context, season, query)).filter(({ modified }) => modified > since);
        const { rows, total, ...pages } = pageOf(all, query.page ?? 1);
        return {
          body: {
            teams: rows.map(teamViewOf),
            teamCountTotal: total,
            teamCountPage: rows.length,
            ...pages,
          },
          isEmpty: rows.length === 0,
        };
      },
    });
  },
});

const listAvatars = operation({
  id: "robotics.avatars.list",
  summary: "Lists the avatars of a season's teams",
  description:
    "From the season 2018 on. Each is a PNG in base64, or null. `teamNumber` cannot be combined with `eventCode`.",
  ...reading.conditionally(shapes.AvatarList),
  path: "/v3.0/{season}/avatars",
  permission: "robotics:ReadAvatars",
  params: parameters.inSeason,
  query: parameters.avatarsQuery,
  errors: [errors.invalidSeason, errors.malformedParameter, errors.forbiddenCombination],
  async handle({ params: { season }, query, headers }, context) {
    if (season < AVATAR_SEASON_MIN)
      throw errors.invalidSeason(`Teams have had avatars since the season ${AVATAR_SEASON_MIN}.`);
    reading.refuseTogether(query, "teamNumber", "eventCode");
    const row = await reading.findSeasonFor(context, season, query);
    return reading.answerChanges(context, headers, {
      root: "AvatarList",
      key: `avatars/${season}/${JSON.stringify(query)}`,
      second: Math.max(row?.avatars_modified ?? 0, row?.teams_modified ?? 0),
      async build(since) {
        const { db, account } = context;
        const avatars = new Map(
          (await store.listAvatars(db, account, season)).map((one) => [one.number, one]),
        );
        const all = (await teamsFor(context, season, query)).filter(
          ({ number, modified }) => Math.max(modified, avatars.get(number)?.modified ?? 0) > since,
        );
        const { rows, total, ...pages } = pageOf(all, query.page ?? 1);
        const teams = rows.map(({ number }) => ({
          teamNumber: number,
          encodedAvatar: avatars.get(number)?.avatar ?? null,
        }));
        return {
          body: { teams, teamCountTotal: total, teamCountPage: teams.length, ...pages },
          isEmpty: teams.length === 0,
        };
      },
    });
  },
});

export const teamOperations = [listTeams, listAvatars];
