/** Parses a job from a request: checks schema and times, and extracts the secrets. */
import { refusalOf } from "#kernel/shape";
import {
  type Action,
  findInstant,
  instantText,
  type JobState,
  type KeptSecrets,
  type RecurrenceText,
  recurrenceTextOf,
  type TimesContext,
  timeProblems,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { type GivenJob, jobProperties } from "../wire/index.ts";
import { takeSecrets } from "./job-secrets.ts";
import { wholeReader } from "./whole.ts";

export type ReadJob = {
  readonly startTime?: string;
  readonly recurrence?: RecurrenceText;
  readonly action: Action;
  readonly secrets: KeptSecrets;
  readonly requestedState?: JobState;
};
export type JobReadingContext = TimesContext & {
  /** Stored secrets of the job. */
  readonly stored?: KeptSecrets;
};

const readWhole = wholeReader(jobProperties);

const timesOf = ({ startTime, recurrence }: GivenJob): Pick<ReadJob, "startTime" | "recurrence"> => ({
  ...(startTime !== undefined && { startTime: instantText(findInstant(startTime) ?? 0) }),
  ...(recurrence !== undefined && { recurrence: recurrenceTextOf(recurrence) }),
});

/** Throws one error with all problems. */
export function readJob(properties: unknown, context: JobReadingContext): ReadJob {
  const given = readWhole(properties);
  const times = timesOf(given);
  const { action, secrets, problems } = takeSecrets(given.action, context.stored ?? {});
  const all = [...timeProblems(times, context), ...problems].map(({ path, says }) => ({
    path: `properties.${path}`,
    says,
  }));
  if (all.length > 0) throw refusalOf(all, { whole: "The body", error: errors.invalidJob });
  return { ...times, action, secrets, ...(given.state !== undefined && { requestedState: given.state }) };
}
