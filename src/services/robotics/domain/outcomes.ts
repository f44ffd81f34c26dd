/** Outcome and colours of a match. */
import type { AllianceScore, Match, MatchTeam } from "./game.ts";
import type { Outcome } from "./season-rules.ts";

export type Colour = "Red" | "Blue";
export type PlayedMatch = Match & { red: AllianceScore; blue: AllianceScore };

export const isPlayed = (match: Match): match is PlayedMatch => match.red !== null && match.blue !== null;

export const colourOf = ({ station }: MatchTeam): Colour => (station[0] === "R" ? "Red" : "Blue");

export function outcomeFor(own: AllianceScore, other: AllianceScore): Outcome {
  if (own.final === other.final) return "tie";
  return own.final > other.final ? "win" : "loss";
}

/** Undefined for a tie or an unplayed match. */
export function findWinner(match: Match): Colour | undefined {
  if (!isPlayed(match)) return undefined;
  const outcome = outcomeFor(match.red, match.blue);
  if (outcome === "tie") return undefined;
  return outcome === "win" ? "Red" : "Blue";
}

/** Of several results with the same number, the last counts. The others were replayed. */
export function resultsThatCount(matches: readonly Match[], level: Match["level"]): PlayedMatch[] {
  const byNumber = new Map<number, PlayedMatch>();
  for (const match of matches)
    if (match.level === level && isPlayed(match)) byNumber.set(match.matchNumber, match);
  return [...byNumber.values()].sort((a, b) => a.matchNumber - b.matchNumber);
}
