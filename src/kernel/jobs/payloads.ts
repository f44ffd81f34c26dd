/**
 * Checks payloads against the schemas of their jobs. Compiled on first use, because a process uses few of its jobs.
 */

import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { AnyJob } from "../operation/job.ts";

export class PayloadChecks {
  readonly #compiled = new Map<AnyJob, TypeCheck<TSchema>>();

  /** Throws if the payload does not fit. Unknown jobs are not checked. */
  check(job: AnyJob | undefined, payload: unknown): void {
    if (!job) return;
    const check = this.#compiled.get(job) ?? TypeCompiler.Compile(job.payload);
    this.#compiled.set(job, check);
    if (check.Check(payload)) return;
    const problem = check.Errors(payload).First();
    throw new TypeError(
      `the payload of ${job.name} does not fit its schema: ${problem?.path || "/"}: ${problem?.message}`,
    );
  }
}
