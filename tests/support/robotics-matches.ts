/** Matches as short as a test can say them. */
import type { Alliance, Match, PlayoffPlace } from "../../src/services/robotics/domain/game.ts";

type Said = Partial<Match> & {
  readonly reds: readonly number[];
  readonly blues: readonly number[];
  /** Red's, then blue's; left out where the match has not been played. */
  readonly score?: readonly [number, number];
  readonly surrogates?: readonly number[];
  readonly disqualified?: readonly number[];
  readonly redDetails?: Record<string, unknown>;
  readonly blueDetails?: Record<string, unknown>;
};

export function matchOf(matchNumber: number, said: Said): Match {
  const { reds, blues, score, surrogates = [], disqualified = [], redDetails, blueDetails, ...rest } = said;
  const seat = (colour: string) => (teamNumber: number, index: number) => ({
    teamNumber,
    station: `${colour}${index + 1}`,
    surrogate: surrogates.includes(teamNumber),
    dq: disqualified.includes(teamNumber),
  });
  return {
    level: "Qualification",
    matchNumber,
    description: `Qualification ${matchNumber}`,
    playoff: null,
    startTime: null,
    actualStartTime: null,
    postResultTime: null,
    videoLink: null,
    teams: [...reds.map(seat("Red")), ...blues.map(seat("Blue"))],
    red: score && { final: score[0], foul: null, auto: null, details: redDetails ?? null },
    blue: score && { final: score[1], foul: null, auto: null, details: blueDetails ?? null },
    ...rest,
    ...(score === undefined && { red: null, blue: null }),
  } as Match;
}

export const playoffOf = (matchNumber: number, playoff: PlayoffPlace, said: Said): Match =>
  matchOf(matchNumber, { level: "Playoff", description: `Playoff ${matchNumber}`, playoff, ...said });

/** Alliances 1 to `count` of three: alliance 3 is 31, 32 and 33. */
export const alliancesOf = (count: number): Alliance[] =>
  Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    name: `Alliance ${index + 1}`,
    captain: (index + 1) * 10 + 1,
    round1: (index + 1) * 10 + 2,
    round2: (index + 1) * 10 + 3,
    round3: null,
    backup: null,
    backupReplaced: null,
  }));
