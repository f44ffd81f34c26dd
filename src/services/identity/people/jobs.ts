/** Housekeeping: sessions, tokens, challenges and counters that have run out are deleted. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { deleteExpired } from "./store/attempts.ts";
import type { Tables } from "./tables.ts";

const pruneExpired = jobsFor<Tables>()({
  name: "identity.prune-expired",
  payload: Type.Object({}),
  transaction: "manual",
  sharesCommits: true,
  repeat: { everySeconds: 3600 },
  housekeeping: true,
  async run(_payload, context) {
    const nowMs = context.clock.nowMs();
    while (await context.transact(({ db }) => deleteExpired(db, nowMs)));
  },
});

export const jobs = [pruneExpired];
