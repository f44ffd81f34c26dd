/** Schedule and results in one list. */
import type { Match, MatchTeam, TournamentLevel } from "./game.ts";

/** Member names are those of the public API. */
export type HybridMatch = {
  readonly description: string;
  readonly tournamentLevel: TournamentLevel;
  readonly matchNumber: number;
  readonly startTime: string | null;
  readonly actualStartTime: string | null;
  readonly postResultTime: string | null;
  readonly matchVideoLink: string | null;
  readonly scoreRedFinal: number | null;
  readonly scoreRedFoul: number | null;
  readonly scoreRedAuto: number | null;
  readonly scoreBlueFinal: number | null;
  readonly scoreBlueFoul: number | null;
  readonly scoreBlueAuto: number | null;
  readonly teams: readonly MatchTeam[];
};

/** By match number. `start` and `end` are inclusive. */
export function hybridScheduleOf(
  matches: readonly Match[],
  {
    level,
    start = 1,
    end = Number.POSITIVE_INFINITY,
  }: { level: TournamentLevel; start?: number; end?: number },
): HybridMatch[] {
  return matches
    .filter((match) => match.level === level && match.matchNumber >= start && match.matchNumber <= end)
    .sort((a, b) => a.matchNumber - b.matchNumber)
    .map(({ level: tournamentLevel, videoLink, red, blue, ...match }) => ({
      description: match.description,
      tournamentLevel,
      matchNumber: match.matchNumber,
      startTime: match.startTime,
      actualStartTime: match.actualStartTime,
      postResultTime: match.postResultTime,
      matchVideoLink: videoLink,
      scoreRedFinal: red?.final ?? null,
      scoreRedFoul: red?.foul ?? null,
      scoreRedAuto: red?.auto ?? null,
      scoreBlueFinal: blue?.final ?? null,
      scoreBlueFoul: blue?.foul ?? null,
      scoreBlueAuto: blue?.auto ?? null,
      teams: match.teams,
    }));
}
