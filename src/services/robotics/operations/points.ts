/** District points by the three public calculations. */
import type { Static, TSchema } from "@sinclair/typebox";
import { operationsFor } from "#kernel/operation";
import {
  ALLIANCE_SIZES,
  allianceSelectionPoints,
  playoffAdvancementPoints,
  qualificationPoints,
} from "../domain/district-points.ts";
import { errors } from "../errors.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";
import * as shapes from "../wire/answers.ts";
import * as parameters from "../wire/parameters.ts";
import { answerValue, findSeason, plainly } from "./reading.ts";

const operation = operationsFor<Tables, State>();

const calculation = <Query extends TSchema>(
  {
    id,
    summary,
    description,
    query,
  }: { readonly id: string; readonly summary: string; readonly description: string; readonly query: Query },
  name: string,
  pointsOf: (season: number, query: Static<Query>) => number,
) =>
  operation({
    id,
    summary,
    description,
    ...plainly(shapes.Points),
    path: `/v3.0/{season}/rankings/district/${name}`,
    permission: "robotics:ReadRankings",
    params: parameters.inSeason,
    query,
    errors: [errors.invalidSeason, errors.malformedParameter, errors.missingParameter],
    async handle({ params: { season }, query: asked, headers }, context) {
      await findSeason(context, season);
      return answerValue(headers, "points", pointsOf(season, asked as Static<Query>));
    },
  });

export const pointOperations = [
  calculation(
    {
      id: "robotics.points.qualification",
      summary: "Calculates district points for a qualification rank",
      description: "Calculates only; it needs no entered event. The rules depend on the season.",
      query: parameters.qualificationQuery,
    },
    "qualPerformanceCalculation",
    (season, { tournamentType, qualificationRank, teamsAtEvent }) => {
      if (qualificationRank > teamsAtEvent)
        throw errors.malformedParameter("qualificationRank is higher than teamsAtEvent.");
      return qualificationPoints(season, tournamentType, qualificationRank, teamsAtEvent);
    },
  ),
  calculation(
    {
      id: "robotics.points.alliance-selection",
      summary: "Calculates district points for a place in an alliance",
      description: "Calculates only; it needs no entered event. The rules depend on the season.",
      query: parameters.selectionQuery,
    },
    "allianceSelectionCalculation",
    (season, { tournamentType, sizeType, allianceNumber, allianceRole }) => {
      const alliances = ALLIANCE_SIZES[sizeType];
      if (allianceNumber > alliances)
        throw errors.malformedParameter(`allianceNumber is higher than ${sizeType} has alliances.`);
      return allianceSelectionPoints(season, tournamentType, alliances, allianceNumber, allianceRole);
    },
  ),
  calculation(
    {
      id: "robotics.points.playoff-advancement",
      summary: "Calculates district points for playoff wins",
      description: "Calculates only; it needs no entered event. The rules depend on the season.",
      query: parameters.advancementQuery,
    },
    "playoffAdvancementCalculation",
    (season, { tournamentType, quarterFinalWins, semiFinalWins, finalWins }) =>
      playoffAdvancementPoints(season, tournamentType, quarterFinalWins, semiFinalWins, finalWins),
  ),
];
