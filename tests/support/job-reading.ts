/** Reads job definitions as requests give them, and tells what refuses them. */
import { type ErrorExtras, ServiceError } from "../../src/kernel/operation/index.ts";
import {
  type JobReadingContext,
  type ReadJob,
  readJob,
} from "../../src/services/scheduler/operations/job-reading.ts";

const plainAction = { type: "Http", request: { uri: "http://x.org" } };

export const readJobWith = (
  properties: Readonly<Record<string, unknown>>,
  nowMs = 0,
  context: Partial<JobReadingContext> = {},
): ReadJob => readJob({ action: plainAction, ...properties }, { nowMs, ...context });

type Detail = { readonly target: string; readonly message: string };
/** What the error says of each member; empty when there is none. */
export function problemsIn(read: () => unknown): readonly Detail[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { details = [] }: ErrorExtras = error.extras;
    return details as readonly Detail[];
  }
}
