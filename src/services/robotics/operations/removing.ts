/** Operations that remove wrong entries. A new import restores them. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { operationsFor } from "#kernel/operation";
import { errors } from "../errors.ts";
import type { RoboticsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { Tables } from "../tables.ts";
import * as shapes from "../wire/answers.ts";
import * as parameters from "../wire/parameters.ts";
import { always, checkSeason, entered, eventResource } from "./entering.ts";
import { pageOf } from "./paging.ts";
import { answerValue, checkTeamNumber, findSeason, getEvent, plainly } from "./reading.ts";

const operation = operationsFor<Tables, State>();

const removed = { method: "DELETE", ...entered } as const;

type Removed = { readonly kind: "event" | "team" | "match"; readonly name: string };
/** `work` returns the second of the last change of the removed record. */
async function remove(
  context: RoboticsContext,
  season: number,
  { kind, name }: Removed,
  work: (ledger: store.Ledger) => Promise<number>,
): Promise<undefined> {
  const { db, account, clock, principal } = context;
  checkSeason(context, season);
  await store.entering(db, account, clock.nowMs(), async (ledger) => {
    const second = await work(ledger);
    const removal = { season, kind, name, second, removed_by: principal.name, removed_at: clock.nowMs() };
    await store.keepRemoval(db, account, removal);
  });
  return undefined;
}
const tellWatchers = (context: RoboticsContext, season: number, code: string): void =>
  context.afterCommit(() => context.state.watchers.changed(`${context.account}/${season}/${code}`));

const removeEvent = operation({
  ...removed,
  id: "robotics.events.remove",
  summary: "Deletes an event with its matches, rankings, alliances and awards",
  description: "The removal is recorded in `robotics.removals.list`. A new import of the event restores it.",
  path: "/v3.0/{season}/events/{eventCode}",
  permission: "robotics:RemoveEvent",
  params: parameters.atEvent,
  errors: [...always, errors.invalidEvent],
  resource: eventResource,
  async handle({ params: { season, eventCode } }, context) {
    const { db, account } = context;
    const { code } = await getEvent(context, season, eventCode);
    tellWatchers(context, season, code);
    return remove(
      context,
      season,
      { kind: "event", name: code },
      async (ledger) => (await store.removeEvent(db, account, ledger, season, code)) ?? 0,
    );
  },
});

const removeTeam = operation({
  ...removed,
  id: "robotics.teams.remove",
  summary: "Deletes a team from a season",
  description:
    "Refused if it has matches, an alliance or awards. The removal is recorded in `robotics.removals.list`.",
  path: "/v3.0/{season}/teams/{teamNumber}",
  permission: "robotics:RemoveTeam",
  params: parameters.ofTeam,
  errors: [...always, errors.notThere, errors.notEntered],
  async handle({ params: { season, teamNumber } }, context) {
    const { db, account } = context;
    checkTeamNumber(season, teamNumber);
    if (!(await store.findTeam(db, account, season, teamNumber)))
      throw errors.notThere(`There is no team ${teamNumber} in the season ${season}.`);
    const event = await store.findEventWithTeam(db, account, season, teamNumber);
    if (event !== undefined)
      throw errors.notEntered(`Team ${teamNumber} has matches, an alliance or awards at the event ${event}.`);
    return remove(context, season, { kind: "team", name: String(teamNumber) }, async (ledger) => {
      await store.removeTeam(db, account, ledger, season, teamNumber);
      return 0;
    });
  },
});

const removeMatch = operation({
  ...removed,
  id: "robotics.matches.remove",
  summary: "Deletes a match with its result",
  description:
    "Ranking and public page follow immediately. The removal is recorded in `robotics.removals.list`.",
  path: "/v3.0/{season}/matches/{eventCode}/{tournamentLevel}/{matchNumber}",
  permission: "robotics:RemoveMatch",
  params: Type.Object({ ...parameters.atOneLevel.properties, matchNumber: parameters.MatchNumber }),
  errors: [...always, errors.invalidEvent, errors.notThere],
  resource: eventResource,
  async handle({ params: { season, eventCode, tournamentLevel: level, matchNumber: number } }, context) {
    const { db, account } = context;
    const { code: event } = await getEvent(context, season, eventCode);
    tellWatchers(context, season, event);
    const name = `${event}/${level}/${number}`;
    return remove(context, season, { kind: "match", name }, async (ledger) => {
      if (!(await store.removeMatchOfEvent(db, account, ledger, { season, event, level, number })))
        throw errors.notThere(`There is no match ${level} ${number} at the event ${event}.`);
      return 0;
    });
  },
});

const listRemovals = operation({
  id: "robotics.removals.list",
  summary: "Lists what was deleted from a season, newest first",
  description: "With the name of the caller and the time.",
  ...plainly(shapes.RemovalList),
  path: "/v3.0/{season}/removals",
  permission: "robotics:ReadRemovals",
  params: parameters.inSeason,
  query: parameters.removalsQuery,
  errors: [errors.invalidSeason, errors.malformedParameter],
  tags: ["addition"],
  async handle({ params: { season }, query, headers }, context) {
    await findSeason(context, season);
    const all = await store.listRemovals(context.db, context.account, season);
    const { rows, total, ...pages } = pageOf(all, query.page ?? 1);
    return answerValue(headers, "Removals", {
      removals: rows.map(({ kind, name, removed_by, removed_at }) => ({
        removed: kind,
        name,
        removedBy: removed_by,
        removedAt: isoOf(removed_at),
      })),
      removalCountTotal: total,
      removalCountPage: rows.length,
      ...pages,
    });
  },
});

export const removingOperations = [removeEvent, removeTeam, removeMatch, listRemovals];
