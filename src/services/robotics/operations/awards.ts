/** Operations for awards by event, by team, by both, and for the list of award types. */
import { operationsFor } from "#kernel/operation";
import { errors } from "../errors.ts";
import type { RoboticsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { Tables } from "../tables.ts";
import * as shapes from "../wire/answers.ts";
import * as parameters from "../wire/parameters.ts";
import { awardKindViewOf, awardViewOf } from "../wire/views.ts";
import * as reading from "./reading.ts";

const operation = operationsFor<Tables, State>();

async function awardsOf(
  { db, account }: RoboticsContext,
  season: number,
  which: { readonly event?: string; readonly team?: number },
  since: number,
): Promise<reading.Built> {
  const awards = (await store.listAwards(db, account, season, which)).filter(
    ({ modified }) => modified > since,
  );
  return { body: { Awards: awards.map(awardViewOf) }, isEmpty: awards.length === 0 };
}

const listEventAwards = operation({
  id: "robotics.awards.list-of-event",
  summary: "Lists the awards of an event",
  description: "Supports `If-Modified-Since` and `FMS-OnlyModifiedSince`.",
  ...reading.conditionally(shapes.AwardsView),
  path: "/v3.0/{season}/awards/event/{eventCode}",
  permission: "robotics:ReadAwards",
  ...reading.ofOneEvent,
  async handle({ params: { season, eventCode }, headers }, context) {
    const event = await reading.getEvent(context, season, eventCode);
    return reading.answerChanges(context, headers, {
      root: "EventAwards",
      key: `awards/${season}/${event.code}`,
      second: event.awards_modified,
      build: (since) => awardsOf(context, season, { event: event.code }, since),
    });
  },
});

const listTeamAwards = operation({
  id: "robotics.awards.list-of-team",
  summary: "Lists the awards of a team in a season",
  description: "Of all events of the season.",
  ...reading.plainly(shapes.AwardsView),
  path: "/v3.0/{season}/awards/team/{teamNumber}",
  permission: "robotics:ReadAwards",
  params: parameters.ofTeam,
  errors: [errors.invalidSeason, errors.malformedParameter],
  async handle({ params: { season, teamNumber }, headers }, context) {
    reading.checkTeamNumber(season, teamNumber);
    const row = await reading.findSeason(context, season);
    return reading.answerList(context, headers, {
      root: "TeamAwards",
      key: `awards/${season}/team/${teamNumber}`,
      second: row?.awards_modified ?? 0,
      build: (since) => awardsOf(context, season, { team: teamNumber }, since),
    });
  },
});

const listEventTeamAwards = operation({
  id: "robotics.awards.list-of-event-team",
  summary: "Lists the awards of a team at an event",
  description: "Empty if the team won nothing there.",
  ...reading.plainly(shapes.AwardsView),
  path: "/v3.0/{season}/awards/eventteam/{eventCode}/{teamNumber}",
  permission: "robotics:ReadAwards",
  params: parameters.ofTeamAtEvent,
  errors: [errors.invalidSeason, errors.malformedParameter, errors.invalidEvent],
  async handle({ params: { season, eventCode, teamNumber }, headers }, context) {
    reading.checkTeamNumber(season, teamNumber);
    const event = await reading.getEvent(context, season, eventCode);
    return reading.answerList(context, headers, {
      root: "EventTeamAwards",
      key: `awards/${season}/${event.code}/team/${teamNumber}`,
      second: event.awards_modified,
      build: (since) => awardsOf(context, season, { event: event.code, team: teamNumber }, since),
    });
  },
});

const listAwardKinds = operation({
  id: "robotics.awards.list-kinds",
  summary: "Lists the kinds of awards of a season",
  description: "Kinds that are entered with an award are included.",
  ...reading.conditionally(shapes.AwardList),
  path: "/v3.0/{season}/awards/list",
  permission: "robotics:ReadAwards",
  params: parameters.inSeason,
  errors: [errors.invalidSeason, errors.malformedParameter],
  async handle({ params: { season }, headers }, context) {
    const row = await reading.findSeason(context, season);
    return reading.answerChanges(context, headers, {
      root: "AwardList",
      key: `award-kinds/${season}`,
      second: row?.award_list_modified ?? 0,
      async build(since) {
        const { db, account } = context;
        const kinds = (await store.listAwardKinds(db, account, season)).filter(
          ({ modified }) => modified > since,
        );
        return { body: { awards: kinds.map(awardKindViewOf) }, isEmpty: kinds.length === 0 };
      },
    });
  },
});

export const awardOperations = [listEventAwards, listAwardKinds, listTeamAwards, listEventTeamAwards];
