/** One attempt at a job: how it runs, and what follows from a failure. */
import type { Context } from "../operation/context.ts";
import type { AnyJob } from "../operation/job.ts";
import type { JobRow } from "../runtime/tables.ts";

const ATTEMPTS_MAX = 8;
const ERROR_KEPT_LENGTH = 2000;

export type Failure = { readonly outcome: "retry" | "failed"; readonly text: string };

export class LeaseLost extends Error {
  constructor() {
    super("the work is no longer this node's to do");
  }
}

const attemptsMaxOf = (job: AnyJob | undefined): number => job?.attemptsMax ?? ATTEMPTS_MAX;

/** Runs it. Resolves to the time before which it has nothing to do. */
export async function runWith(row: JobRow, job: AnyJob, context: Context): Promise<number> {
  let restUntilMs = 0;
  await job.run(job.repeat ? {} : JSON.parse(row.payload), context, {
    id: row.id,
    attempt: row.attempts,
    lastAttempt: row.attempts >= attemptsMaxOf(job),
    dueAtMs: row.run_at,
    restUntil: (ms: number) => {
      restUntilMs = ms;
    },
  });
  return restUntilMs;
}

export function failureOf({ attempts }: JobRow, job: AnyJob | undefined, error: unknown): Failure {
  const text = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_KEPT_LENGTH);
  const retry = job?.repeat !== undefined || attempts < attemptsMaxOf(job);
  return { outcome: retry ? "retry" : "failed", text };
}
