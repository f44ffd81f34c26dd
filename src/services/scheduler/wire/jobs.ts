/** Schemas of jobs and their history. */
import { type Static, Type } from "@sinclair/typebox";
import { listOf, oneOf, proxyAnswer } from "#kernel/resource-provider";
import { changesOf, described, given, reportedAs, ruled, shownOf, words } from "#kernel/shape";
import { ACTION_NAMES, EXECUTION_STATUSES, findInstant, JOB_STATES } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { action } from "./action.ts";
import { COLLECTION_ID, COLLECTION_TYPE, echoedOf } from "./collections.ts";
import { about, instant } from "./members.ts";
import { recurrence, shownRecurrence } from "./recurrence.ts";

type Timed = { readonly startTime?: string; readonly recurrence?: { readonly endTime?: string } };

const properties = ruled(
  Type.Object(
    {
      startTime: given(instant("When the job first runs; at once when left out.")),
      recurrence: given(recurrence),
      state: given(
        described(words(JOB_STATES), "Enabled or Disabled; the others are set by the service.", "Enabled"),
      ),
      action,
    },
    {
      description: "What the job does, when it begins, and how often it runs.",
      examples: [
        {
          startTime: "2026-01-01T02:30:00Z",
          recurrence: { frequency: "Day", interval: 1 },
          action: { type: "Https", request: { uri: "https://example.org/clean-up", method: "POST" } },
        },
      ],
    },
  ),
  {
    name: "endAfterStart",
    says: "must not lie before startTime",
    of: ["startTime", "recurrence.frequency", "recurrence.endTime"],
    at: "recurrence.endTime",
    check({ startTime, recurrence: repeated }: Timed) {
      if (startTime === undefined || repeated?.endTime === undefined) return true;
      return (findInstant(repeated.endTime) ?? 0) >= (findInstant(startTime) ?? 0) || "lies before startTime";
    },
  },
);
export const jobProperties = reportedAs(errors.invalidJob, properties);
export type GivenJob = Static<typeof jobProperties>;

const echoedJob = echoedOf(`${COLLECTION_ID}/jobs/clean-up`, "clean-up", `${COLLECTION_TYPE}/jobs`);
export const jobPut = Type.Object({ ...echoedJob, properties: jobProperties });
export const jobPatch = Type.Object({
  ...echoedJob,
  properties: Type.Optional(changesOf(jobProperties)),
});

const shownInstant = (description: string) => Type.String(about(description, "2030-01-31T08:00:00Z"));
const count = (description: string, example: number) => Type.Integer(about(description, example));

export const jobAnswer = proxyAnswer({
  properties: Type.Object(
    {
      startTime: Type.Optional(shownInstant("When the job first runs.")),
      state: described(
        oneOf(...JOB_STATES),
        "Whether the job runs; Completed or Faulted at its end.",
        "Enabled",
      ),
      action: shownOf(action),
      recurrence: Type.Optional(shownRecurrence),
      status: Type.Object(
        {
          executionCount: count("Runs begun, also those by hand.", 3),
          failureCount: count("Attempts of the main action that failed.", 1),
          faultedCount: count("Runs that failed for good.", 0),
          lastExecutionTime: Type.Optional(shownInstant("When the job ran last.")),
          nextExecutionTime: Type.Optional(shownInstant("When the job runs next.")),
        },
        about("How the job has been doing.", { executionCount: 3, failureCount: 1, faultedCount: 0 }),
      ),
    },
    {
      additionalProperties: false,
      description: "What the job does, when it runs, and how it has been doing.",
    },
  ),
});

export const historyAnswer = proxyAnswer({
  properties: Type.Object(
    {
      startTime: shownInstant("When the attempt began."),
      endTime: shownInstant("When it ended."),
      expectedExecutionTime: shownInstant("When the run was due."),
      actionName: described(oneOf(...ACTION_NAMES), "Which action was attempted.", "MainAction"),
      status: described(oneOf(...EXECUTION_STATUSES), "How it went.", "Completed"),
      message: Type.String(
        about(
          "What was answered, or what kept the attempt from succeeding.",
          "GET https://example.org/ answered 200.",
        ),
      ),
      retryCount: count("0 for the first attempt of a run, then the number of the retry.", 0),
      repeatCount: count("The number of the occurrence.", 3),
    },
    { description: "One attempt of a job." },
  ),
});
export const historyList = listOf(historyAnswer);
