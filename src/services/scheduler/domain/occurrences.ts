/** Occurrences of a recurrence: the next one after an instant, and the whole sequence. */
import { type Plan, planByCalendar } from "./calendar-plan.ts";
import { planByElapsedTime } from "./elapsed-plan.ts";
import type { Recurrence } from "./recurrence.ts";

/** Day, week and month follow the wall clock; minute and hour count elapsed time. */
export function planOf(recurrence: Recurrence, startTimeMs: number): Plan {
  const elapsed = recurrence.frequency === "Minute" || recurrence.frequency === "Hour";
  return elapsed ? planByElapsedTime(recurrence, startTimeMs) : planByCalendar(recurrence, startTimeMs);
}

function withinLimits(
  plan: Plan,
  recurrence: Recurrence,
  afterMs: number,
  executedCount: number,
): number | undefined {
  const { count, endTimeMs } = recurrence;
  if (count !== undefined && executedCount >= count) return undefined;
  const instant = plan.find(afterMs);
  return instant !== undefined && endTimeMs !== undefined && instant > endTimeMs ? undefined : instant;
}

/**
 * The first occurrence after `afterMs` and not before the start. Undefined if `executedCount` reaches the
 * count, the end time has passed, or no date matches.
 */
export function nextOccurrence(
  recurrence: Recurrence,
  startTimeMs: number,
  afterMs: number,
  executedCount: number,
): number | undefined {
  return withinLimits(planOf(recurrence, startTimeMs), recurrence, afterMs, executedCount);
}

/** All occurrences in order, each counted as one run. Infinite unless the recurrence ends. */
export function* occurrences(
  recurrence: Recurrence,
  startTimeMs: number,
  afterMs = startTimeMs - 1,
  executedCount = 0,
): Generator<number, void, void> {
  const plan = planOf(recurrence, startTimeMs);
  let executed = executedCount;
  let instant = withinLimits(plan, recurrence, afterMs, executed);
  while (instant !== undefined) {
    yield instant;
    executed += 1;
    instant = withinLimits(plan, recurrence, instant, executed);
  }
}

/** Minimum time between two occurrences by the wall clock; infinite for fewer than two. */
export function shortestGapMs(recurrence: Recurrence, startTimeMs: number): number {
  return planOf(recurrence, startTimeMs).shortestGapMs();
}
