/** Detected faces whose time is over are deleted, not only passed over. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { FaceContext, State } from "../state.ts";
import { deleteExpired, findNextEnd } from "../store/detected.ts";
import type { Tables } from "../tables.ts";

const KEY = "forget-detected";
/** Many ids may end within it: they go together. */
const AT_LEAST_MS = 60_000;

const forgetDetected = jobsFor<Tables, State>()({
  name: "face.forget-detected",
  payload: Type.Object({}),
  housekeeping: true,
  async run(_payload, context) {
    await deleteExpired(context.db, context.account, context.clock.nowMs());
    await planForgetting(context);
  },
});
export const forgetJobs = [forgetDetected];

/** At the end of the face that lives shortest; not at all where there is none. */
export async function planForgetting(context: FaceContext): Promise<void> {
  const endMs = await findNextEnd(context.db, context.account);
  if (endMs === undefined) return;
  const runAtMs = Math.max(endMs, context.clock.nowMs() + AT_LEAST_MS);
  await context.enqueue(forgetDetected, {}, { key: KEY, runAtMs });
}
