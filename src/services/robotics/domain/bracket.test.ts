/** Brackets advance from results: best of three, double elimination, and the averages of 2015. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alliancesOf, matchOf, playoffOf } from "../../../../tests/support/robotics-matches.ts";
import { bracketOf } from "./bracket.ts";
import type { Bracket, PendingMatch } from "./bracket-shape.ts";
import type { Alliance, Match } from "./game.ts";
import { colourOf } from "./outcomes.ts";

/** What is pending, as `place: red-blue`. */
const next = ({ pending }: Bracket) =>
  pending.map(({ playoff: { round, set, game }, teams }) => {
    const alliance = (colour: string) =>
      Math.floor((teams.find((team) => colourOf(team) === colour)?.teamNumber ?? 0) / 10);
    return `${round}${set}m${game}: ${alliance("Red")}-${alliance("Blue")}`;
  });

const playedFrom = ({ matchNumber, playoff, teams }: PendingMatch, score?: [number, number]): Match => {
  const numbers = (colour: string) =>
    teams.filter((team) => colourOf(team) === colour).map(({ teamNumber }) => teamNumber);
  return playoffOf(matchNumber, playoff, { reds: numbers("Red"), blues: numbers("Blue"), score });
};

/** Plays on until nothing is pending; `redScore` says who wins. */
function playAll(
  season: number,
  alliances: readonly Alliance[],
  scoreOf: (pending: PendingMatch, played: number) => [number, number],
): { bracket: Bracket; matches: Match[] } {
  const matches: Match[] = [];
  for (;;) {
    const bracket = bracketOf(season, alliances, matches);
    if (bracket.pending.length === 0) return { bracket, matches };
    expect(matches.length).toBeLessThan(200);
    for (const pending of bracket.pending)
      matches.push(playedFrom(pending, scoreOf(pending, matches.length)));
  }
}
/** The alliance of the lower number wins. */
const favourite = ({ teams }: PendingMatch): [number, number] =>
  (teams[0]?.teamNumber ?? 0) < (teams.at(-1)?.teamNumber ?? 0) ? [2, 1] : [1, 2];

describe("best of three", () => {
  it("begins with 1-8, 4-5, 2-7 and 3-6", () => {
    const bracket = bracketOf(2018, alliancesOf(8), []);
    expect(bracket.kind).toBe("bestOfThree");
    expect(next(bracket)).toEqual(["qf1m1: 1-8", "qf2m1: 4-5", "qf3m1: 2-7", "qf4m1: 3-6"]);
    expect(bracket.pending[0]).toMatchObject({ matchNumber: 1, description: "Quarterfinal 1 Match 1" });
    expect(bracket.pending[0]?.teams.map(({ teamNumber, station }) => [station, teamNumber])).toEqual([
      ["Red1", 12],
      ["Red2", 11],
      ["Red3", 13],
      ["Blue1", 82],
      ["Blue2", 81],
      ["Blue3", 83],
    ]);
  });
  it("needs two wins, and plays a tie again", () => {
    const alliances = alliancesOf(2);
    const final = (game: number, score: [number, number]) =>
      playoffOf(18 + game, { round: "f", set: 1, game }, { reds: [11, 12, 13], blues: [21, 22, 23], score });
    expect(next(bracketOf(2018, alliances, [final(1, [9, 5])]))).toEqual(["f1m2: 1-2"]);
    const tied = bracketOf(2018, alliances, [final(1, [9, 5]), final(2, [5, 5])]);
    expect(next(tied)).toEqual(["f1m3: 1-2"]);
    expect(tied.champion).toBeNull();
    const over = bracketOf(2018, alliances, [final(1, [9, 5]), final(2, [5, 5]), final(3, [7, 6])]);
    expect(over).toMatchObject({ champion: 1, finalist: 2, pending: [] });
    expect(over.sets[0]).toMatchObject({ redWins: 2, blueWins: 0, winner: 1, loser: 2 });
  });
  it("waits for what is on the schedule", () => {
    const waiting = playoffOf(19, { round: "f", set: 1, game: 1 }, { reds: [11], blues: [21] });
    expect(bracketOf(2018, alliancesOf(2), [waiting]).pending).toEqual([]);
  });
  it("lets the better seed win if it always does, in 14 matches", () => {
    const { bracket, matches } = playAll(2018, alliancesOf(8), favourite);
    expect([bracket.champion, bracket.finalist, matches.length]).toEqual([1, 2, 14]);
    expect(new Set(matches.map(({ matchNumber }) => matchNumber)).size).toBe(14);
  });
  it("has byes for six, eighth-finals for sixteen, and only a final for two", () => {
    const six = bracketOf(2018, alliancesOf(6), []);
    expect(next(six)).toEqual(["qf2m1: 4-5", "qf4m1: 3-6"]);
    expect(six.sets[0]).toMatchObject({ red: 1, blue: null, winner: 1 });
    expect(playAll(2018, alliancesOf(6), favourite).bracket).toMatchObject({ champion: 1, finalist: 2 });
    expect(next(bracketOf(2014, alliancesOf(16), []))).toHaveLength(8);
    expect(playAll(2014, alliancesOf(16), favourite).bracket.champion).toBe(1);
  });
  it("seats a backup where the replaced team stood", () => {
    const [first, second] = alliancesOf(2) as [Alliance, Alliance];
    const bracket = bracketOf(2018, [{ ...first, backup: 99, backupReplaced: 12 }, second], []);
    expect(bracket.pending[0]?.teams.slice(0, 3).map(({ teamNumber }) => teamNumber)).toEqual([99, 11, 13]);
  });
});

describe("double elimination", () => {
  it("lets whoever lost once play on below", () => {
    const { bracket, matches } = playAll(2023, alliancesOf(8), favourite);
    expect(bracket.kind).toBe("doubleElimination");
    expect([bracket.champion, bracket.finalist, matches.length]).toEqual([1, 2, 15]);
    const met = Object.fromEntries(bracket.sets.map(({ key, red, blue }) => [key, `${red}-${blue}`]));
    expect(met).toEqual({
      sf1: "1-8",
      sf2: "4-5",
      sf3: "2-7",
      sf4: "3-6",
      sf5: "8-5",
      sf6: "7-6",
      sf7: "1-4",
      sf8: "2-3",
      sf9: "4-6",
      sf10: "3-5",
      sf11: "1-2",
      sf12: "3-4",
      sf13: "2-3",
      f1: "1-2",
    });
    expect(matches.map(({ matchNumber }) => matchNumber).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 15 }, (_, index) => index + 1),
    );
  });
  it("puts on the schedule what can be played", () => {
    const first = bracketOf(2024, alliancesOf(8), []);
    expect(next(first)).toEqual(["sf1m1: 1-8", "sf2m1: 4-5", "sf3m1: 2-7", "sf4m1: 3-6"]);
    expect(first.pending[0]?.description).toBe("Match 1 (Round 1)");
    const played = first.pending.slice(0, 2).map((pending) => playedFrom(pending, [1, 2]));
    expect(next(bracketOf(2024, alliancesOf(8), played))).toEqual([
      "sf3m1: 2-7",
      "sf4m1: 3-6",
      "sf5m1: 1-4",
      "sf7m1: 8-5",
    ]);
  });
  it("has a smaller plan for four, and byes for seven", () => {
    expect(playAll(2023, alliancesOf(4), favourite).bracket).toMatchObject({ champion: 1, finalist: 2 });
    const seven = playAll(2023, alliancesOf(7), favourite);
    expect(seven.bracket).toMatchObject({ champion: 1, finalist: 2 });
    expect(seven.bracket.sets.filter(({ games }) => games.length > 0)).toHaveLength(12);
  });
  it("ends for every course of events with a champion who lost at most once before the final", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.boolean()), fc.integer({ min: 2, max: 8 }), (redWins, count) => {
        const { bracket } = playAll(2025, alliancesOf(count), () => (redWins.next().value ? [1, 0] : [0, 1]));
        expect(bracket.champion).not.toBeNull();
        const losses = bracket.sets.slice(0, -1).filter(({ loser }) => loser === bracket.champion).length;
        expect(losses).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });
  it("reads off who won a tie that was not replayed", () => {
    const round = bracketOf(2023, alliancesOf(4), []).pending;
    const [first, second] = round as [PendingMatch, PendingMatch];
    const tied = [playedFrom(first, [3, 3]), playedFrom(second, [2, 1])];
    expect(next(bracketOf(2023, alliancesOf(4), tied))).toEqual(["sf1m2: 1-4"]);
    const later = playoffOf(4, { round: "sf", set: 4, game: 1 }, { reds: [41], blues: [21], score: [1, 0] });
    const bracket = bracketOf(2023, alliancesOf(4), [...tied, later]);
    expect(bracket.sets[0]).toMatchObject({ winner: 4, loser: 1 });
    expect(next(bracket)).toEqual(["sf3m1: 1-3"]);
  });
});

describe("a bracket", () => {
  it("goes by what was played before it goes by the season", () => {
    const quarterfinal = playoffOf(2, { round: "qf", set: 2, game: 1 }, { reds: [41], blues: [51] });
    expect(bracketOf(2024, alliancesOf(8), [quarterfinal]).kind).toBe("bestOfThree");
    const seventh = playoffOf(7, { round: "sf", set: 7, game: 1 }, { reds: [11], blues: [41] });
    expect(bracketOf(2019, alliancesOf(8), [seventh]).kind).toBe("doubleElimination");
  });
  it("is empty of alliances and harmless without them", () => {
    const bracket = bracketOf(
      2024,
      [],
      [matchOf(1, { level: "Playoff", reds: [1], blues: [2], score: [1, 0] })],
    );
    expect(bracket).toMatchObject({ champion: null, pending: [] });
  });
});

describe("averages, in 2015", () => {
  it("decide who advances until the final", () => {
    const { bracket, matches } = playAll(2015, alliancesOf(8), ({ teams }) => {
      const strength = (index: number) => 200 - (teams.at(index)?.teamNumber ?? 0);
      return [strength(0), strength(-1)];
    });
    expect(bracket.kind).toBe("averageScore");
    expect(matches.filter(({ playoff }) => playoff?.round === "qf")).toHaveLength(8);
    expect(matches.filter(({ playoff }) => playoff?.round === "sf")).toHaveLength(6);
    expect(bracket.standings[0]?.rows.map(({ alliance, played }) => [alliance, played])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((alliance) => [alliance, 2]),
    );
    expect(bracket.standings[1]?.rows.map(({ alliance }) => alliance)).toEqual([1, 2, 3, 4]);
    expect([bracket.champion, bracket.finalist]).toEqual([1, 2]);
  });
  it("begin with eighth-finals among sixteen, of which the best eight go on", () => {
    const eighth = Array.from({ length: 16 }, (_, at) => {
      const pair = [(at % 8) + 1, 16 - (at % 8)] as const;
      return playoffOf(
        41 + at,
        { round: "ef", set: 1, game: at + 1 },
        {
          reds: [pair[0] * 10],
          blues: [pair[1] * 10],
          score: [200 - pair[0], 200 - pair[1]],
        },
      );
    });
    const bracket = bracketOf(2015, alliancesOf(16), eighth);
    expect([bracket.kind, bracket.sets[0]?.label, bracket.standings[0]?.name]).toEqual([
      "averageScore",
      "Eighthfinal 1",
      "Eighthfinals",
    ]);
    expect(next(bracket)[0]).toBe("qf1m1: 4-5");
    const unplayed = playoffOf(57, { round: "ef", set: 1, game: 17 }, { reds: [10], blues: [160] });
    expect(bracketOf(2015, alliancesOf(16), [...eighth, unplayed]).pending).toEqual([]);
  });
  it("decide among eight alliances alone", () => {
    expect(bracketOf(2015, alliancesOf(6), []).kind).toBe("bestOfThree");
  });
});
