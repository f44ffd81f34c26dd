/** Types of a bracket, for all playoff formats. */
import type { PlannedSet, Source } from "./bracket-plans.ts";
import type { Match, MatchTeam, PlayoffPlace } from "./game.ts";

/** A match that can be scheduled. */
export type PendingMatch = {
  readonly matchNumber: number;
  readonly description: string;
  readonly playoff: PlayoffPlace;
  readonly teams: readonly MatchTeam[];
};

export type Standing = { readonly alliance: number; readonly played: number; readonly average: number };

export type BracketKind = "bestOfThree" | "doubleElimination" | "averageScore";

export type BracketSet = Omit<PlannedSet, "red" | "blue"> & {
  /** Alliance numbers; null while unknown, or if the side stays empty. */
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
  /** Format of 2015 only: standings of each round before the final. */
  readonly standings: readonly { readonly name: string; readonly rows: readonly Standing[] }[];
  readonly champion: number | null;
  readonly finalist: number | null;
  /** Matches that can be scheduled now. */
  readonly pending: readonly PendingMatch[];
};
