/** Finds surrogates in records that do not mark them. */
import type { Match } from "./game.ts";
import { resultsThatCount } from "./outcomes.ts";

/** By rule, a surrogate's extra match is its third. */
const SURROGATE_MATCH = 3;

/**
 * If teams times rounds do not fill the last match, some teams play one extra match. The counts identify
 * these teams only if all have exactly one extra match and are fewer than the seats of a match.
 */
export function markSurrogates(matches: readonly Match[]): readonly Match[] {
  const qualification = resultsThatCount(matches, "Qualification");
  if (qualification.some(({ teams }) => teams.some(({ surrogate }) => surrogate))) return matches;
  const numbers = new Map<number, number[]>();
  for (const { teams, matchNumber } of qualification)
    for (const { teamNumber } of teams)
      numbers.set(teamNumber, [...(numbers.get(teamNumber) ?? []), matchNumber]);
  const rounds = Math.min(...[...numbers.values()].map(({ length }) => length));
  const extra = [...numbers].filter(([, played]) => played.length > rounds);
  if (extra.length === 0 || extra.some(([, played]) => played.length !== rounds + 1)) return matches;
  const seats = Math.max(...qualification.map(({ teams }) => teams.length));
  if (extra.length >= seats) return matches;
  const third = new Map(extra.map(([teamNumber, played]) => [teamNumber, played[SURROGATE_MATCH - 1]]));
  return matches.map((match) =>
    match.level !== "Qualification"
      ? match
      : {
          ...match,
          teams: match.teams.map((team) =>
            third.get(team.teamNumber) === match.matchNumber ? { ...team, surrogate: true } : team,
          ),
        },
  );
}
