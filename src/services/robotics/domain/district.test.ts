/** District points by the published rules, and rankings made of them. */
import { describe, expect, it } from "vitest";
import { usualMs } from "../../../../tests/support/processor-time.ts";
import { alliancesOf, matchOf, playoffOf } from "../../../../tests/support/robotics-matches.ts";
import { type DistrictEventInput, eventPointsOf, totalOf } from "./district-events.ts";
import {
  allianceSelectionPoints,
  awardPoints,
  playoffAdvancementPoints,
  qualificationPoints,
  teamAgePoints,
} from "./district-points.ts";
import { districtRankingsOf } from "./district-rankings.ts";
import type { Match, RankingRow } from "./game.ts";
import { hybridScheduleOf } from "./hybrid-schedule.ts";
import { inverseErrorFunction } from "./inverse-error-function.ts";

describe("the inverse error function", () => {
  it.each([
    [0, 0],
    [0.1, 0.08885599049425769],
    [0.5, 0.4769362762044699],
    [-0.5, -0.4769362762044699],
    [0.9, 1.1630871536766743],
    [0.99, 1.8213863677184496],
  ])("of %f is %f", (y, x) => expect(inverseErrorFunction(y)).toBeCloseTo(x, 12));
});

describe("points for qualification", () => {
  const pointsOf = (teams: number) =>
    Array.from({ length: teams }, (_, index) => qualificationPoints(2024, "DistrictEvent", index + 1, teams));

  it("are 22 for the first of an event of any size, and 4 for the last of a usual one", () => {
    for (const teams of [12, 24, 32, 40, 48, 64, 100]) expect(pointsOf(teams)[0]).toBe(22);
    expect(pointsOf(36).at(-1)).toBe(4);
    expect(pointsOf(40).at(-1)).toBe(4);
  });
  it("fall with the rank, and are 12 in the middle", () => {
    const points = pointsOf(40);
    expect(points).toEqual([...points].sort((a, b) => b - a));
    expect(points[20]).toBe(12);
  });
  /** The formula with each side of the distribution looked up in a table of the normal distribution. */
  it.each([
    [1, 40, 22],
    [2, 40, 21],
    [11, 40, 16],
    [31, 40, 9],
    [40, 40, 4],
    [1, 60, 22],
    [30, 60, 13],
    [60, 60, 3],
  ])("for rank %i of %i are %i", (rank, teams, points) =>
    expect(qualificationPoints(2024, "DistrictEvent", rank, teams)).toBe(points),
  );
  it("count three times at a district's championship since 2014, and are 0 for ranks that are not there", () => {
    expect(qualificationPoints(2024, "DistrictChampionship", 1, 40)).toBe(66);
    expect(qualificationPoints(2024, "DistrictChampionshipDivision", 1, 40)).toBe(66);
    expect(qualificationPoints(2013, "DistrictChampionship", 1, 40)).toBe(22);
    expect(qualificationPoints(2024, "Regional", 1, 40)).toBe(22);
    expect(qualificationPoints(2024, "DistrictEvent", 41, 40)).toBe(0);
    expect(qualificationPoints(2024, "DistrictEvent", 0, 40)).toBe(0);
    expect(qualificationPoints(2024, "DistrictEvent", 1, 1)).toBe(22);
  });
});

describe("points for the selection of alliances", () => {
  it.each([
    // The manual's own examples: 14 for the captain of alliance 3, 12 for who accepts as fifth.
    [8, 3, "Captain", 14],
    [8, 5, "Round1", 12],
    [8, 2, "Captain", 15],
    [8, 1, "Round1", 16],
    [8, 8, "Round2", 8],
    [8, 1, "Round2", 1],
    [4, 4, "Round2", 12],
    [4, 1, "Round2", 9],
    [16, 1, "Captain", 16],
    [16, 16, "Round1", 8],
    [16, 16, "Round2", 8],
    [8, 1, "Round3", 0],
    [8, 1, "Backup", 0],
    [8, 1, "None", 0],
    [8, 9, "Captain", 0],
    [8, 0, "Captain", 0],
  ] as const)("with %i alliances for number %i as %s are %i", (alliances, number, role, points) => {
    expect(allianceSelectionPoints(2024, "DistrictEvent", alliances, number, role)).toBe(points);
    expect(allianceSelectionPoints(2015, "DistrictChampionship", 8, 3, "Captain")).toBe(42);
  });
  it("with sixteen alliances at a championship fall by one and a half from 48", () => {
    const of = (number: number, role: "Captain" | "Round2") =>
      allianceSelectionPoints(2015, "DistrictChampionship", 16, number, role);
    expect([1, 2, 3, 16].map((number) => of(number, "Captain"))).toEqual([48, 46, 45, 25]);
    expect([1, 2, 16].map((number) => of(number, "Round2"))).toEqual([1, 3, 24]);
  });
});

describe("points for the playoffs", () => {
  it("are five for each win of a set that was won", () => {
    expect(playoffAdvancementPoints(2018, "DistrictEvent", 2, 2, 2)).toBe(30);
    expect(playoffAdvancementPoints(2018, "DistrictChampionship", 2, 2, 0)).toBe(60);
    expect(playoffAdvancementPoints(2018, "DistrictEvent", 2, 1, 0)).toBe(15);
    expect(playoffAdvancementPoints(2018, "DistrictEvent", 9, -1, 0)).toBe(10);
  });
});

describe("points for awards and age", () => {
  it.each([
    ["District Chairman's Award", 10],
    ["FIRST Impact Award", 10],
    ["Engineering Inspiration Award", 8],
    ["Rookie All Star Award", 8],
    ["Quality Award sponsored by Motorola", 5],
    ["Judges' Award", 5],
    ["District Event Winner", 0],
    ["District Event Finalist", 0],
    ["FIRST Dean’s List Semi-Finalist Award", 0],
    ["Volunteer of the Year", 0],
    ["Woodie Flowers Finalist Award", 0],
    ["Industrial Safety Award sponsored by Underwriters Laboratories", 0],
    ["Highest Rookie Seed", 0],
  ])("for %s are %i", (name, points) => {
    expect(awardPoints(2024, "DistrictEvent", name)).toBe(points);
    expect(awardPoints(2024, "DistrictChampionship", name)).toBe(3 * points);
  });
  it("are ten for a rookie, five for a team in its second year", () => {
    expect([2026, 2025, 2024, 0].map((rookieYear) => teamAgePoints(2026, rookieYear))).toEqual([10, 5, 0, 0]);
  });
});

const row = (rank: number, teamNumber: number, wins = 0): RankingRow => ({
  rank,
  teamNumber,
  sortOrder1: 0,
  sortOrder2: 0,
  sortOrder3: 0,
  sortOrder4: 0,
  sortOrder5: 0,
  sortOrder6: 0,
  wins,
  losses: 0,
  ties: 1,
  qualAverage: 0,
  dq: 0,
  matchesPlayed: 12,
});
const eventOf = (input: Partial<DistrictEventInput>): DistrictEventInput => ({
  code: "ONE",
  type: "DistrictEvent",
  dateEnd: "2024-03-02",
  rankings: [],
  alliances: [],
  matches: [],
  awards: [],
  ...input,
});
const game = (
  round: "qf" | "sf" | "f",
  set: number,
  number: number,
  reds: number[],
  blues: number[],
  red: boolean,
) => playoffOf(number, { round, set, game: number }, { reds, blues, score: red ? [2, 1] : [1, 2] });

describe("an event's points", () => {
  it("for playoffs go to who was on the field when a match of a set was won", () => {
    const alliances = alliancesOf(2);
    const matches = [
      game("f", 1, 1, [11, 12, 13], [21, 22, 23], true),
      game("f", 1, 2, [11, 12, 13], [21, 22, 23], false),
      // 13 was replaced by 99, a robot of no alliance.
      game("f", 1, 3, [11, 12, 99], [21, 22, 23], true),
    ];
    const points = eventPointsOf(2018, eventOf({ alliances, matches }));
    expect([11, 12, 13, 99, 21].map((team) => points.get(team)?.playoff)).toEqual([10, 10, 5, 5, 0]);
  });
  it("are 30, 20, 13 and 7 in double elimination, shared by who played", () => {
    const alliances = alliancesOf(4);
    const one = (set: number, reds: number[], blues: number[]) =>
      playoffOf(set, { round: "sf", set, game: 1 }, { reds, blues, score: [2, 1] });
    const matches = [
      one(1, [11, 12, 13], [41, 42, 43]),
      one(2, [21, 22, 23], [31, 32, 33]),
      one(3, [41, 42, 99], [31, 32, 33]),
      one(4, [11, 12, 13], [21, 22, 23]),
      one(5, [21, 22, 23], [41, 42, 99]),
      game("f", 1, 1, [11, 12, 13], [21, 22, 23], true),
      game("f", 1, 2, [11, 12, 13], [21, 22, 23], true),
    ];
    const points = eventPointsOf(2023, eventOf({ alliances, matches }));
    expect([11, 21, 41, 43, 99, 31].map((team) => points.get(team)?.playoff)).toEqual([30, 20, 13, 5, 9, 7]);
  });
  it("of a champion are shared before the final, and in the final go to who won its matches", () => {
    // As published for an event of 2024: its champions replaced their third robot after one match of three.
    const alliances = alliancesOf(8);
    const sets: [number, number][] = [
      [1, 8],
      [2, 4],
      [3, 2],
      [4, 3],
    ];
    const rest = (index: number) => [11, 12, index === 0 ? 13 : 99];
    const one = (set: number, reds: number[], blues: number[]) =>
      playoffOf(set, { round: "sf", set, game: 1 }, { reds, blues, score: [2, 1] });
    const teams = (alliance: number) => [1, 2, 3].map((seat) => alliance * 10 + seat);
    const matches = [
      ...sets.map(([set, red]) =>
        set === 1
          ? one(1, rest(0), teams(8))
          : one(set, teams(red), teams(set === 2 ? 5 : set === 3 ? 7 : 6)),
      ),
      one(5, teams(8), teams(5)),
      one(6, teams(7), teams(6)),
      one(7, rest(1), teams(4)),
      one(8, teams(2), teams(3)),
      one(9, teams(4), teams(7)),
      one(10, teams(3), teams(8)),
      one(11, rest(2), teams(2)),
      one(12, teams(3), teams(4)),
      one(13, teams(2), teams(3)),
      game("f", 1, 1, rest(3), teams(2), true),
      game("f", 1, 2, rest(4), teams(2), true),
    ];
    const points = eventPointsOf(2024, eventOf({ alliances, matches }));
    const of = (...numbers: number[]) => numbers.map((team) => points.get(team)?.playoff);
    expect(of(11, 12, 13, 99)).toEqual([30, 30, 7, 24]);
    expect(of(21, 31, 41, 81)).toEqual([20, 13, 7, 0]);
  });
  it("for qualification were paid by match before 2015", () => {
    const points = eventPointsOf(2014, eventOf({ rankings: [row(1, 5, 9), row(2, 6, 3)] }));
    expect([5, 6].map((team) => points.get(team)?.qualification)).toEqual([19, 7]);
  });
  it("for selection are not paid again above divisions", () => {
    const above = eventOf({ type: "DistrictChampionshipWithLevels", alliances: alliancesOf(2) });
    expect(eventPointsOf(2024, above).get(11)).toBeUndefined();
  });
  it("are the sum of all four", () => {
    const points = eventPointsOf(
      2024,
      eventOf({
        rankings: [row(1, 11), row(2, 12)],
        alliances: alliancesOf(2),
        awards: [{ name: "Judges' Award", teamNumber: 11 }],
      }),
    ).get(11);
    expect(points && totalOf(points)).toBe(22 + 16 + 5);
  });
});

describe("a district's ranking", () => {
  const teams = [1, 2, 3].map((teamNumber) => ({ teamNumber, rookieYear: 2000, adjustmentPoints: 0 }));
  const places = { districtChampionship: 2, championship: 1 };
  const event = (code: string, dateEnd: string, order: number[], input: Partial<DistrictEventInput> = {}) =>
    eventOf({ code, dateEnd, rankings: order.map((team, index) => row(index + 1, team)), ...input });

  it("counts the first two events and the championship three times", () => {
    const events = [
      event("THREE", "2024-03-23", [1, 2, 3]),
      event("ONE", "2024-03-02", [1, 2, 3]),
      event("TWO", "2024-03-09", [1, 2, 3]),
      event("CMP", "2024-04-06", [1, 2], { type: "DistrictChampionship" }),
    ];
    const rows = districtRankingsOf(2024, "NE", teams, events, places);
    const first = qualificationPoints(2024, "DistrictEvent", 1, 3);
    expect(rows[0]).toEqual({
      districtCode: "NE",
      teamNumber: 1,
      rank: 1,
      totalPoints: 2 * first + 3 * 22,
      event1Code: "ONE",
      event1Points: first,
      event2Code: "TWO",
      event2Points: first,
      districtCmpCode: "CMP",
      districtCmpPoints: 66,
      teamAgePoints: 0,
      adjustmentPoints: 0,
      qualifiedDistrictCmp: true,
      qualifiedFirstCmp: true,
    });
    expect(rows[2]).toMatchObject({
      teamNumber: 3,
      districtCmpCode: null,
      districtCmpPoints: null,
      qualifiedDistrictCmp: false,
      qualifiedFirstCmp: false,
    });
  });
  it("adds age and adjustments, and has rows for teams that have not played", () => {
    const young = [
      { teamNumber: 7, rookieYear: 2024, adjustmentPoints: -3 },
      { teamNumber: 8, rookieYear: 2023, adjustmentPoints: 4 },
      { teamNumber: 9, rookieYear: 1997, adjustmentPoints: 0 },
    ];
    expect(
      districtRankingsOf(2024, "NE", young, [], places).map((one) => [
        one.teamNumber,
        one.totalPoints,
        one.event1Code,
        one.qualifiedDistrictCmp,
      ]),
    ).toEqual([
      [8, 9, null, false],
      [7, 7, null, false],
      [9, 0, null, false],
    ]);
  });
  it("breaks ties by playoffs before selection before qualification before scores", () => {
    const award = (teamNumber: number, count: number) =>
      Array.from({ length: count }, () => ({ name: "Judges' Award", teamNumber }));
    const final = (number: number) => game("f", 1, number, [11, 12, 13], [21, 22, 23], true);
    const tied = [11, 21, 31, 41].map((teamNumber) => ({ teamNumber, rookieYear: 0, adjustmentPoints: 0 }));
    const events = [
      eventOf({
        alliances: alliancesOf(2),
        matches: [final(1), final(2)],
        awards: [...award(31, 5), ...award(41, 5)],
      }),
      eventOf({ code: "TWO", dateEnd: "2024-04-01", awards: [...award(21, 2), ...award(31, 0)] }),
    ];
    const adjusted = tied.map((team) => ({
      ...team,
      adjustmentPoints: 26 - (districtRankingsOf(2018, "NE", [team], events, places)[0]?.totalPoints ?? 0),
    }));
    const rows = districtRankingsOf(2018, "NE", adjusted, events, places);
    expect(rows.map(({ teamNumber, totalPoints }) => [teamNumber, totalPoints])).toEqual([
      [11, 26],
      [21, 26],
      [31, 26],
      [41, 26],
    ]);
    const scores = [matchOf(1, { reds: [41], blues: [31], score: [90, 10] })];
    const withScores = districtRankingsOf(
      2018,
      "NE",
      adjusted,
      [...events, eventOf({ code: "X", matches: scores })],
      places,
    );
    expect(withScores.map(({ teamNumber }) => teamNumber)).toEqual([11, 21, 41, 31]);
  });
  it("of 200 teams takes less than 20 ms", () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      teamNumber: index + 1,
      rookieYear: 2000 + (index % 27),
      adjustmentPoints: 0,
    }));
    const events = Array.from({ length: 12 }, (_, at): DistrictEventInput => {
      const own = many
        .filter(({ teamNumber }) => (teamNumber * 7 + at) % 5 === 0)
        .map(({ teamNumber }) => teamNumber);
      const alliances = Array.from({ length: 8 }, (_, index) => ({
        number: index + 1,
        name: `Alliance ${index + 1}`,
        captain: own[index * 3] ?? 0,
        round1: own[index * 3 + 1] ?? 0,
        round2: own[index * 3 + 2] ?? 0,
        round3: null,
        backup: null,
        backupReplaced: null,
      }));
      const matches: Match[] = Array.from({ length: 80 }, (_, index) => {
        const team = (seat: number) => own[(index * 6 + seat) % own.length] ?? 0;
        return matchOf(index + 1, {
          reds: [team(0), team(1), team(2)],
          blues: [team(3), team(4), team(5)],
          score: [index, 80 - index],
        });
      });
      return eventOf({
        code: `E${at}`,
        dateEnd: `2024-03-${String(at + 10)}`,
        type: at === 11 ? "DistrictChampionship" : "DistrictEvent",
        rankings: own.map((teamNumber, index) => row(index + 1, teamNumber)),
        alliances,
        matches,
      });
    });
    const rounds = 40;
    const work = () => {
      for (let round = 0; round < rounds; round += 1) districtRankingsOf(2024, "NE", many, events, places);
    };
    work();
    const ms = usualMs(work);
    expect(ms / rounds).toBeLessThan(20);
  });
});

describe("the hybrid schedule", () => {
  it("has every match of its level by number, with scores where there are any", () => {
    const matches = [
      matchOf(2, { reds: [1], blues: [2] }),
      matchOf(1, { reds: [1], blues: [2], score: [9, 5] }),
      matchOf(3, { reds: [1], blues: [2] }),
      matchOf(1, { level: "Playoff", reds: [1], blues: [2] }),
    ];
    const rows = hybridScheduleOf(matches, { level: "Qualification" });
    expect(rows.map(({ matchNumber, scoreRedFinal }) => [matchNumber, scoreRedFinal])).toEqual([
      [1, 9],
      [2, null],
      [3, null],
    ]);
    expect(hybridScheduleOf(matches, { level: "Qualification", start: 2, end: 2 })).toHaveLength(1);
  });
});
