/** Deletes the contents of deleted containers and snapshots in several transactions. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { FaceContext, State } from "../state.ts";
import { freeSome } from "../store/contents.ts";
import type { Tables } from "../tables.ts";

const freeJob = jobsFor<Tables, State>()({
  name: "face.free",
  payload: Type.Object({ container: Type.String() }),
  transaction: "manual",
  async run({ container }, context) {
    while (!(await context.transact(({ db, account }) => freeSome(db, { account, container }))));
  },
});

/** Call this in the transaction that deletes the container. Small contents are deleted at once. */
export async function free(context: FaceContext, container: string): Promise<void> {
  const { db, account } = context;
  for (let part = 0; part < PARTS_AT_ONCE; part += 1) if (await freeSome(db, { account, container })) return;
  await context.enqueue(freeJob, { container });
}
const PARTS_AT_ONCE = 4;

/**
 * Call this in the transaction that writes the first rows. Contents that no container takes over are deleted
 * after a day.
 */
export const freeUnlessKept = (context: FaceContext, container: string): Promise<string> =>
  context.enqueue(freeJob, { container }, { key: container, runAtMs: context.clock.nowMs() + DAY_MS });
export const keep = (context: FaceContext, container: string): Promise<boolean> =>
  context.cancelJob(freeJob, container);
const DAY_MS = 86_400_000;

export const freeJobs = [freeJob];
