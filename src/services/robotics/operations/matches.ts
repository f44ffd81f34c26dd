/** Operations for matches: schedule, results and score details. */
import { operationsFor } from "#kernel/operation";
import type { Match, TournamentLevel } from "../domain/game.ts";
import { hybridScheduleOf } from "../domain/hybrid-schedule.ts";
import { errors } from "../errors.ts";
import type { RoboticsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { Tables } from "../tables.ts";
import * as shapes from "../wire/answers.ts";
import * as parameters from "../wire/parameters.ts";
import { matchViewOf, scheduleViewOf, scoresViewOf } from "../wire/views.ts";
import { answerChanges, checkTeamNumber, conditionally, getEvent, refuseTogether } from "./reading.ts";

const operation = operationsFor<Tables, State>();

type MatchQuery = {
  readonly tournamentLevel?: string;
  readonly teamNumber?: number;
  readonly matchNumber?: number;
  readonly start?: number;
  readonly end?: number;
};
/** Clients also use the short form `Qual`. */
const isOfLevel = (word: string | undefined, level: TournamentLevel): boolean =>
  word === undefined || word === "None" || (word === "Qual" ? "Qualification" : word) === level;
const isAskedFor = (query: MatchQuery, { level, matchNumber, teams }: Match): boolean =>
  isOfLevel(query.tournamentLevel, level) &&
  (query.matchNumber === undefined || query.matchNumber === matchNumber) &&
  (query.start === undefined || matchNumber >= query.start) &&
  (query.end === undefined || matchNumber <= query.end) &&
  (query.teamNumber === undefined || teams.some(({ teamNumber }) => teamNumber === query.teamNumber));

async function matchesFor(
  { db, account }: RoboticsContext,
  { season, code }: store.EventVersions,
  query: MatchQuery,
): Promise<store.StoredMatch[]> {
  const all = await store.listMatches(db, account, season, code);
  return all.filter((match) => isAskedFor(query, match));
}

const listMatches = operation({
  id: "robotics.matches.list",
  summary: "Lists the results of an event's matches",
  description:
    "Only played matches. `matchNumber`, `start` and `end` need a `tournamentLevel`; `matchNumber` cannot be combined with `teamNumber`, `start` or `end`.",
  ...conditionally(shapes.MatchResults),
  path: "/v3.0/{season}/matches/{eventCode}",
  permission: "robotics:ReadMatches",
  params: parameters.atEvent,
  query: parameters.matchesQuery,
  errors: [
    errors.invalidSeason,
    errors.malformedParameter,
    errors.missingParameter,
    errors.forbiddenCombination,
    errors.invalidEvent,
  ],
  async handle({ params: { season, eventCode }, query, headers }, context) {
    refuseTogether(query, "matchNumber", "teamNumber", "start", "end");
    const needsLevel = query.matchNumber ?? query.start ?? query.end;
    if (needsLevel !== undefined && query.tournamentLevel === undefined)
      throw errors.missingParameter("matchNumber, start and end need a tournamentLevel.");
    checkTeamNumber(season, query.teamNumber);
    const event = await getEvent(context, season, eventCode);
    return answerChanges(context, headers, {
      root: "MatchResults",
      key: `matches/${season}/${event.code}/${JSON.stringify(query)}`,
      second: event.results_modified,
      async build(since) {
        const played = (await matchesFor(context, event, query)).filter(
          ({ red, resultModified }) => red !== null && resultModified > since,
        );
        return { body: { Matches: played.map(matchViewOf) }, isEmpty: played.length === 0 };
      },
    });
  },
});

const listScores = operation({
  id: "robotics.scores.list",
  summary: "Lists the score details of an event's matches",
  description:
    "Only matches whose details were entered, in the terms of the season's game. `matchNumber` cannot be combined with `start` or `end`.",
  ...conditionally(shapes.MatchScores),
  path: "/v3.0/{season}/scores/{eventCode}/{tournamentLevel}",
  permission: "robotics:ReadScores",
  params: parameters.atLevel,
  query: parameters.scoresQuery,
  errors: [errors.invalidSeason, errors.malformedParameter, errors.forbiddenCombination, errors.invalidEvent],
  async handle({ params: { season, eventCode, tournamentLevel }, query, headers }, context) {
    refuseTogether(query, "matchNumber", "start", "end");
    const event = await getEvent(context, season, eventCode);
    const asked = { ...query, tournamentLevel };
    return answerChanges(context, headers, {
      root: "MatchScores",
      key: `scores/${season}/${event.code}/${JSON.stringify(asked)}`,
      second: event.results_modified,
      async build(since) {
        const told = (await matchesFor(context, event, asked)).filter(
          ({ red, blue, details, resultModified }) =>
            (details !== null || red?.details || blue?.details) && resultModified > since,
        );
        return { body: { MatchScores: told.map(scoresViewOf) }, isEmpty: told.length === 0 };
      },
    });
  },
});

const listSchedule = operation({
  id: "robotics.schedule.list",
  summary: "Lists the schedule of an event",
  description: "Needs a `tournamentLevel` or a `teamNumber`. Includes matches that were played.",
  ...conditionally(shapes.ScheduleList),
  path: "/v3.0/{season}/schedule/{eventCode}",
  permission: "robotics:ReadSchedule",
  params: parameters.atEvent,
  query: parameters.scheduleQuery,
  errors: [errors.invalidSeason, errors.malformedParameter, errors.missingParameter, errors.invalidEvent],
  async handle({ params: { season, eventCode }, query, headers }, context) {
    if (query.tournamentLevel === undefined && query.teamNumber === undefined)
      throw errors.missingParameter("A tournamentLevel or a teamNumber is needed.");
    checkTeamNumber(season, query.teamNumber);
    const event = await getEvent(context, season, eventCode);
    return answerChanges(context, headers, {
      root: "Schedule",
      key: `schedule/${season}/${event.code}/${JSON.stringify(query)}`,
      second: event.schedule_modified,
      async build(since) {
        const planned = (await matchesFor(context, event, query)).filter(
          ({ scheduleModified }) => scheduleModified > since,
        );
        return { body: { Schedule: planned.map(scheduleViewOf) }, isEmpty: planned.length === 0 };
      },
    });
  },
});

const listHybrid = operation({
  id: "robotics.schedule.list-hybrid",
  summary: "Lists the schedule and results of an event's matches together",
  description: "Scores are null until a match was played.",
  ...conditionally(shapes.HybridSchedule),
  path: "/v3.0/{season}/schedule/{eventCode}/{tournamentLevel}/hybrid",
  permission: "robotics:ReadSchedule",
  params: parameters.atOneLevel,
  query: parameters.hybridQuery,
  errors: [errors.invalidSeason, errors.malformedParameter, errors.invalidEvent],
  tags: ["addition"],
  async handle({ params: { season, eventCode, tournamentLevel }, query, headers }, context) {
    const event = await getEvent(context, season, eventCode);
    const asked = { ...query, level: tournamentLevel };
    return answerChanges(context, headers, {
      root: "Schedule",
      key: `hybrid/${season}/${event.code}/${JSON.stringify(asked)}`,
      second: Math.max(event.schedule_modified, event.results_modified),
      async build(since) {
        const changed = (await matchesFor(context, event, {})).filter(
          ({ scheduleModified, resultModified }) => Math.max(scheduleModified, resultModified) > since,
        );
        const matches = hybridScheduleOf(changed, asked);
        return { body: { Schedule: matches }, isEmpty: matches.length === 0 };
      },
    });
  },
});

export const matchOperations = [listScores, listMatches, listSchedule, listHybrid];
