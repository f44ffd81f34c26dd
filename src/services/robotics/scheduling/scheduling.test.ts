/** Schedules are complete, fair and as varied as they can be, whatever the number of teams; and are made in a worker. */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { usualMs } from "../../../../tests/support/processor-time.ts";
import { scheduleFigures } from "./figures.ts";
import { type GeneratedSchedule, generateSchedule, type ScheduleRequest, usualGap } from "./generator.ts";
import { createScheduling } from "./index.ts";
import { createRandom, shuffled } from "./random.ts";

const teamsOf = (count: number) => Array.from({ length: count }, (_, index) => 100 + index);
const seatsOf = ({ matches }: GeneratedSchedule) => matches.flatMap(({ red, blue }) => [...red, ...blue]);

function checkSchedule(
  { teamNumbers, matchesPerTeam, perAlliance = 3 }: ScheduleRequest,
  schedule: GeneratedSchedule,
) {
  const { matches, figures } = schedule;
  const seats = seatsOf(schedule);
  expect(matches).toHaveLength(Math.ceil((teamNumbers.length * matchesPerTeam) / (2 * perAlliance)));
  expect(matches.map(({ matchNumber }) => matchNumber)).toEqual(matches.map((_, index) => index + 1));
  for (const { red, blue } of matches) {
    expect([red.length, blue.length]).toEqual([perAlliance, perAlliance]);
    expect(new Set([...red, ...blue].map(({ teamNumber }) => teamNumber)).size).toBe(2 * perAlliance);
  }
  const surrogates = seats.filter(({ surrogate }) => surrogate).map(({ teamNumber }) => teamNumber);
  expect(new Set(surrogates).size).toBe(surrogates.length);
  expect(surrogates.length).toBe(seats.length - teamNumbers.length * matchesPerTeam);
  for (const teamNumber of teamNumbers) {
    const own = seats.filter((seat) => seat.teamNumber === teamNumber);
    expect(own.filter(({ surrogate }) => !surrogate)).toHaveLength(matchesPerTeam);
    const surrogate = own.findIndex((seat) => seat.surrogate);
    if (surrogate >= 0) expect(surrogate).toBe(Math.min(2, matchesPerTeam - 1));
  }
  expect(figures).toEqual(scheduleFigures(matches));
}

describe("a schedule", () => {
  it("has every team in as many matches as asked, surrogates once more in their third, and nobody twice", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 4 }).chain((perAlliance) =>
          fc.record({
            perAlliance: fc.constant(perAlliance),
            teamNumbers: fc.integer({ min: 2 * perAlliance, max: 40 }).map(teamsOf),
            matchesPerTeam: fc.integer({ min: 1, max: 13 }),
            seed: fc.nat(),
            effort: fc.constant(0.05),
          }),
        ),
        (request) => {
          const schedule = generateSchedule(request);
          checkSchedule(request, schedule);
          expect(schedule.figures.gapLeast).toBeGreaterThanOrEqual(request.matchesPerTeam > 1 ? 1 : 0);
        },
      ),
      { numRuns: 60 },
    );
  });
  it("keeps the gap that it is asked for, or half a round if not asked", () => {
    for (const minimumGap of [1, 3, 4]) {
      const { figures } = generateSchedule({
        teamNumbers: teamsOf(30),
        matchesPerTeam: 8,
        minimumGap,
        effort: 0.2,
      });
      expect(figures.gapLeast).toBeGreaterThanOrEqual(minimumGap);
    }
    const { figures } = generateSchedule({ teamNumbers: teamsOf(48), matchesPerTeam: 8, effort: 0.2 });
    expect(figures.gapLeast).toBeGreaterThanOrEqual(usualGap(48, 3));
    expect(usualGap(48, 3)).toBe(4);
  });
  it("keeps teams as far apart as they can be where more is asked than fits", () => {
    const { figures } = generateSchedule({
      teamNumbers: teamsOf(30),
      matchesPerTeam: 5,
      minimumGap: 99,
      effort: 0.1,
    });
    expect(figures.gapLeast).toBe(5);
  });
  it("is the same for the same seed, and another for another", () => {
    const made = (seed: number) =>
      generateSchedule({ teamNumbers: teamsOf(24), matchesPerTeam: 6, seed, effort: 0.2 });
    expect(made(7)).toEqual(made(7));
    expect(made(7)).not.toEqual(made(8));
  });
  it("of 60 teams with 12 matches repeats no partners, and opponents as little as published ones do, in 10 s", () => {
    let schedule: GeneratedSchedule | undefined;
    const request = { teamNumbers: teamsOf(60), matchesPerTeam: 12 };
    const ms = usualMs(() => {
      schedule = generateSchedule(request);
    });
    expect(ms).toBeLessThan(10_000);
    const { figures } = schedule as GeneratedSchedule;
    checkSchedule(request, schedule as GeneratedSchedule);
    expect(figures.partners).toMatchObject({ most: 1, repeated: 0 });
    // A schedule published for this size repeats 26 pairs of opponents.
    expect(figures.opponents.most).toBeLessThanOrEqual(2);
    expect(figures.opponents.repeated).toBeLessThanOrEqual(26);
    expect(figures).toMatchObject({ matches: 120, gapLeast: 5, surrogates: 0 });
    expect(figures.colourDifferenceMost).toBeLessThanOrEqual(2);
  });
});

describe("random numbers", () => {
  it("stay in their range and shuffle without loss", () => {
    const random = createRandom(0);
    for (let index = 0; index < 1000; index += 1) {
      expect(random.below(6)).toBeLessThan(6);
      expect(random.fraction()).toBeLessThan(1);
    }
    expect(shuffled(teamsOf(30), random).sort((a, b) => a - b)).toEqual(teamsOf(30));
  });
});

describe("the worker", () => {
  const scheduling = createScheduling();
  afterAll(() => scheduling.close());
  it("makes the same schedule elsewhere", async () => {
    const request = { teamNumbers: teamsOf(24), matchesPerTeam: 6, seed: 5, effort: 0.2 };
    expect(await scheduling.run(request)).toEqual(generateSchedule(request));
  });
});
