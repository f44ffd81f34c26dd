/** Deletes detected faces when they expire. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { FaceContext, State } from "../state.ts";
import { deleteExpired, findNextEnd } from "../store/detected.ts";
import type { Tables } from "../tables.ts";

const KEY = "forget-detected";
/** Groups faces that expire within a minute into one run. */
const AT_LEAST_MS = 60_000;

const forgetDetected = jobsFor<Tables, State>()({
  name: "face.forget-detected",
  payload: Type.Object({}),
  transaction: "manual",
  sharesCommits: true,
  housekeeping: true,
  async run(_payload, context) {
    const nowMs = context.clock.nowMs();
    while (await context.transact(({ db, account }) => deleteExpired(db, account, nowMs)));
    await context.transact(planForgetting);
  },
});
export const forgetJobs = [forgetDetected];

/** Schedules the job for the earliest expiry. Without detected faces, no job is scheduled. */
export async function planForgetting(context: FaceContext): Promise<void> {
  const endMs = await findNextEnd(context.db, context.account);
  if (endMs === undefined) return;
  const runAtMs = Math.max(endMs, context.clock.nowMs() + AT_LEAST_MS);
  await context.enqueue(forgetDetected, {}, { key: KEY, runAtMs });
}
