/** Parameters of read operations. An empty optional parameter counts as omitted. */
import { type TSchema, Type } from "@sinclair/typebox";
import { described, given, says, words } from "#kernel/shape";
import { ALLIANCE_ROLES, ALLIANCE_SIZES, type AllianceSizeType } from "../domain/district-points.ts";
import { TOURNAMENT_TYPES } from "../domain/game.ts";
import { errors } from "../errors.ts";

const optional = <T extends TSchema>(schema: T) => given(schema, { empty: true });
const NUMBER_MAX = 1_000_000;

export const Season = says(
  Type.Integer({
    minimum: 1000,
    maximum: 9999,
    description: "The season, by its year in four digits.",
    examples: [2024],
  }),
  "must be a year in four digits",
  errors.invalidSeason,
);
export const EventCode = Type.String({
  minLength: 2,
  maxLength: 20,
  pattern: "^[A-Za-z0-9]+$",
  description:
    "The event's code, in any case: three letters or digits at least, two of some old off-season events.",
  examples: ["CASJ"],
});
export const TeamNumber = Type.Integer({
  minimum: 1,
  maximum: 99_999,
  description: "The team's number: one to four digits, from 2025 on also five.",
  examples: [254],
});
export const DistrictCode = Type.String({
  minLength: 2,
  maxLength: 10,
  pattern: "^[A-Za-z0-9]+$",
  description: "The district's code, in any case.",
  examples: ["PNW"],
});
const Level = described(
  words(["None", "Practice", "Qualification", "Playoff", "Qual"]),
  "Which matches: None stands for all of them, Qual for Qualification.",
  "Qualification",
);
/** For operations that require a level. */
const OneLevel = described(
  words(["Practice", "Qualification", "Playoff"]),
  "Which of the event's tournaments.",
  "Qualification",
);
export const TournamentTypeWord = described(words(TOURNAMENT_TYPES), "The kind of event.", "DistrictEvent");
const integer = (description: string, example: number, minimum = 1) =>
  Type.Integer({ minimum, maximum: NUMBER_MAX, description, examples: [example] });

export const MatchNumber = integer("The match's number within its level.", 12);

export const inSeason = Type.Object({ season: Season });
export const atEvent = Type.Object({ season: Season, eventCode: EventCode });
export const ofTeam = Type.Object({ season: Season, teamNumber: TeamNumber });
export const ofTeamAtEvent = Type.Object({ season: Season, eventCode: EventCode, teamNumber: TeamNumber });
export const atLevel = Type.Object({ season: Season, eventCode: EventCode, tournamentLevel: Level });
export const atOneLevel = Type.Object({ season: Season, eventCode: EventCode, tournamentLevel: OneLevel });

const eventCode = optional(EventCode);
const teamNumber = optional(TeamNumber);
const districtCode = optional(DistrictCode);
const tournamentLevel = optional(Level);
const matchNumber = optional(MatchNumber);
const start = optional(integer("The lowest match number wanted.", 1, 0));
const end = optional(integer("The highest match number wanted.", 20, 0));
const top = optional(integer("So many of the best.", 10));
const page = optional(integer("Which page of a long list, the first being 1.", 1));

export const eventsQuery = Type.Object({
  eventCode,
  teamNumber,
  districtCode,
  excludeDistrict: optional(
    Type.Boolean({ description: "True leaves out the events of districts.", examples: [true] }),
  ),
  weekNumber: optional(integer("The week of the season, the first being 1.", 3, 0)),
  tournamentType: optional(TournamentTypeWord),
});
export const teamsQuery = Type.Object({
  teamNumber,
  eventCode,
  districtCode,
  state: optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The state or province, as teams spell it, in any case.",
      examples: ["Michigan"],
    }),
  ),
  page,
});
export const removalsQuery = Type.Object({ page });
export const avatarsQuery = Type.Object({ teamNumber, eventCode, page });
export const scoresQuery = Type.Object({ matchNumber, start, end });
export const matchesQuery = Type.Object({ tournamentLevel, teamNumber, matchNumber, start, end });
export const rankingsQuery = Type.Object({ teamNumber, top });
export const districtRankingsQuery = Type.Object({ districtCode, teamNumber, top, page });
export const scheduleQuery = Type.Object({ tournamentLevel, teamNumber, start, end });
export const hybridQuery = Type.Object({ start, end });

const RANK_MAX = 1000;
export const qualificationQuery = Type.Object({
  tournamentType: TournamentTypeWord,
  qualificationRank: Type.Integer({
    minimum: 1,
    maximum: RANK_MAX,
    description: "The team's rank after the qualification matches.",
    examples: [1],
  }),
  teamsAtEvent: Type.Integer({
    minimum: 1,
    maximum: RANK_MAX,
    description: "How many teams played at the event.",
    examples: [40],
  }),
});
const SIZE_TYPES = Object.keys(ALLIANCE_SIZES) as [AllianceSizeType, ...AllianceSizeType[]];
export const selectionQuery = Type.Object({
  tournamentType: TournamentTypeWord,
  sizeType: described(words(SIZE_TYPES), "How many alliances there are.", "EightAlliance"),
  allianceNumber: Type.Integer({
    minimum: 0,
    maximum: 16,
    description: "The alliance's number; 0 for a team in none.",
    examples: [1],
  }),
  allianceRole: described(words(ALLIANCE_ROLES), "What the team is in its alliance.", "Captain"),
});
const wins = (round: string) =>
  Type.Integer({ minimum: 0, maximum: 3, description: `Matches won in ${round}.`, examples: [2] });
export const advancementQuery = Type.Object({
  tournamentType: TournamentTypeWord,
  quarterFinalWins: wins("the quarter-finals"),
  semiFinalWins: wins("the semi-finals"),
  finalWins: wins("the finals"),
});

const dateHeader = (description: string) =>
  Type.Optional(Type.String({ maxLength: 100, description, examples: ["Sat, 02 Mar 2024 18:00:00 GMT"] }));
const accept = Type.Optional(
  Type.String({
    maxLength: 1000,
    description: "`application/xml` for XML instead of JSON.",
    examples: ["application/json"],
  }),
);
export const acceptHeader = Type.Object({ accept });
export const conditionalHeaders = Type.Object({
  accept,
  "if-modified-since": dateHeader("Answered by 304 where nothing has changed since."),
  "fms-onlymodifiedsince": dateHeader(
    "Answers only what has changed since, and 304 where nothing has. Not together with If-Modified-Since.",
  ),
});
