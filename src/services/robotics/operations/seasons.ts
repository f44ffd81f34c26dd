/** Operations for the API index, seasons, events and districts. */
import { Type } from "@sinclair/typebox";
import { anyone, finishedJson, operationsFor } from "#kernel/operation";
import { findWeekOf, gameNameOf, usualKickoffOf, yearsAt } from "../domain/seasons.ts";
import { errors } from "../errors.ts";
import type { RoboticsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { EventRow, SeasonRow, Tables } from "../tables.ts";
import * as shapes from "../wire/answers.ts";
import * as parameters from "../wire/parameters.ts";
import { eventViewOf } from "../wire/views.ts";
import * as reading from "./reading.ts";

const operation = operationsFor<Tables, State>();
const XML = "application/xml";
const VERSION = /^v?\d+(?:\.\d+)*(?:\/|$)/i;

async function indexOf({ db, clock }: RoboticsContext) {
  const isReachable = await store.isReachable(db);
  return {
    ...yearsAt(clock.nowMs()),
    name: "Robotics event statistics",
    apiVersion: "3.0",
    status: isReachable ? "normal" : "degraded",
  };
}

const getRoot = operation({
  id: "robotics.root.get",
  summary: "Returns the available seasons and the status of the service",
  description: "`currentSeason` is the one that clients should use first.",
  method: "GET",
  path: "/v3.0/",
  permission: anyone,
  headers: parameters.acceptHeader,
  answers: { 200: finishedJson(shapes.ApiIndex, XML) },
  handle: async ({ headers }, context) => reading.answerValue(headers, "ApiIndex", await indexOf(context)),
});

/** Fallback route. It distinguishes an unsupported version from an unknown path. */
const getElsewhere = operation({
  id: "robotics.elsewhere.get",
  summary: "Answers requests to unknown addresses",
  description:
    "The root without a version is answered like `robotics.root.get`; another version gives 400, every other address 501.",
  method: "GET",
  path: "/{address}",
  restOfPath: true,
  permission: anyone,
  params: Type.Object({
    address: Type.String({
      maxLength: 4096,
      description: "Empty; what follows the mount in an address that is refused.",
      examples: [""],
    }),
  }),
  headers: parameters.acceptHeader,
  answers: { 200: finishedJson(shapes.ApiIndex, XML) },
  errors: [errors.invalidVersion, errors.forbiddenCombination],
  tags: ["addition"],
  async handle({ params: { address }, headers }, context) {
    if (address === "") return reading.answerValue(headers, "ApiIndex", await indexOf(context));
    if (VERSION.test(address) && !/^v3\.0(?:\/|$)/.test(address))
      throw errors.invalidVersion("The only version is v3.0.");
    throw errors.forbiddenCombination("Nothing answers at this address.");
  },
});

const championshipsOf = ({ championships }: SeasonRow, events: readonly EventRow[]) =>
  championships !== null
    ? JSON.parse(championships)
    : events
        .filter(({ type }) => type === "Championship")
        .map(({ name, date_start, city, stateprov }) => ({
          name,
          startDate: date_start,
          location: [city, stateprov].filter((part) => part !== "").join(", "),
        }));

async function summaryOf({ db, account }: RoboticsContext, row: SeasonRow) {
  const { season } = row;
  const events = await store.listEvents(db, account, season);
  return {
    eventCount: events.length,
    gameName: row.game_name,
    kickoff: row.kickoff,
    rookieStart: row.rookie_start || (await store.lowestRookie(db, account, season)),
    teamCount: await store.countTeams(db, account, season),
    frcChampionships: championshipsOf(row, events),
  };
}

/** Summary of a season without data. */
const emptySummaryOf = (season: number) => ({
  eventCount: 0,
  gameName: gameNameOf(season),
  kickoff: usualKickoffOf(season),
  rookieStart: 0,
  teamCount: 0,
  frcChampionships: [],
});

const getSeason = operation({
  id: "robotics.seasons.get",
  summary: "Returns a season with its counts",
  description: "Counts of events and teams follow every entry immediately.",
  ...reading.conditionally(shapes.SeasonSummary),
  path: "/v3.0/{season}",
  permission: "robotics:ReadSeason",
  params: parameters.inSeason,
  errors: [errors.invalidSeason, errors.malformedParameter],
  async handle({ params: { season }, headers }, context) {
    const row = await reading.findSeason(context, season);
    return reading.answerChanges(context, headers, {
      root: "SeasonSummary",
      key: `summary/${season}`,
      second: row?.summary_modified ?? 0,
      build: async () => ({
        body: row ? await summaryOf(context, row) : emptySummaryOf(season),
        isEmpty: row === undefined,
      }),
    });
  },
});

/** Event types that define the first week. */
const COUNTED: ReadonlySet<string> = new Set(["Regional", "DistrictEvent"]);
const earliestOf = (events: readonly EventRow[]): string | null =>
  events
    .filter(({ type }) => COUNTED.has(type))
    .reduce<string | null>(
      (earliest, { date_start: date }) =>
        date !== null && (earliest === null || date < earliest) ? date : earliest,
      null,
    );

type EventsQuery = {
  readonly eventCode?: string;
  readonly teamNumber?: number;
  readonly districtCode?: string;
  readonly excludeDistrict?: boolean;
  readonly weekNumber?: number;
  readonly tournamentType?: string;
};
type WeekedEvent = { readonly event: EventRow; readonly week: number | undefined };
async function eventsFor(
  { db, account }: RoboticsContext,
  season: number,
  query: EventsQuery,
): Promise<WeekedEvent[]> {
  const all = await store.listEvents(db, account, season);
  const first = earliestOf(all);
  const attended =
    query.teamNumber === undefined
      ? undefined
      : new Set(await store.listEventsOfTeam(db, account, season, query.teamNumber));
  const code = query.eventCode?.toUpperCase();
  const district = query.districtCode?.toUpperCase();
  const weeked = all.map((event) => ({ event, week: findWeekOf(event.date_start, first) }));
  return weeked.filter(
    ({ event, week }) =>
      (code === undefined || event.code === code) &&
      (attended === undefined || attended.has(event.code)) &&
      (district === undefined || event.district === district) &&
      (query.excludeDistrict !== true || event.district === null) &&
      (query.weekNumber === undefined || week === query.weekNumber) &&
      (query.tournamentType === undefined || event.type === query.tournamentType),
  );
}

const listEvents = operation({
  id: "robotics.events.list",
  summary: "Lists the events of a season",
  description:
    "`eventCode` cannot be combined with other filters, nor `districtCode` with `excludeDistrict`. Weeks count from the season's first regional or district event. `If-Modified-Since` gives 304, and `FMS-OnlyModifiedSince` only the changes.",
  ...reading.conditionally(shapes.EventList),
  path: "/v3.0/{season}/events",
  permission: "robotics:ReadEvents",
  params: parameters.inSeason,
  query: parameters.eventsQuery,
  errors: [errors.invalidSeason, errors.malformedParameter, errors.forbiddenCombination],
  async handle({ params: { season }, query, headers }, context) {
    // False is the same as omitted.
    const excludeDistrict = query.excludeDistrict === true ? true : undefined;
    const asked = { ...query, excludeDistrict };
    reading.refuseTogether(
      asked,
      "eventCode",
      "teamNumber",
      "districtCode",
      "excludeDistrict",
      "weekNumber",
      "tournamentType",
    );
    reading.refuseTogether(asked, "districtCode", "excludeDistrict");
    const row = await reading.findSeasonFor(context, season, query);
    return reading.answerChanges(context, headers, {
      root: "EventList",
      key: `events/${season}/${JSON.stringify(query)}`,
      second: row?.events_modified ?? 0,
      async build(since) {
        const events = (await eventsFor(context, season, query)).filter(
          ({ event }) => event.modified > since,
        );
        return {
          body: {
            Events: events.map(({ event, week }) => eventViewOf(event, week)),
            eventCount: events.length,
          },
          isEmpty: events.length === 0,
        };
      },
    });
  },
});

const listDistricts = operation({
  id: "robotics.districts.list",
  summary: "Lists the districts of a season",
  description: "Empty for seasons without districts. Supports `If-Modified-Since`.",
  ...reading.conditionally(shapes.DistrictList),
  path: "/v3.0/{season}/districts",
  permission: "robotics:ReadDistricts",
  params: parameters.inSeason,
  errors: [errors.invalidSeason, errors.malformedParameter],
  async handle({ params: { season }, headers }, context) {
    const row = await reading.findSeason(context, season);
    return reading.answerChanges(context, headers, {
      root: "DistrictList",
      key: `districts/${season}`,
      second: row?.districts_modified ?? 0,
      async build(since) {
        const all = await store.listDistricts(context.db, context.account, season);
        const districts = all
          .filter(({ modified }) => modified > since)
          .map(({ code, name }) => ({ code, name }));
        return { body: { districts, districtCount: districts.length }, isEmpty: districts.length === 0 };
      },
    });
  },
});

export const seasonOperations = [getRoot, getSeason, listEvents, listDistricts, getElsewhere];
