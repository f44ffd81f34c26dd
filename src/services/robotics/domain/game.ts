/** Types of a competition that all rules share. */

export const TOURNAMENT_LEVELS = ["Practice", "Qualification", "Playoff"] as const;
export type TournamentLevel = (typeof TOURNAMENT_LEVELS)[number];

export const TOURNAMENT_TYPES = [
  "None",
  "Regional",
  "DistrictEvent",
  "DistrictChampionship",
  "DistrictChampionshipWithLevels",
  "DistrictChampionshipDivision",
  "ChampionshipSubdivision",
  "ChampionshipDivision",
  "Championship",
  "OffSeason",
  "OffSeasonWithAzureSync",
] as const;
export type TournamentType = (typeof TOURNAMENT_TYPES)[number];

export type MatchTeam = {
  readonly teamNumber: number;
  /** `Red1` to `Blue4`. */
  readonly station: string;
  readonly surrogate: boolean;
  readonly dq: boolean;
};

export type AllianceScore = {
  readonly final: number;
  readonly foul: number | null;
  readonly auto: number | null;
  /** Score details of this alliance in this season, with member names of the public API. */
  readonly details: Readonly<Record<string, unknown>> | null;
};

export const PLAYOFF_ROUNDS = ["ef", "qf", "sf", "f"] as const;
export type PlayoffRound = (typeof PLAYOFF_ROUNDS)[number];
/**
 * Place in the bracket. Best of three has eighth-, quarter- and semifinals and finals. Replays continue the
 * game numbers. Double elimination has sets 1 to 13 in round `sf`, then the finals.
 */
export type PlayoffPlace = { readonly round: PlayoffRound; readonly set: number; readonly game: number };

/**
 * A scheduled match; it is played if both scores are set. Its number is unique within the level of the
 * event.
 */
export type Match = {
  readonly level: TournamentLevel;
  readonly matchNumber: number;
  readonly description: string;
  /** Only for playoff matches. */
  readonly playoff: PlayoffPlace | null;
  /** Local times without a zone, such as `2018-03-02T09:00:00`. */
  readonly startTime: string | null;
  readonly actualStartTime: string | null;
  readonly postResultTime: string | null;
  readonly videoLink: string | null;
  readonly teams: readonly MatchTeam[];
  readonly red: AllianceScore | null;
  readonly blue: AllianceScore | null;
  /** Score details of the match as a whole. */
  readonly details: Readonly<Record<string, unknown>> | null;
};

export type Alliance = {
  readonly number: number;
  readonly name: string;
  readonly captain: number;
  readonly round1: number | null;
  readonly round2: number | null;
  readonly round3: number | null;
  readonly backup: number | null;
  readonly backupReplaced: number | null;
};

/** Member names are those of the public API. */
export type RankingRow = {
  readonly rank: number;
  readonly teamNumber: number;
  readonly sortOrder1: number;
  readonly sortOrder2: number;
  readonly sortOrder3: number;
  readonly sortOrder4: number;
  readonly sortOrder5: number;
  readonly sortOrder6: number;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly qualAverage: number;
  readonly dq: number;
  readonly matchesPlayed: number;
};
