/** The process's own chores. */
import { Type } from "@sinclair/typebox";
import { jobsStore } from "#kernel/jobs";
import { jobsFor } from "#kernel/operation";
import type { KernelTables } from "#kernel/runtime";

const EVERY_SECONDS = 86_400;

export const pruneJobs = jobsFor<KernelTables>()({
  name: "medley.prune-jobs",
  payload: Type.Object({}),
  repeat: { everySeconds: EVERY_SECONDS },
  run: (_payload, { db }) => jobsStore.pruneFinished(db),
});
