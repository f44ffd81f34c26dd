/** Rules of this service that need no server: numbers of playoff matches, the calendar, and files of commas. */
import { describe, expect, it } from "vitest";
import { dayOf, daysOf, findHttpSecond, httpDateOf, weekdayOf } from "./calendar.ts";
import { csvLinesOf } from "./csv.ts";
import type { PlayoffRound } from "./game.ts";
import { findPlayoffPlace, playoffNumberOf } from "./playoff-numbers.ts";
import { findSavedPlace, savedAnswerOf } from "./saved-answers.ts";
import {
  findWeekOf,
  isPublicSeason,
  labelledNumberMaxOf,
  teamNumberMaxOf,
  usualKickoffOf,
  yearsAt,
} from "./seasons.ts";

const placesOf = (rounds: readonly (readonly [PlayoffRound, sets: number, games: number])[]) =>
  rounds.flatMap(([round, sets, games]) =>
    Array.from({ length: sets * games }, (_, at) => ({
      round,
      set: (at % sets) + 1,
      game: Math.floor(at / sets) + 1,
    })),
  );

describe("numbers of playoff matches", () => {
  const bestOfThree = placesOf([
    ["ef", 8, 4],
    ["qf", 4, 5],
    ["sf", 2, 5],
    ["f", 1, 6],
  ]);
  const doubleElimination = placesOf([
    ["sf", 13, 3],
    ["f", 1, 4],
    ["qf", 4, 3],
  ]);
  const averages = placesOf([
    ["qf", 4, 8],
    ["sf", 2, 6],
    ["f", 1, 4],
  ]);
  it.each([
    [2013, bestOfThree],
    [2015, averages],
    [2024, doubleElimination],
  ])("of %i are each one's own, and tell the place", (season, places) => {
    const numbers = places.map((place) => playoffNumberOf(season, place));
    expect(new Set(numbers).size).toBe(places.length);
    expect(numbers.map((number) => findPlayoffPlace(season, number))).toEqual(places);
  });
  it("are those that the public service counts", () => {
    expect([1, 5, 12, 13, 18, 19].map((number) => findPlayoffPlace(2018, number))).toEqual([
      { round: "qf", set: 1, game: 1 },
      { round: "qf", set: 1, game: 2 },
      { round: "qf", set: 4, game: 3 },
      { round: "sf", set: 1, game: 1 },
      { round: "sf", set: 2, game: 3 },
      { round: "f", set: 1, game: 1 },
    ]);
    expect([findPlayoffPlace(2018, 0), findPlayoffPlace(2024, 0), findPlayoffPlace(2024, 150)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

describe("the calendar", () => {
  it("agrees with the machine's on every day of two centuries", () => {
    const wrong: number[] = [];
    for (let days = daysOf({ year: 1900, month: 1, day: 1 }); days < 48_000; days += 1) {
      const date = new Date(days * 86_400_000);
      const { year, month, day } = dayOf(days);
      const same =
        year === date.getUTCFullYear() &&
        month === date.getUTCMonth() + 1 &&
        day === date.getUTCDate() &&
        weekdayOf(days) === date.getUTCDay() &&
        daysOf({ year, month, day }) === days;
      if (!same) wrong.push(days);
    }
    expect(wrong).toEqual([]);
  });
  it("writes and reads the dates of HTTP, in their three forms", () => {
    for (const second of [0, 784_111_777, 1_709_251_199, 4_102_444_799]) {
      expect(httpDateOf(second)).toBe(new Date(second * 1000).toUTCString());
      expect(findHttpSecond(httpDateOf(second))).toBe(second);
    }
    expect(findHttpSecond("Sunday, 06-Nov-94 08:49:37 GMT")).toBe(784_111_777);
    expect(findHttpSecond("Sun Nov  6 08:49:37 1994")).toBe(784_111_777);
    for (const odd of ["", "now", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT"])
      expect(findHttpSecond(odd)).toBe(undefined);
  });
  it("knows kickoffs, weeks and which season is the last", () => {
    expect([2013, 2015, 2016, 2021, 2024].map(usualKickoffOf)).toEqual([
      "2013-01-05T00:00:00Z",
      "2015-01-03T00:00:00Z",
      "2016-01-09T00:00:00Z",
      "2021-01-09T00:00:00Z",
      "2024-01-06T00:00:00Z",
    ]);
    expect(findWeekOf("2024-03-13T00:00:00", "2024-02-29T00:00:00")).toBe(3);
    expect(findWeekOf(null, "2024-02-29T00:00:00")).toBe(undefined);
    expect(yearsAt(Date.UTC(2026, 7, 31))).toEqual({ currentSeason: 2026, maxSeason: 2026 });
    expect(yearsAt(Date.UTC(2026, 8, 1))).toEqual({ currentSeason: 2026, maxSeason: 2027 });
  });
});

describe("files of commas", () => {
  it("may hold quotes, commas and line ends", () => {
    expect(csvLinesOf('\ufeffa,"b ""c"", d",\r\n\r\n"two\nlines",x\ny')).toEqual([
      { number: 1, fields: ["a", 'b "c", d', ""] },
      { number: 3, fields: ["two\nlines", "x"] },
      { number: 5, fields: ["y"] },
    ]);
    expect(csvLinesOf('"never closed')).toEqual([{ number: 1, fields: ["never closed"] }]);
  });
});

describe("saved answers", () => {
  it.each([
    ["2024/matches/CASJ.json", 2024, "CASJ"],
    ["2024_schedule_casj_Qualification.json", 2024, "CASJ"],
    ["old/v3.0/2019/awards/event/CASF.json", 2019, "CASF"],
    ["2024/teams-2.json", 2024, undefined],
    ["2024/rankings/district.json", 2024, undefined],
  ])("%s tells season and event", (path, season, eventCode) => {
    expect(findSavedPlace(path)).toEqual({ season, eventCode });
  });
  it("say what is wrong with them", () => {
    for (const [path, value] of [
      ["matches.json", { Matches: [] }],
      ["2024/matches.json", { Matches: [{ tournamentLevel: "Qualification", matchNumber: 1 }] }],
      ["2024/x.json", { hello: 1 }],
      ["2024/x.json", 7],
      ["2024/matches/CASJ.json", { Matches: [{ tournamentLevel: "Lunch" }] }],
    ] as const)
      expect([path, savedAnswerOf(path, value).findings.length]).toEqual([path, 1]);
  });
});

describe("what changes with a season", () => {
  it("is in summaries from 2015 on", () => {
    const isPublic = (season: number) => isPublicSeason(season, { currentSeason: 2026, maxSeason: 2026 });
    expect([2014, 2015, 2026, 2027].map(isPublic)).toEqual([false, true, true, false]);
  });
  it("has team numbers from 9000 on since 2023, and of five digits since 2025", () => {
    expect([2022, 2023].map(labelledNumberMaxOf)).toEqual([8999, 9999]);
    expect([2024, 2025].map(teamNumberMaxOf)).toEqual([9999, 99_999]);
  });
  it("has double elimination since 2023", () => {
    const numberOf = (season: number) => playoffNumberOf(season, { round: "f", set: 1, game: 1 });
    expect([numberOf(2022), numberOf(2023)]).toEqual([19, 14]);
  });
});
