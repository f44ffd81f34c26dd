/** Rankings under each family of rules, and what surrogates, disqualified teams and replays count. */
import { describe, expect, it } from "vitest";
import { usualMs } from "../../../../tests/support/processor-time.ts";
import { matchOf } from "../../../../tests/support/robotics-matches.ts";
import { averageOf, rankingsOf } from "./rankings.ts";
import { seasonRuleOf, seasonRules } from "./season-rules.ts";
import { highestScoresOf, teamStatisticsOf } from "./statistics.ts";
import { markSurrogates } from "./surrogates.ts";

const firstOf = (season: number, matches: Parameters<typeof rankingsOf>[1]) =>
  Object.fromEntries(rankingsOf(season, matches).map((row) => [row.teamNumber, row.sortOrder1]));

const redWins = [matchOf(1, { reds: [1, 2], blues: [3, 4], score: [30, 10] })];
const tie = [matchOf(1, { reds: [1, 2], blues: [3, 4], score: [20, 20] })];

describe("a season's rule", () => {
  it.each([
    [1992, 2, 0, 1],
    [1999, 30, 10, 60],
    [2000, 30, 10, 60],
    [2001, 30, 10, 20],
    [2002, 30, 10, 60],
    [2003, 50, 10, 60],
    [2004, 2, 0, 1],
    [2009, 2, 0, 1],
    [2010, 55, 30, 60],
    [2011, 2, 0, 1],
    [2012, 2, 0, 1],
    [2013, 2, 0, 1],
    [2014, 2, 0, 1],
    [2015, 30, 10, 20],
    [2016, 2, 0, 1],
    [2018, 2, 0, 1],
    [2024, 2, 0, 1],
    [2025, 3, 0, 1],
    [2026, 3, 0, 1],
    [2030, 3, 0, 1],
  ])("of %i gives the winner %i, the loser %i and each after a tie %i", (season, won, lost, tied) => {
    expect(firstOf(season, redWins)).toEqual({ 1: won, 2: won, 3: lost, 4: lost });
    expect(firstOf(season, tie)).toEqual({ 1: tied, 2: tied, 3: tied, 4: tied });
  });

  it("is there for every season, in order, with its source", () => {
    expect(seasonRules.map(({ since }) => since)).toEqual(
      [...seasonRules].map(({ since }) => since).sort((a, b) => a - b),
    );
    for (const { sortOrders, source } of seasonRules) {
      expect(sortOrders.length).toBeGreaterThan(0);
      expect(sortOrders.length).toBeLessThanOrEqual(6);
      expect(source).not.toBe("");
    }
    expect(seasonRuleOf(1850)).toBe(seasonRules[0]);
  });

  it("breaks ties by the loser's score from 2004 to 2011, but not in 2010", () => {
    const matches = [
      matchOf(1, { reds: [1], blues: [2], score: [50, 40] }),
      matchOf(2, { reds: [3], blues: [4], score: [90, 10] }),
    ];
    expect(rankingsOf(2008, matches).map(({ teamNumber }) => teamNumber)).toEqual([1, 3, 2, 4]);
    expect(rankingsOf(2008, matches)[0]).toMatchObject({ sortOrder1: 2, sortOrder2: 40, sortOrder3: 50 });
  });

  it("adds the bonuses that the details tell of, and believes their sum where they tell only that", () => {
    const matches = [
      matchOf(1, {
        reds: [1],
        blues: [2],
        score: [300, 200],
        redDetails: { autoQuestRankingPoint: true, faceTheBossRankingPoint: false, endgamePoints: 60 },
        blueDetails: { autoQuestRankingPoint: true, faceTheBossRankingPoint: true, vaultPoints: 45 },
      }),
      matchOf(2, { reds: [3], blues: [4], score: [300, 200], redDetails: { rp: 4 }, blueDetails: { rp: 0 } }),
    ];
    const rows = rankingsOf(2018, matches);
    expect(rows.map(({ teamNumber, sortOrder1 }) => [teamNumber, sortOrder1])).toEqual([
      [3, 4],
      [1, 3],
      [2, 2],
      [4, 0],
    ]);
    expect(rows[1]).toMatchObject({ sortOrder2: 60, sortOrder5: 0 });
    expect(rows[2]).toMatchObject({ sortOrder2: 0, sortOrder5: 45 });
  });

  it("reads members of members, and takes nothing from details of another kind", () => {
    const details = { hubScore: { autoPoints: 12 }, totalTowerPoints: "many", foulPoints: 5 };
    const rows = rankingsOf(2026, [
      matchOf(1, {
        reds: [1],
        blues: [2],
        score: [105, 0],
        redDetails: details,
        blueDetails: { hubScore: 7 },
      }),
    ]);
    expect(rows[0]).toMatchObject({ sortOrder1: 3, sortOrder2: 100, sortOrder3: 12, sortOrder4: 0 });
    expect(rows[1]).toMatchObject({ sortOrder1: 0, sortOrder3: 0 });
  });
});

describe("a ranking", () => {
  it("counts nothing of a surrogate's match", () => {
    const rows = rankingsOf(2018, [
      matchOf(1, { reds: [1], blues: [2], score: [9, 5] }),
      matchOf(2, { reds: [1], blues: [3], score: [0, 5], surrogates: [1] }),
    ]);
    expect(rows.find(({ teamNumber }) => teamNumber === 1)).toMatchObject({
      wins: 1,
      losses: 0,
      matchesPlayed: 1,
      qualAverage: 9,
    });
  });
  it("counts a disqualified team's match as played and as nothing else", () => {
    const [first, ...others] = rankingsOf(2013, [
      matchOf(1, { reds: [1, 2], blues: [3, 4], score: [9, 5], disqualified: [2] }),
    ]);
    expect(first?.teamNumber).toBe(1);
    expect(others.find(({ teamNumber }) => teamNumber === 2)).toMatchObject({
      sortOrder1: 0,
      wins: 0,
      losses: 0,
      ties: 0,
      dq: 1,
      matchesPlayed: 1,
    });
  });
  it("counts the last result of a match that was replayed", () => {
    const rows = rankingsOf(2013, [
      matchOf(1, { reds: [1], blues: [2], score: [9, 5] }),
      matchOf(1, { reds: [1], blues: [2], score: [4, 5] }),
    ]);
    expect(rows[0]).toMatchObject({ teamNumber: 2, wins: 1, matchesPlayed: 1 });
  });
  it("takes no notice of practice, playoffs and what was not played, nor of who did not play", () => {
    const matches = [
      matchOf(1, { level: "Practice", reds: [1], blues: [2], score: [9, 5] }),
      matchOf(2, { level: "Playoff", reds: [1], blues: [2], score: [9, 5] }),
      matchOf(3, { reds: [1], blues: [2] }),
      matchOf(4, { reds: [5], blues: [4], score: [0, 0] }),
    ];
    const rows = rankingsOf(2013, matches);
    expect(rows.map(({ rank, teamNumber }) => [rank, teamNumber])).toEqual([
      [1, 4],
      [2, 5],
    ]);
    expect(rankingsOf(2013, [])).toEqual([]);
  });
  it("cuts averages to two decimals", () => {
    expect(averageOf(38, 12)).toBe(3.16);
    expect(averageOf(1262, 12)).toBe(105.16);
    expect(averageOf(33, 10)).toBe(3.3);
    expect(averageOf(0.29 * 3, 3)).toBe(0.29);
    expect(averageOf(5, 0)).toBe(0);
  });
  it("of 60 teams with 12 matches each takes less than 5 ms", () => {
    const matches = Array.from({ length: 120 }, (_, index) => {
      const team = (seat: number) => ((index * 6 + seat) % 60) + 1;
      return matchOf(index + 1, {
        reds: [team(0), team(1), team(2)],
        blues: [team(3), team(4), team(5)],
        score: [(index * 37) % 400, (index * 53) % 400],
        redDetails: { autoQuestRankingPoint: index % 3 === 0, faceTheBossRankingPoint: false },
        blueDetails: { autoQuestRankingPoint: false, faceTheBossRankingPoint: index % 5 === 0 },
      });
    });
    const rounds = 200;
    const ms = usualMs(() => {
      for (let round = 0; round < rounds; round += 1) rankingsOf(2018, matches);
    });
    expect(ms / rounds).toBeLessThan(5);
  });
});

describe("surrogates", () => {
  /** Seven teams, three rounds: four matches need 24 seats, so three teams play once more. */
  const uneven = [
    matchOf(1, { reds: [1, 2, 3], blues: [4, 5, 6], score: [1, 0] }),
    matchOf(2, { reds: [7, 1, 2], blues: [3, 4, 5], score: [1, 0] }),
    matchOf(3, { reds: [6, 7, 1], blues: [2, 3, 4], score: [1, 0] }),
    matchOf(4, { reds: [5, 6, 7], blues: [1, 2, 3], score: [1, 0] }),
  ];
  it("are those with one match more than the others, in their third", () => {
    const rows = rankingsOf(2013, markSurrogates(uneven));
    expect(rows.every(({ matchesPlayed }) => matchesPlayed === 3)).toBe(true);
    expect(
      markSurrogates(uneven).flatMap(({ matchNumber, teams }) =>
        teams.filter(({ surrogate }) => surrogate).map(({ teamNumber }) => [matchNumber, teamNumber]),
      ),
    ).toEqual([
      [3, 1],
      [3, 2],
      [3, 3],
    ]);
  });
  it("are not looked for where they are told, where all played alike, or where counts tell nothing", () => {
    const told = [
      ...uneven.slice(0, 3),
      matchOf(4, { reds: [5, 6, 7], blues: [1, 2, 3], score: [1, 0], surrogates: [1, 2, 3] }),
    ];
    expect(markSurrogates(told)).toBe(told);
    expect(markSurrogates(uneven.slice(0, 1))).toEqual(uneven.slice(0, 1));
    const halfPlayed = uneven.slice(0, 3);
    expect(markSurrogates([...halfPlayed, matchOf(5, { reds: [1], blues: [8], score: [1, 0] })])).toEqual([
      ...halfPlayed,
      matchOf(5, { reds: [1], blues: [8], score: [1, 0] }),
    ]);
    expect(markSurrogates([])).toEqual([]);
  });
});

describe("statistics", () => {
  const matches = [
    matchOf(1, { reds: [1, 2], blues: [3, 4], score: [30, 10] }),
    matchOf(2, { reds: [1, 3], blues: [2, 4], score: [15, 15], disqualified: [4] }),
    matchOf(3, { level: "Playoff", reds: [1, 2], blues: [3, 4], score: [50, 60] }),
    matchOf(4, { level: "Practice", reds: [1, 2], blues: [3, 4], score: [900, 0] }),
    matchOf(5, { reds: [1, 2], blues: [3, 4] }),
  ];
  it("tell a team's record, average and highest score", () => {
    const oneOfEach = { matchesPlayed: 3, wins: 1, losses: 1, ties: 1, dq: 0 };
    expect(teamStatisticsOf(matches)).toEqual([
      {
        teamNumber: 1,
        ...oneOfEach,
        averageScore: 31.66,
        highestScore: 50,
      },
      {
        teamNumber: 2,
        ...oneOfEach,
        averageScore: 31.66,
        highestScore: 50,
      },
      {
        teamNumber: 3,
        ...oneOfEach,
        averageScore: 28.33,
        highestScore: 60,
      },
      {
        teamNumber: 4,
        matchesPlayed: 3,
        wins: 1,
        losses: 1,
        ties: 0,
        dq: 1,
        averageScore: 23.33,
        highestScore: 60,
      },
    ]);
  });
  it("tell the highest score of each level", () => {
    expect(highestScoresOf(matches)).toEqual([
      { level: "Qualification", matchNumber: 1, score: 30, teamNumbers: [1, 2] },
      { level: "Playoff", matchNumber: 3, score: 60, teamNumbers: [3, 4] },
      { level: "Practice", matchNumber: 4, score: 900, teamNumbers: [1, 2] },
    ]);
  });
});
