/** Housekeeping jobs of the process. */
import { Type } from "@sinclair/typebox";
import { pruneOutbox } from "#kernel/events";
import { jobsStore } from "#kernel/jobs";
import { sweepObjects } from "#kernel/objects";
import { jobsFor } from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";

const EVERY_SECONDS = 86_400;

/** Deletes finished jobs and messages beyond a limit. */
export const prune = jobsFor<KernelTables>()({
  name: "medley.prune",
  payload: Type.Object({}),
  transaction: "manual",
  sharesCommits: true,
  repeat: { everySeconds: EVERY_SECONDS },
  housekeeping: true,
  async run(_payload, context) {
    while (await context.transact(({ db }) => jobsStore.pruneFinished(db)));
    await pruneOutbox(context);
  },
});

/** Deletes objects without a reference. Without an object store, there are none. */
export const sweepOf = (kernel: Kernel) =>
  jobsFor<KernelTables>()({
    name: "medley.sweep-objects",
    payload: Type.Object({}),
    transaction: "manual",
    repeat: { everySeconds: EVERY_SECONDS },
    housekeeping: true,
    async run() {
      if (kernel.objects.s3) await sweepObjects(kernel);
    },
  });
