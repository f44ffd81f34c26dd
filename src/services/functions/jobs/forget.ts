/** Deletes old operations, and uploaded archives that were never used. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { FunctionsContext, State } from "../state.ts";
import { dropOldObjects, forgetOperations, isBlobUsed } from "../store/index.ts";
import type { Tables } from "../tables.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const OPERATIONS_KEPT_MS = 30 * DAY_MS;
const OBJECTS_KEPT_MS = 7 * DAY_MS;
const BATCH = 50;

async function dropOld({ db, account, blobs }: FunctionsContext, beforeMs: number): Promise<void> {
  for (const blobId of await dropOldObjects(db, account, beforeMs, BATCH))
    if (!(await isBlobUsed(db, account, blobId))) await blobs.remove(blobId);
}

const forgetOld = jobsFor<Tables, State>()({
  name: "functions.forget-old",
  payload: Type.Object({}),
  transaction: "manual",
  sharesCommits: true,
  housekeeping: true,
  async run(_payload, context) {
    const nowMs = context.clock.nowMs();
    const beforeMs = nowMs - OPERATIONS_KEPT_MS;
    while (await context.transact(({ db, account }) => forgetOperations(db, account, beforeMs)));
    await context.transact(async (within) => {
      await dropOld(within, nowMs - OBJECTS_KEPT_MS);
      await planForgetting(within);
    });
  },
});
export const forgetJobs = [forgetOld];

/** Once a day, from the first use on. */
export async function planForgetting(context: FunctionsContext): Promise<void> {
  await context.enqueue(forgetOld, {}, { key: "forget", runAtMs: context.clock.nowMs() + DAY_MS });
}
