/** Finds occurrences of minutely and hourly recurrences, which count elapsed time from the start. */

import {
  floorDivide,
  floorModulo,
  greatestCommonDivisor,
  HOUR_MS,
  INSTANT_MS_MAX,
  MINUTE_MS,
} from "./calendar.ts";
import type { Plan } from "./calendar-plan.ts";
import type { Recurrence } from "./recurrence.ts";
import { type WallClock, wallClockOf } from "./time-zone.ts";

/** Step 0 is the start. */
type Steps = {
  readonly stepMs: number;
  /** Number of steps after which the time of day repeats. */
  readonly cycle: number;
  /** Occurrences of a step, ascending; empty if the schedule excludes it. */
  readonly occurrencesOf: (step: number) => readonly number[];
};

/** A clock change shifts the cycle, so zones need some more cycles. */
const ZONED_CYCLES = 8;

function isAt(values: readonly number[] | undefined, value: number): boolean {
  return values === undefined || values.includes(value);
}

/** The schedule only filters steps: a skipped hour has no occurrence, a repeated hour has two. */
function minuteSteps({ interval, schedule }: Recurrence, startTimeMs: number, clock: WallClock): Steps {
  const stepMs = interval * MINUTE_MS;
  const occurrencesOf = (step: number) => {
    const instant = startTimeMs + step * stepMs;
    const local = clock.localOf(instant);
    const fits =
      isAt(schedule?.hours, floorModulo(floorDivide(local, HOUR_MS), 24)) &&
      isAt(schedule?.minutes, floorModulo(floorDivide(local, MINUTE_MS), 60));
    return fits ? [instant] : [];
  };
  return { stepMs, cycle: 1_440 / greatestCommonDivisor(1_440, interval), occurrencesOf };
}

/** Hours filter steps. Minutes replace a step by these minutes of its clock hour. */
function hourSteps({ interval, schedule }: Recurrence, startTimeMs: number, clock: WallClock): Steps {
  const stepMs = interval * HOUR_MS;
  const minutes = schedule?.minutes && [...schedule.minutes].sort((first, second) => first - second);
  const occurrencesOf = (step: number) => {
    const instant = startTimeMs + step * stepMs;
    const local = clock.localOf(instant);
    if (!isAt(schedule?.hours, floorModulo(floorDivide(local, HOUR_MS), 24))) return [];
    if (minutes === undefined) return [instant];
    const fullHour = instant - floorModulo(local, HOUR_MS);
    return minutes.map((minute) => fullHour + minute * MINUTE_MS);
  };
  return { stepMs, cycle: 24 / greatestCommonDivisor(24, interval), occurrencesOf };
}

function earliestAfter(instants: readonly number[], afterMs: number): number | undefined {
  return instants.find((instant) => instant > afterMs);
}

function shortestGapMs({ cycle, occurrencesOf }: Steps, startTimeMs: number): number {
  let gap = Number.POSITIVE_INFINITY;
  let previous: number | undefined;
  for (let step = 0; step <= 2 * cycle; step += 1) {
    for (const instant of occurrencesOf(step)) {
      if (instant < startTimeMs) continue;
      if (previous !== undefined) gap = Math.min(gap, instant - previous);
      previous = instant;
    }
  }
  return gap;
}

/** For the frequencies Minute and Hour. */
export function planByElapsedTime(recurrence: Recurrence, startTimeMs: number): Plan {
  const clock = wallClockOf(recurrence.timeZone);
  const stepsOf = recurrence.frequency === "Minute" ? minuteSteps : hourSteps;
  const steps = stepsOf(recurrence, startTimeMs, clock);
  const stepsMax = steps.cycle * (recurrence.timeZone === undefined ? 1 : ZONED_CYCLES) + 3;

  const find = (afterMs: number): number | undefined => {
    const after = Math.max(afterMs, startTimeMs - 1);
    // Starts one step earlier, because that step can have minutes after the instant.
    const firstStep = Math.max(0, floorDivide(after - startTimeMs, steps.stepMs) - 1);
    for (let step = firstStep; step < firstStep + stepsMax; step += 1) {
      const instant = earliestAfter(steps.occurrencesOf(step), after);
      if (instant === undefined) continue;
      // If the clock goes back by less than an hour, the next step can have an earlier instant.
      const rival = earliestAfter(steps.occurrencesOf(step + 1), after) ?? instant;
      const earliest = Math.min(instant, rival);
      return earliest <= INSTANT_MS_MAX ? earliest : undefined;
    }
    return undefined;
  };
  return { find, shortestGapMs: () => shortestGapMs(steps, startTimeMs) };
}
