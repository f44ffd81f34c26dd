/** What a bracket is, whichever way alliances advance in it. */
import type { PlannedSet, Source } from "./bracket-plans.ts";
import type { Match, MatchTeam, PlayoffPlace } from "./game.ts";

/** What can be put on the schedule. */
export type PendingMatch = {
  readonly matchNumber: number;
  readonly description: string;
  readonly playoff: PlayoffPlace;
  readonly teams: readonly MatchTeam[];
};

export type Standing = { readonly alliance: number; readonly played: number; readonly average: number };

export type BracketKind = "bestOfThree" | "doubleElimination" | "averageScore";

export type BracketSet = Omit<PlannedSet, "red" | "blue"> & {
  /** Numbers of alliances; null where it is not known yet, or nobody comes. */
  readonly red: number | null;
  readonly blue: number | null;
  readonly redFrom: Source;
  readonly blueFrom: Source;
  readonly redWins: number;
  readonly blueWins: number;
  readonly winner: number | null;
  readonly loser: number | null;
  readonly games: readonly Match[];
};

export type Bracket = {
  readonly kind: BracketKind;
  readonly sets: readonly BracketSet[];
  /** Where averages decided, as in 2015: who stood where in each round but the final. */
  readonly standings: readonly { readonly name: string; readonly rows: readonly Standing[] }[];
  readonly champion: number | null;
  readonly finalist: number | null;
  /** What can be put on the schedule now. */
  readonly pending: readonly PendingMatch[];
};
