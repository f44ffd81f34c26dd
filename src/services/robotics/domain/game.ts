/** What a competition is made of, as every rule of this service sees it. */

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
  /** The season's own score object of this alliance, spelt as on the wire. */
  readonly details: Readonly<Record<string, unknown>> | null;
};

export const PLAYOFF_ROUNDS = ["ef", "qf", "sf", "f"] as const;
export type PlayoffRound = (typeof PLAYOFF_ROUNDS)[number];
/**
 * Where in the bracket. Best of three: octo-, quarter-, semi-finals and finals; replays of a tie go on counting games.
 * Double elimination: sets 1 to 13 of the round `sf`, then the finals.
 */
export type PlayoffPlace = { readonly round: PlayoffRound; readonly set: number; readonly game: number };

/** Scheduled; and played, where both scores are there. Its number is unique within its level of the event. */
export type Match = {
  readonly level: TournamentLevel;
  readonly matchNumber: number;
  readonly description: string;
  /** Of playoff matches alone. */
  readonly playoff: PlayoffPlace | null;
  /** Local times without a zone, as `2018-03-02T09:00:00`. */
  readonly startTime: string | null;
  readonly actualStartTime: string | null;
  readonly postResultTime: string | null;
  readonly videoLink: string | null;
  readonly teams: readonly MatchTeam[];
  readonly red: AllianceScore | null;
  readonly blue: AllianceScore | null;
  /** What the season's score entry says of the match as a whole, beside its alliances. */
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

/** Spelt as on the wire. */
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
