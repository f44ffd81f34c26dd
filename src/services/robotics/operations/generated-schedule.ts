/** Generated schedules: balanced qualification matches by a worker, and playoff matches from the bracket. */
import { kernelErrors, operationsFor } from "#kernel/operation";
import { WorkerError } from "#kernel/workers";
import { bracketOf } from "../domain/bracket.ts";
import type { MatchEntry } from "../domain/entries.ts";
import type { TournamentLevel } from "../domain/game.ts";
import { findLocalTimeAfter } from "../domain/local-time.ts";
import { errors, inputError } from "../errors.ts";
import { type GeneratedSchedule, SCHEDULE_LIMITS, type ScheduledTeam } from "../scheduling/index.ts";
import type { RoboticsContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { Tables } from "../tables.ts";
import * as shapes from "../wire/generated-schedule.ts";
import * as parameters from "../wire/parameters.ts";
import { enterAtEvent } from "./entering.ts";
import { getEvent } from "./reading.ts";

const operation = operationsFor<Tables, State>();

type Place = {
  readonly season: number;
  readonly eventCode: string;
  readonly tournamentLevel: TournamentLevel;
};
type Wishes = (typeof shapes.ScheduleWishes)["static"];
type Made = {
  readonly matches: readonly MatchEntry[];
  readonly figures: GeneratedSchedule["figures"] | null;
};

const ALLIANCE_USUAL = 3;
const MINUTES_USUAL = 8;
/** The worker's timeout plus time to store the result. */
const TIMEOUT_SECONDS = 150;
const WAIT_SECONDS = "10";

const startOf = (
  { startTime, minutesPerMatch = MINUTES_USUAL }: Wishes,
  index: number,
): string | undefined =>
  startTime === undefined ? undefined : findLocalTimeAfter(startTime, index * minutesPerMatch);

const seatsOf = (colour: string, teams: readonly ScheduledTeam[]) =>
  teams.map((team, index) => ({ ...team, station: `${colour}${index + 1}`, dq: false }));

function checkSize(teams: number, { matchesPerTeam = 0, robotsPerAlliance = ALLIANCE_USUAL }: Wishes): void {
  const { teamsMax, matchesMax } = SCHEDULE_LIMITS;
  if (teams < 2 * robotsPerAlliance)
    throw errors.notEntered(`${teams} teams come to the event: too few for a match.`);
  if (teams > teamsMax || (teams * matchesPerTeam) / (2 * robotsPerAlliance) > matchesMax)
    throw errors.notEntered(`A schedule has ${teamsMax} teams and ${matchesMax} matches at the most.`);
}

/** For all teams of the event. */
async function qualificationMatches(context: RoboticsContext, place: Place, wishes: Wishes): Promise<Made> {
  const { matchesPerTeam, robotsPerAlliance: perAlliance, minimumGap, seed, effort } = wishes;
  if (matchesPerTeam === undefined) throw errors.missingParameter("matchesPerTeam is needed.");
  const { db, account, state } = context;
  const teamNumbers = await store.listEventTeams(db, account, place.season, place.eventCode.toUpperCase());
  checkSize(teamNumbers.length, wishes);
  const request = { teamNumbers, matchesPerTeam, perAlliance, minimumGap, seed, effort };
  const { matches, figures } = await state.scheduling.run(request).catch(explain);
  return {
    figures,
    matches: matches.map(({ matchNumber, red, blue }, index) => ({
      tournamentLevel: place.tournamentLevel,
      matchNumber,
      description: `${place.tournamentLevel} ${matchNumber}`,
      startTime: startOf(wishes, index),
      teams: [...seatsOf("Red", red), ...seatsOf("Blue", blue)],
    })),
  };
}

/** No worker is free, or the worker timed out on a busy machine. */
function explain(error: unknown): never {
  if (error instanceof WorkerError && (error.reason === "busy" || error.reason === "timedOut"))
    throw kernelErrors.unavailable(
      "The machine is too busy to make a schedule: try again, or with less effort.",
      {
        headers: { "retry-after": WAIT_SECONDS },
      },
    );
  throw error;
}

/** Pending matches of the bracket that are not scheduled yet. */
async function nextPlayoffMatches(
  { db, account }: RoboticsContext,
  { season, eventCode }: Place,
  wishes: Wishes,
): Promise<Made> {
  const code = eventCode.toUpperCase();
  const alliances = await store.listAlliances(db, account, season, code);
  if (alliances.length < 2) throw errors.notEntered("The event has no alliances yet.");
  const matches = await store.listMatches(db, account, season, code);
  const playoffs = matches.filter(({ level }) => level === "Playoff");
  return {
    figures: null,
    matches: bracketOf(season, alliances, playoffs).pending.map((pending, index) => ({
      tournamentLevel: "Playoff",
      startTime: startOf(wishes, index),
      ...pending,
    })),
  };
}

const generateSchedule = operation({
  id: "robotics.schedule.generate",
  summary: "Generates a schedule and enters it",
  description:
    "For practice and qualification: a balanced schedule for all teams of the event, computed in a worker thread, which replaces the present one unless it has results. For playoffs: the next matches of the bracket, besides the present ones. 503 if the machine is busy. The same `seed` gives the same schedule.",
  method: "PUT",
  path: "/v3.0/{season}/schedule/{eventCode}/{tournamentLevel}/generated",
  permission: "robotics:EnterSchedule",
  params: parameters.atOneLevel,
  body: shapes.ScheduleWishes,
  answers: { 200: shapes.GeneratedSchedule },
  errors: [
    errors.invalidSeason,
    errors.malformedParameter,
    errors.missingParameter,
    errors.invalidEvent,
    errors.notEntered,
  ],
  inputError,
  tags: ["addition"],
  transaction: "manual",
  timeoutSeconds: TIMEOUT_SECONDS,
  resource: ({ params: { season, eventCode } }) => `robotics/${season}/${eventCode.toUpperCase()}`,
  async handle({ params, body }, context) {
    const { season, eventCode, tournamentLevel } = params;
    await getEvent(context, season, eventCode);
    const isPlayoff = tournamentLevel === "Playoff";
    const { matches, figures } = isPlayoff
      ? await nextPlayoffMatches(context, params, body)
      : await qualificationMatches(context, params, body);
    await context.transact(async (inner) => {
      if (!isPlayoff) await refuseLosingResults(inner, params);
      await enterAtEvent(
        inner,
        season,
        { eventCode, matches },
        isPlayoff ? {} : { wholeLevel: tournamentLevel },
      );
    });
    return { matchesEntered: matches.length, figures };
  },
});

async function refuseLosingResults(
  { db, account }: RoboticsContext,
  { season, eventCode, tournamentLevel }: Place,
): Promise<void> {
  const matches = await store.listMatches(db, account, season, eventCode.toUpperCase());
  const played = matches.find(({ level, red }) => level === tournamentLevel && red !== null);
  if (played) throw errors.notEntered(`${played.description} has a result: its schedule stays.`);
}

export const generatedScheduleOperations = [generateSchedule];
