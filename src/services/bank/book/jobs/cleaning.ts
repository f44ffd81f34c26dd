/** Deletes expired rows every night. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import type { State } from "../state.ts";
import { deletePast } from "../store/cleaning.ts";
import type { Tables } from "../tables.ts";

/** How long the bank remembers the request ids of a device. */
const REQUEST_IDS_KEPT_MS = 90 * 86_400_000;

export const cleaningJobs = [
  jobsFor<Tables, State>()({
    name: "bank.clean",
    payload: Type.Object({}),
    transaction: "manual",
    sharesCommits: true,
    repeat: { cron: "45 3 * * *" },
    housekeeping: true,
    async run(_payload, context) {
      const nowMs = context.clock.nowMs();
      while (await context.transact(({ db }) => deletePast(db, nowMs, nowMs - REQUEST_IDS_KEPT_MS)));
    },
  }),
];
