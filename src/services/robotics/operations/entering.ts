/** Operations that enter one resource at a time. Omitted members stay unchanged. */
import { type TSchema, Type } from "@sinclair/typebox";
import { noBody, type Operation, operationsFor } from "#kernel/operation";
import type { EventDocument } from "../domain/entries.ts";
import type { Alliance } from "../domain/game.ts";
import { canBeEntered, yearsAt } from "../domain/seasons.ts";
import { errors, inputError } from "../errors.ts";
import type { RoboticsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { Tables } from "../tables.ts";
import * as entries from "../wire/entries.ts";
import * as parameters from "../wire/parameters.ts";
import { checkTeamNumber, getEvent } from "./reading.ts";

const operation = operationsFor<Tables, State>();

/** Shared by all operations that enter data. Answers have no body, and policies can name the event. */
export const entered = {
  answers: { 204: noBody },
  inputError,
  tags: ["addition"],
} as const;
export const always = [errors.invalidSeason, errors.malformedParameter, errors.missingParameter];
export const eventResource = ({ params }: { params: { season: number; eventCode: string } }): string =>
  `robotics/${params.season}/${params.eventCode.toUpperCase()}`;

export function checkSeason({ clock }: RoboticsContext, season: number): void {
  const years = yearsAt(clock.nowMs());
  if (!canBeEntered(season, years))
    throw errors.invalidSeason(`Seasons from 1992 to ${years.maxSeason} can be entered.`);
}
async function enter(
  context: RoboticsContext,
  season: number,
  work: (ledger: store.Ledger) => Promise<void>,
): Promise<undefined> {
  checkSeason(context, season);
  await store.entering(context.db, context.account, context.clock.nowMs(), work);
  return undefined;
}
/** The event must exist. */
export async function enterAtEvent(
  context: RoboticsContext,
  season: number,
  document: EventDocument,
  options: store.DocumentOptions = {},
): Promise<undefined> {
  const { code } = await getEvent(context, season, document.eventCode);
  checkTeams(season, document);
  context.afterCommit(() => context.state.watchers.changed(`${context.account}/${season}/${code}`));
  return enter(context, season, (ledger) =>
    store.enterDocument(context.db, context.account, ledger, season, document, options),
  );
}
function checkTeams(season: number, { teams = [], matches = [] }: EventDocument): void {
  for (const team of teams) checkTeamNumber(season, team);
  for (const match of matches) {
    const numbers = match.teams?.map(({ teamNumber }) => teamNumber) ?? [];
    const stations = match.teams?.map(({ station }) => station) ?? [];
    for (const team of numbers) checkTeamNumber(season, team);
    if (new Set(numbers).size !== numbers.length || new Set(stations).size !== stations.length)
      throw errors.malformedParameter("A match has every team and every station once at the most.");
  }
}

async function checkDistrict(
  { db, account }: RoboticsContext,
  season: number,
  code: string | null | undefined,
): Promise<void> {
  if (code === null || code === undefined) return;
  const district = code.toUpperCase();
  if (!(await store.findDistrict(db, account, season, district)))
    throw errors.notEntered(`There is no district ${district} in the season ${season}; enter it first.`);
}
/** Each team occurs once and is registered at the event, if the event has a team list. */
async function checkAlliance(
  { db, account }: RoboticsContext,
  season: number,
  eventCode: string,
  { captain, round1, round2, round3, backup, backupReplaced }: Alliance,
): Promise<void> {
  const picked = [captain, round1, round2, round3].filter((team) => team !== null);
  const teams = [...picked, ...(backup === null ? [] : [backup])];
  if (new Set(teams).size !== teams.length)
    throw errors.malformedParameter("An alliance has every team once at the most.");
  if (backupReplaced !== null && !picked.includes(backupReplaced))
    throw errors.malformedParameter("backupReplaced is none of the alliance's teams.");
  const code = eventCode.toUpperCase();
  const coming = await store.listEventTeams(db, account, season, code);
  const stranger = coming.length > 0 && teams.find((team) => !coming.includes(team));
  if (stranger) throw errors.notEntered(`Team ${stranger} does not come to the event ${code}.`);
}

const putSeason = operation({
  ...entered,
  id: "robotics.seasons.put",
  summary: "Creates or replaces a season",
  description: "Enter it before its districts, teams and events.",
  method: "PUT",
  path: "/v3.0/{season}",
  permission: "robotics:EnterSeason",
  params: parameters.inSeason,
  body: entries.SeasonBody,
  errors: always,
  handle: ({ params: { season }, body }, context) =>
    enter(context, season, (ledger) => store.enterSeason(context.db, context.account, ledger, season, body)),
});

const putDistrict = operation({
  ...entered,
  id: "robotics.districts.put",
  summary: "Creates or replaces a district",
  description: "Teams and events refer to it by its code, so enter it first.",
  method: "PUT",
  path: "/v3.0/{season}/districts/{districtCode}",
  permission: "robotics:EnterDistrict",
  params: Type.Object({ season: parameters.Season, districtCode: parameters.DistrictCode }),
  body: entries.DistrictBody,
  errors: always,
  handle: ({ params: { season, districtCode }, body }, context) =>
    enter(context, season, (ledger) =>
      store.enterDistricts(context.db, context.account, ledger, season, [{ code: districtCode, ...body }]),
    ),
});

const putTeam = operation({
  ...entered,
  id: "robotics.teams.put",
  summary: "Creates or replaces a team with its avatar",
  description: "Its district must exist. The team belongs to this season only.",
  method: "PUT",
  path: "/v3.0/{season}/teams/{teamNumber}",
  permission: "robotics:EnterTeam",
  params: parameters.ofTeam,
  body: entries.TeamBody,
  errors: [...always, errors.notEntered],
  async handle({ params: { season, teamNumber }, body }, context) {
    checkTeamNumber(season, teamNumber);
    await checkDistrict(context, season, body.districtCode);
    return enter(context, season, (ledger) =>
      store.enterTeams(context.db, context.account, ledger, season, [{ teamNumber, ...body }]),
    );
  },
});

const putEvent = operation({
  ...entered,
  id: "robotics.events.put",
  summary: "Creates or replaces an event",
  description: "Its district must exist. Matches, teams and awards of an existing event stay.",
  method: "PUT",
  path: "/v3.0/{season}/events/{eventCode}",
  permission: "robotics:EnterEvent",
  params: parameters.atEvent,
  body: entries.EventBody,
  errors: [...always, errors.notEntered],
  resource: eventResource,
  async handle({ params: { season, eventCode }, body }, context) {
    await checkDistrict(context, season, body.districtCode);
    return enter(context, season, (ledger) =>
      store.enterDocument(context.db, context.account, ledger, season, { eventCode, event: body }),
    );
  },
});

type AtEvent = { season: number; eventCode: string };
/** An operation on a part of an existing event. */
function partOperation<P extends TSchema, B extends TSchema>(
  declared: Pick<Operation, "id" | "summary" | "path" | "permission"> & { readonly description?: string },
  params: P,
  body: B,
  handle: (input: { params: P["static"]; body: B["static"] }, context: RoboticsContext) => Promise<undefined>,
): Operation {
  return operation({
    ...entered,
    ...declared,
    method: "PUT",
    params,
    body,
    errors: [...always, errors.invalidEvent, errors.notEntered],
    resource: (input) => eventResource(input as { params: AtEvent }),
    handle: (input, context) => handle(input as { params: P["static"]; body: B["static"] }, context),
  });
}

const putEventTeams = partOperation(
  {
    id: "robotics.events.put-teams",
    summary: "Replaces the list of teams of an event",
    description: "Teams that are not in it leave the list; matches that they played stay.",
    path: "/v3.0/{season}/events/{eventCode}/teams",
    permission: "robotics:EnterEvent",
  },
  parameters.atEvent,
  entries.EventTeamsBody,
  ({ params: { season, eventCode }, body }, context) =>
    enterAtEvent(context, season, { eventCode, teams: body.teams }, { wholeTeams: true }),
);

/** A new schedule must not drop a played match. */
async function refuseForgetting(
  { db, account }: RoboticsContext,
  { season, eventCode, level, numbers }: AtEvent & { level: string; numbers: ReadonlySet<number> },
): Promise<void> {
  const matches = await store.listMatches(db, account, season, eventCode.toUpperCase());
  const forgotten = matches.find(
    (match) => match.level === level && match.red !== null && !numbers.has(match.matchNumber),
  );
  if (forgotten) throw errors.notEntered(`${forgotten.description} has a result and is not in the schedule.`);
}
const putSchedule = partOperation(
  {
    id: "robotics.schedule.put",
    summary: "Replaces the schedule of a tournament level",
    description:
      "Matches that are not in it are deleted, so it is refused if it lacks a match with a result. Numbers must be unique. The public page shows it immediately.",
    path: "/v3.0/{season}/schedule/{eventCode}/{tournamentLevel}",
    permission: "robotics:EnterSchedule",
  },
  parameters.atOneLevel,
  entries.ScheduleBody,
  async ({ params: { season, eventCode, tournamentLevel }, body }, context) => {
    const numbers = new Set(body.matches.map(({ matchNumber }) => matchNumber));
    if (numbers.size !== body.matches.length)
      throw errors.malformedParameter("Two matches of the schedule have the same number.");
    await getEvent(context, season, eventCode);
    await refuseForgetting(context, { season, eventCode, level: tournamentLevel, numbers });
    const matches = body.matches.map((match) => ({ ...match, tournamentLevel }));
    return enterAtEvent(context, season, { eventCode, matches }, { wholeLevel: tournamentLevel });
  },
);

const putMatch = partOperation(
  {
    id: "robotics.matches.put",
    summary: "Enters a match or its result",
    description:
      "Ranking, bracket and public page follow immediately. A team and a station can occur once in a match. Entering it again corrects the result.",
    path: "/v3.0/{season}/matches/{eventCode}/{tournamentLevel}/{matchNumber}",
    permission: "robotics:EnterResult",
  },
  Type.Object({ ...parameters.atOneLevel.properties, matchNumber: parameters.MatchNumber }),
  entries.MatchBody,
  ({ params: { season, eventCode, tournamentLevel, matchNumber }, body }, context) =>
    enterAtEvent(context, season, { eventCode, matches: [{ ...body, tournamentLevel, matchNumber }] }),
);

const putAlliance = partOperation(
  {
    id: "robotics.alliances.put",
    summary: "Enters a playoff alliance",
    description:
      "Each team occurs once and must be in the event's list of teams, if there is one. The bracket follows immediately.",
    path: "/v3.0/{season}/alliances/{eventCode}/{number}",
    permission: "robotics:EnterAlliance",
  },
  Type.Object({
    ...parameters.atEvent.properties,
    number: Type.Integer({ minimum: 1, maximum: 64, description: "The alliance's number.", examples: [1] }),
  }),
  entries.AllianceBody,
  async ({ params: { season, eventCode, number }, body }, context) => {
    const alliance = {
      number,
      name: body.name ?? `Alliance ${number}`,
      captain: body.captain,
      round1: body.round1 ?? null,
      round2: body.round2 ?? null,
      round3: body.round3 ?? null,
      backup: body.backup ?? null,
      backupReplaced: body.backupReplaced ?? null,
    };
    await checkAlliance(context, season, eventCode, alliance);
    return enterAtEvent(context, season, { eventCode, alliances: [alliance] });
  },
);

const putAward = partOperation(
  {
    id: "robotics.awards.put",
    summary: "Enters an award of an event",
    description:
      "A kind that the season's list lacks is added to the list. District rankings follow immediately.",
    path: "/v3.0/{season}/awards/event/{eventCode}/{awardId}/{series}",
    permission: "robotics:EnterAward",
  },
  Type.Object({
    ...parameters.atEvent.properties,
    awardId: Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description: "Which award, by its number in the season's list.",
      examples: [17],
    }),
    series: Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: "Which of several that are given of it.",
      examples: [1],
    }),
  }),
  entries.AwardBody,
  ({ params: { season, eventCode, awardId, series }, body }, context) =>
    enterAtEvent(context, season, { eventCode, awards: [{ awardId, series, ...body }] }),
);

export const enteringOperations = [
  putSeason,
  putDistrict,
  putTeam,
  putEvent,
  putEventTeams,
  putSchedule,
  putMatch,
  putAlliance,
  putAward,
];
