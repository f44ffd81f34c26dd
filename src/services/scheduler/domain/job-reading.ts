/** Reads a whole job from a request body and says everything that is wrong with it. */
import type { Action } from "./action.ts";
import { type ReadAction, readAction } from "./action-reading.ts";
import type { KeptSecrets } from "./definition-reader.ts";
import { instantText } from "./iso-time.ts";
import { JOB_STATES, type JobState } from "./job-state.ts";
import { findWord, isGiven, type Problem, type Reading } from "./problems.ts";
import { readRecurrence, readStartTime } from "./recurrence-reading.ts";
import { type RecurrenceText, writeRecurrence } from "./recurrence-writing.ts";

export type ReadJob = {
  readonly startTime?: string;
  readonly recurrence?: RecurrenceText;
  readonly action: Action;
  readonly secrets: KeptSecrets;
  readonly requestedState?: JobState;
};

export type JobReadingContext = {
  readonly nowMs: number;
  /** Secrets of the job as it stands. */
  readonly stored?: KeptSecrets;
  /** A recurrence that is kept as it was may have ended meanwhile; a new one may not end in the past. */
  readonly keptRecurrence?: RecurrenceText;
};

function readState(value: unknown, problems: Problem[]): JobState | undefined {
  if (!isGiven(value)) return undefined;
  const state = findWord(JOB_STATES, value);
  if (state === undefined)
    problems.push({ path: "state", message: `state must be one of ${JOB_STATES.join(", ")}.` });
  return state;
}

function readTimes(
  properties: Readonly<Record<string, unknown>>,
  { nowMs, keptRecurrence }: JobReadingContext,
  problems: Problem[],
): Pick<ReadJob, "startTime" | "recurrence"> {
  const start = isGiven(properties.startTime) ? readStartTime(properties.startTime, nowMs) : undefined;
  problems.push(...(start?.problems ?? []));
  const startTimeMs = start?.value;
  const startPart = startTimeMs === undefined ? {} : { startTime: instantText(startTimeMs) };
  if (!isGiven(properties.recurrence)) return startPart;
  const order = startTimeMs === undefined ? {} : { startTimeMs };
  const isKept = JSON.stringify(properties.recurrence) === JSON.stringify(keptRecurrence);
  const read = readRecurrence(properties.recurrence, isKept ? order : { ...order, nowMs });
  problems.push(...read.problems);
  return { ...startPart, ...(read.value && { recurrence: writeRecurrence(read.value) }) };
}

export function readJob(
  properties: Readonly<Record<string, unknown>>,
  context: JobReadingContext,
): Reading<ReadJob> {
  const problems: Problem[] = [];
  const times = readTimes(properties, context, problems);
  const requestedState = readState(properties.state, problems);
  const read: Reading<ReadAction> = readAction(properties.action, context.stored);
  problems.push(...read.problems);
  if (read.value === undefined || problems.length > 0) return { problems };
  return {
    problems,
    value: { ...times, ...read.value, ...(requestedState !== undefined && { requestedState }) },
  };
}
