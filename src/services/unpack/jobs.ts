/** Deletes stored results when they expire. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { NOBODY } from "./domain/keeping.ts";
import type { State, UnpackContext } from "./state.ts";
import { deleteExpired, findNextEnd } from "./store.ts";
import type { Tables } from "./tables.ts";

const KEY = "forget";
/** Groups results that expire within a minute into one run. */
const AT_LEAST_MS = 60_000;

const forget = jobsFor<Tables, State>()({
  name: "unpack.forget",
  payload: Type.Object({}),
  housekeeping: true,
  async run(_payload, context) {
    await deleteExpired(context.db, NOBODY, context.clock.nowMs());
    await planForgetting(context);
  },
});
export const jobs = [forget];

/** Schedules the job for the earliest expiry. Without stored results, no job is scheduled. */
export async function planForgetting(context: UnpackContext): Promise<void> {
  const endMs = await findNextEnd(context.db, NOBODY);
  if (endMs === undefined) return;
  const runAtMs = Math.max(endMs, context.clock.nowMs() + AT_LEAST_MS);
  await context.enqueue(forget, {}, { key: KEY, runAtMs });
}
